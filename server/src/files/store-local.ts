/** Stores files in a folder, for development and for production on a single machine. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { createReadStream, mkdirSync } from 'node:fs'
import { type FileHandle, mkdir, open, rename, rm, stat, utimes } from 'node:fs/promises'
import path from 'node:path'
import type { Readable } from 'node:stream'
import type { Appended, ResumableIntake, Store } from './store.ts'

/** Longer than any request may take: a holder that received no byte for this long is gone. */
const LOCK_STALE_MS = 90_000
const LOCK_TOUCH_MS = 5_000
const KEY = /^(?:incoming|ready\/[0-9a-z]{2})\/upl_[0-9a-z]{26}$/

export function openLocalStore(
  folder: string,
  { lockStaleMs = LOCK_STALE_MS }: { lockStaleMs?: number } = {},
): Store {
  for (const name of ['incoming', 'ready', 'work'])
    mkdirSync(path.join(folder, name), { recursive: true })

  const fileOf = (key: string) => {
    assert(KEY.test(key), `${key} is not a valid file key`)
    return path.join(folder, key)
  }

  return {
    name: 'folder',
    incoming: resumable(fileOf, lockStaleMs),

    async put(key, file) {
      const target = fileOf(key)
      const parent = path.dirname(target)
      await syncFile(file)
      if ((await mkdir(parent, { recursive: true })) !== undefined)
        await syncFile(path.dirname(parent))
      await rename(file, target)
      await syncFile(parent)
    },

    async read(key, range) {
      const file = fileOf(key)
      const bytes = await sizeOf(file)
      if (bytes === undefined) return undefined
      return { stream: createReadStream(file, range ?? {}), bytes }
    },

    size: (key) => sizeOf(fileOf(key)),
    link: async () => undefined,

    async remove(key) {
      await rm(fileOf(key), { force: true })
      if (key.startsWith('incoming/')) await rm(lockOf(fileOf(key)), { force: true })
    },

    workFile: (name) => path.join(folder, 'work', `${name}-${randomUUID()}`),
    async close() {},
  }
}

function resumable(fileOf: (key: string) => string, lockStaleMs: number): ResumableIntake {
  const seen: SeenLocks = new Map()
  return {
    by: 'server',

    offset: async (key) => (await sizeOf(fileOf(key))) ?? 0,

    async append(key, { offset, bytes, bytesMax }) {
      const file = fileOf(key)
      const release = await lock(file, seen, lockStaleMs)
      if (release === undefined) return { outcome: 'busy' }
      try {
        const size = await sizeOf(file)
        if ((size ?? 0) !== offset) return { outcome: 'wrong offset', offset: size ?? 0 }
        const handle = await open(file, size === undefined ? 'wx' : 'r+')
        try {
          if (size === undefined) await syncFile(path.dirname(file))
          return await receive(handle, file, { offset, bytes, bytesMax })
        } catch (error) {
          // Only disk errors get here. Drop the piece, which frees its space and keeps the offset correct.
          await handle.truncate(offset).catch(() => {})
          if (offset === 0) await rm(file, { force: true })
          throw error
        } finally {
          await handle.close()
        }
      } finally {
        await release()
      }
    },
  }
}

async function receive(
  handle: FileHandle,
  file: string,
  { offset, bytes, bytesMax }: { offset: number; bytes: Readable; bytesMax: number },
): Promise<Appended> {
  let at = offset
  let outcome: 'whole' | 'cut off' | 'broken' = 'whole'
  let touchedMs = performance.now()
  let diskError: unknown
  try {
    // Don't destroy the request when we stop reading, so we can still send a response with the reason.
    const chunks = bytes.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>
    for await (const chunk of chunks) {
      const kept = chunk.subarray(0, bytesMax - at)
      await writeAll(handle, kept, at).catch((error: unknown) => {
        diskError = error
        throw error
      })
      at += kept.length
      if (kept.length < chunk.length) {
        outcome = 'cut off'
        break
      }
      if (performance.now() - touchedMs > LOCK_TOUCH_MS) {
        touchedMs = performance.now()
        // Only the change of mtime matters, not its value.
        await utimes(lockOf(file), touchedMs / 1000, touchedMs / 1000)
      }
    }
  } catch (error) {
    if (diskError !== undefined || !bytes.destroyed) throw error
    outcome = 'broken'
  }
  await handle.datasync()
  return { outcome, offset: at }
}

/** Repeats short writes: a nearly full disk can write less than asked for without an error. */
async function writeAll(handle: FileHandle, bytes: Buffer, position: number): Promise<void> {
  let written = 0
  while (written < bytes.length) {
    const { bytesWritten } = await handle.write(
      bytes,
      written,
      bytes.length - written,
      position + written,
    )
    written += bytesWritten
  }
}

/** For each lock held by others: its last seen mtime, and since when we have seen that mtime. */
type SeenLocks = Map<string, { mtimeMs: number; sinceMs: number }>
const SEEN_LOCKS_MAX = 10_000

/**
 * A lock across all processes of this machine. A lock whose mtime doesn't change for `staleMs` while we watch is taken
 * over. We don't use its age by the wall clock: after a clock jump every lock would look abandoned.
 */
async function lock(
  file: string,
  seen: SeenLocks,
  staleMs: number,
): Promise<(() => Promise<void>) | undefined> {
  const name = lockOf(file)
  for (let attempt = 1; attempt <= 2; attempt += 1) {
    const handle = await open(name, 'wx').catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    })
    if (handle) {
      seen.delete(name)
      await handle.close()
      return () => rm(name, { force: true })
    }
    const held = await stat(name).catch(absent)
    if (held && !isAbandoned(name, held.mtimeMs, seen, staleMs)) return undefined
    await rm(name, { force: true })
  }
  return undefined
}

function isAbandoned(name: string, mtimeMs: number, seen: SeenLocks, staleMs: number): boolean {
  const before = seen.get(name)
  if (before?.mtimeMs === mtimeMs) return performance.now() - before.sinceMs >= staleMs
  if (seen.size >= SEEN_LOCKS_MAX) seen.clear()
  seen.set(name, { mtimeMs, sinceMs: performance.now() })
  return false
}

const lockOf = (file: string) => `${file}.lock`

/** Calls fsync. Also used for folders, because a new file name survives a crash only once its folder is synced. */
async function syncFile(name: string): Promise<void> {
  const handle = await open(name, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

async function sizeOf(file: string): Promise<number | undefined> {
  return (await stat(file).catch(absent))?.size
}

function absent(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}
