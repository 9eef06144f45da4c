/**
 * Responses sent before the whole body has arrived: a refused upload, a full disk, a wrong key. The rest of the body
 * must neither stay in the connection, where it would block the next request, nor be parsed as that request.
 */
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/** A body of at most this many bytes is read to its end and discarded, and the connection stays open. */
const DISCARD_MAX_BYTES = 65_536
/** A closing connection is still read for this long, so that the client can finish sending and read the response. */
const LINGER_MS = 5_000
const LINGER_MAX_BYTES = 67_108_864

export function closeUnread(server: FastifyInstance): void {
  server.addHook('onSend', async ({ raw }, reply) => {
    if (raw.complete !== false || isShort(raw)) {
      // Node does not discard a body that a handler started to read and abandoned.
      reply.raw.once('finish', () => raw.resume())
      return
    }
    reply.header('connection', 'close')
    const { socket } = raw
    // Node would close the socket right after the response. Closing it with unread bytes resets the connection, and
    // the client could lose the response.
    socket.destroySoon = () => linger(socket)
  })
}

const isShort = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] === undefined &&
  Number(headers['content-length'] ?? 0) <= DISCARD_MAX_BYTES

/** Half-closes the connection, then discards incoming data until the client closes its side. */
function linger(socket: Socket): void {
  socket.end()
  const timer = setTimeout(() => socket.destroy(), LINGER_MS)
  socket.once('close', () => clearTimeout(timer))
  socket.once('end', () => socket.destroy())
  // The socket is paused if its body was never read.
  socket.resume()
  process.nextTick(() => discard(socket))
}

/** Detaches the socket from the HTTP parser: the rest could contain a request that can't get a response. */
function discard(socket: Socket): void {
  let discarded = 0
  socket.removeAllListeners('data')
  socket.on('data', (chunk: Buffer) => {
    discarded += chunk.length
    if (discarded > LINGER_MAX_BYTES) socket.destroy()
  })
}
