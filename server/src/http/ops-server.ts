/** The operators' port: liveness, readiness and metrics. Never expose it publicly. */
import { createServer, type Server } from 'node:http'
import type { Metrics } from '../kit/metrics.ts'
import type { Readiness } from './readiness.ts'

export function buildOpsServer(parts: { metrics: Metrics; ready(): Promise<Readiness> }): Server {
  return createServer((request, response) => {
    const send = (status: number, body: unknown) => {
      response
        .writeHead(status, { 'content-type': 'application/json' })
        .end(`${JSON.stringify(body)}\n`)
    }
    const answer = async () => {
      if (request.url === '/healthz') return send(200, { status: 'ok' })
      if (request.url === '/readyz') {
        const { checks, reasons } = await parts.ready()
        const isReady = Object.values(checks).every(Boolean)
        const status = isReady ? 'ready' : 'not ready'
        return send(isReady ? 200 : 503, { status, checks, reasons })
      }
      if (request.url === '/metrics') {
        const text = await parts.metrics.registry.metrics()
        response.writeHead(200, { 'content-type': parts.metrics.registry.contentType }).end(text)
        return
      }
      send(404, { error: 'This port serves /healthz, /readyz and /metrics' })
    }
    answer().catch((error: unknown) => send(500, { error: String(error) }))
  })
}
