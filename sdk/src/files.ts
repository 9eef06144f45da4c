/** Saves proofs to disk in Node, Deno and Bun: `@legwork/sdk/node`. */
import { createWriteStream } from 'node:fs'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { SaveProofs } from './tasks.ts'

/** File extensions by media type. A name that a worker chose never becomes part of a path. */
const ENDINGS: Record<string, string> = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/webp': 'webp',
  'image/gif': 'gif',
  'image/avif': 'avif',
  'image/heic': 'heic',
  'video/mp4': 'mp4',
  'video/webm': 'webm',
  'video/quicktime': 'mov',
  'audio/mp4': 'm4a',
  'audio/mpeg': 'mp3',
  'audio/ogg': 'ogg',
  'audio/wav': 'wav',
  'audio/webm': 'weba',
}

/**
 * Saves the files of a task's proofs to a folder, creating it if needed, and each proof's text and answer as JSON
 * beside them. Returns the paths. Calling it again overwrites the same files.
 */
export const saveProofs: SaveProofs = async (
  tasks,
  taskId,
  folder,
  { proofId, ...options } = {},
) => {
  // Get new links, because those that came with the task may have expired.
  const { task_id, proofs } = await tasks.proof(taskId, { media: 'url' }, options)
  await mkdir(folder, { recursive: true })
  const saved: string[] = []
  let number = 0
  for (const [i, { photos: _, media, ...said }] of proofs.entries()) {
    const isWanted = proofId === undefined || proofId === said.id
    for (const { url, content_type } of media) {
      number += 1
      if (!isWanted) continue
      const file = path.join(folder, `${task_id}-${number}.${ENDINGS[content_type] ?? 'bin'}`)
      const response = await tasks.download(url, options)
      await write(file, response.body!)
      saved.push(file)
    }
    if (!isWanted) continue
    const file = path.join(folder, `${task_id}-proof-${i + 1}.json`)
    await writeFile(file, `${JSON.stringify(said, null, 2)}\n`)
    saved.push(file)
  }
  return saved
}

/** Writes to a temporary name first, so that no partial file has the final name. */
async function write(file: string, body: ReadableStream): Promise<void> {
  const part = `${file}.part`
  try {
    await pipeline(Readable.fromWeb(body as never), createWriteStream(part))
    await rename(part, file)
  } catch (error) {
    await rm(part, { force: true })
    throw error
  }
}
