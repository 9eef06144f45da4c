/** Files in a folder: for development, and for production on one machine. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { createReadStream, mkdirSync } from 'node:fs'
import { type FileHandle, mkdir, open, rename, rm, stat, utimes } from 'node:fs/promises'
import path from 'node:path'
import type { Readable } from 'node:stream'
import type { Appended, ResumableIntake, Store } from './store.ts'

/** Longer than any request may take: who has held a file for so long without a byte is gone. */
const LOCK_STALE_MS = 90_000
const LOCK_TOUCH_MS = 5_000
const KEY = /^(?:incoming|ready\/[0-9a-z]{2})\/upl_[0-9a-z]{26}$/

export function openLocalStore(folder: string): Store {
  for (const name of ['incoming', 'ready', 'work'])
    mkdirSync(path.join(folder, name), { recursive: true })

  const fileOf = (key: string) => {
    assert(KEY.test(key), `${key} is not a name that we make`)
    return path.join(folder, key)
  }

  return {
    incoming: resumable(fileOf),

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

function resumable(fileOf: (key: string) => string): ResumableIntake {
  return {
    by: 'server',

    offset: async (key) => (await sizeOf(fileOf(key))) ?? 0,

    async append(key, { offset, bytes, bytesMax }) {
      const file = fileOf(key)
      const release = await lock(file)
      if (release === undefined) return { outcome: 'busy' }
      try {
        const size = await sizeOf(file)
        if ((size ?? 0) !== offset) return { outcome: 'wrong offset', offset: size ?? 0 }
        const handle = await open(file, size === undefined ? 'wx' : 'r+')
        try {
          if (size === undefined) await syncFile(path.dirname(file))
          return await receive(handle, file, { offset, bytes, bytesMax })
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
  try {
    // Left open when we stop reading, so that the sender can be told why.
    const chunks = bytes.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>
    for await (const chunk of chunks) {
      const kept = chunk.subarray(0, bytesMax - at)
      await handle.write(kept, 0, kept.length, at)
      at += kept.length
      if (kept.length < chunk.length) {
        outcome = 'cut off'
        break
      }
      if (performance.now() - touchedMs > LOCK_TOUCH_MS) {
        touchedMs = performance.now()
        await utimes(lockOf(file), new Date(), new Date())
      }
    }
  } catch (error) {
    // A connection that broke; a disk that is full is ours to tell.
    if (bytes.destroyed && (error as NodeJS.ErrnoException).code !== 'ENOSPC') outcome = 'broken'
    else throw error
  }
  await handle.datasync()
  return { outcome, offset: at }
}

/** Held by one at a time, over all processes of this machine. */
async function lock(file: string): Promise<(() => Promise<void>) | undefined> {
  const name = lockOf(file)
  for (let attempt = 1; attempt <= 2; attempt += 1) {
    const handle = await open(name, 'wx').catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    })
    if (handle) {
      await handle.close()
      return () => rm(name, { force: true })
    }
    const held = await stat(name).catch(absent)
    if (held && Date.now() - held.mtimeMs < LOCK_STALE_MS) return undefined
    await rm(name, { force: true })
  }
  return undefined
}

const lockOf = (file: string) => `${file}.lock`

/** A name counts only once its folder has reached the disk, too. */
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
