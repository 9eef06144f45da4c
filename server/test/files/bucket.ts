import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

/**
 * `full`, `busy` and `broken` are S3 error statuses; a silent bucket never responds, a cut one closes the connection.
 */
export type Fault = 'none' | 'full' | 'busy' | 'broken' | 'denied' | 'silent' | 'cut' | 'cut body'
const STATUSES: Partial<Record<Fault, number>> = { full: 507, busy: 503, broken: 500, denied: 403 }

/** The part of S3 that the store needs, on loopback, with fault injection. `npm run test:s3` uses a real one. */
export async function openBucket() {
  const objects = new Map<string, Buffer>()
  let fault: Fault = 'none'
  const server = createServer((request, response) => {
    const key = request.url!.split('?')[0]!
    if (fault === 'silent') return
    if (fault === 'cut') return void request.socket.destroy()
    const status = STATUSES[fault]
    if (status !== undefined) {
      request.resume()
      return void response.writeHead(status).end(`<Error><Code>${fault}</Code></Error>`)
    }
    void answer().catch(() => request.socket.destroy())

    async function answer(): Promise<void> {
      if (request.method === 'PUT') {
        objects.set(key, await buffer(request))
        return void response.writeHead(200).end()
      }
      if (request.method === 'DELETE') {
        objects.delete(key)
        return void response.writeHead(204).end()
      }
      const object = objects.get(key)
      if (object === undefined) return void response.writeHead(404).end()
      response.writeHead(200, { 'content-length': object.length })
      if (request.method === 'HEAD') return void response.end()
      if (fault !== 'cut body') return void response.end(object)
      response.write(object.subarray(0, object.length - 1), () => request.socket.destroy())
    }
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo

  return {
    settings: {
      S3_BUCKET: 'proofs',
      S3_REGION: 'us-east-1',
      S3_ENDPOINT: `http://127.0.0.1:${port}`,
      S3_ACCESS_KEY_ID: 'key',
      S3_SECRET_ACCESS_KEY: 'secret',
      S3_SILENCE_MAX_MS: 700,
    },
    objects,
    set(next: Fault) {
      fault = next
    },
    async stop(): Promise<void> {
      server.closeAllConnections()
      server.close()
    },
  }
}
