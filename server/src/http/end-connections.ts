import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/**
 * Ends keep-alive connections without losing a request. While the process drains, each response says
 * `connection: close`, so the client or balancer sends its next request over a new connection, to another process.
 * When the listener closes, Node ends the idle connections; connections that never carried a request are ended here,
 * because Node would wait a minute for them.
 */
export function endConnections(server: FastifyInstance, draining: AbortSignal): void {
  server.addHook('onSend', async (_, reply) => {
    if (draining.aborted) reply.header('connection', 'close')
  })

  const unused = new Set<Socket>()
  server.server.on('connection', (socket) => {
    unused.add(socket)
    socket.once('close', () => unused.delete(socket))
  })
  server.server.on('request', ({ socket }) => unused.delete(socket))
  server.addHook('preClose', async () => {
    for (const socket of unused) if (socket.bytesRead === 0) socket.destroy()
  })
}
