/** The street map: one large file, of which the app reads only the ranges it shows. */
import { type FileHandle, open } from 'node:fs/promises'
import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyReply } from 'fastify'
import { readRange } from '../files/range.ts'
import { isKnown } from './etags.ts'

export async function sendMap(
  reply: FastifyReply,
  file: string,
  asked: IncomingHttpHeaders,
): Promise<FastifyReply> {
  const handle = await open(file)
  try {
    return await sendPiece(reply, handle, asked)
  } catch (error) {
    await handle.close()
    throw error
  }
}

async function sendPiece(
  reply: FastifyReply,
  handle: FileHandle,
  asked: IncomingHttpHeaders,
): Promise<FastifyReply> {
  const { size, mtimeMs } = await handle.stat()
  const etag = `"${size.toString(36)}-${Math.floor(mtimeMs).toString(36)}"`
  // Ranges of two map versions don't fit together: a client that has parts of an older one gets the whole new file.
  const ifRange = asked['if-range'] ?? etag
  const range =
    ifRange === etag && reply.request.method === 'GET' ? readRange(asked.range, size) : undefined

  reply.headers({
    // The app detects a replaced map by its ETag, even if it has cached ranges.
    'cache-control': 'public, max-age=86400',
    'accept-ranges': 'bytes',
    'content-type': 'application/vnd.pmtiles',
    etag,
  })
  if (isKnown(asked['if-none-match'], etag)) {
    await handle.close()
    return reply.code(304).send()
  }
  const { start, end } = range ?? { start: 0, end: size - 1 }
  reply.code(range ? 206 : 200).header('content-length', String(end - start + 1))
  if (range) reply.header('content-range', `bytes ${start}-${end}/${size}`)
  if (reply.request.method === 'HEAD') {
    await handle.close()
    return reply.send()
  }
  return reply.send(handle.createReadStream(range ?? {}))
}
