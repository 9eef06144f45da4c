/**
 * The bare loop of `npm run bench:webhooks`, in a separate process: the same HTTP client signs and posts the same
 * bodies to the same receivers over as many connections, and does nothing else.
 */
import { createHmac, createSecretKey } from 'node:crypto'
import { createSecureContext } from 'node:tls'
import { Agent } from 'undici'

export interface SenderOrder {
  lanes: { url: string; secret: string; bodies: { id: string; text: string }[] }[]
  /** Concurrent requests, and connections, per receiver. */
  concurrency: number
  /** CA that the receiver's certificate is verified against. */
  ca?: string
  /** Opens a new connection for each request. */
  connectsEachTime?: boolean
}

export interface SenderReport {
  seconds: number
}

if (import.meta.main) {
  process.once('disconnect', () => process.exit())
  process.on('message', (order: SenderOrder) => {
    void sendAll(order).then((report) => process.send!(report))
  })
  process.send!('ready')
}

async function sendAll({
  lanes,
  concurrency,
  ca,
  connectsEachTime,
}: SenderOrder): Promise<SenderReport> {
  const agent = new Agent({
    connections: concurrency,
    allowH2: false,
    ...(connectsEachTime ? { pipelining: 0 } : {}),
    // Same as the server: one secure context, and no TLS session reuse.
    maxCachedSessions: 0,
    ...(ca === undefined ? {} : { connect: { secureContext: createSecureContext({ ca }) } }),
  })
  const began = performance.now()
  await Promise.all(
    lanes.flatMap((lane) => {
      const { origin, pathname: path } = new URL(lane.url)
      const key = createSecretKey(Buffer.from(lane.secret.slice('whsec_'.length), 'base64'))
      let next = 0
      const sendOn = async () => {
        while (next < lane.bodies.length) {
          const { id, text } = lane.bodies[next++]!
          const timestamp = String(Math.floor(Date.now() / 1000))
          const signed = createHmac('sha256', key).update(`${id}.${timestamp}.${text}`)
          const { statusCode, body } = await agent.request({
            origin,
            path,
            method: 'POST',
            headers: {
              'content-type': 'application/json',
              'user-agent': 'bench',
              'webhook-id': id,
              'webhook-timestamp': timestamp,
              'webhook-signature': `v1,${signed.digest('base64')}`,
            },
            body: text,
          })
          await body.dump()
          if (statusCode !== 200) throw new Error(`${origin} answered ${statusCode}`)
        }
      }
      return Array.from({ length: concurrency }, sendOn)
    }),
  )
  const seconds = (performance.now() - began) / 1000
  await agent.close()
  return { seconds }
}
