/** Receives webhooks: verifies each one, responds immediately and processes each event once. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { verifyWebhook, WebhookVerificationError } from '@legwork/sdk'

const secret = process.env.LEGWORK_WEBHOOK_SECRET!
const known = new Set<string>()

async function take(request: IncomingMessage, response: ServerResponse) {
  try {
    // Verify the raw bytes: they are what was signed.
    const event = await verifyWebhook(await buffer(request), request.headers, secret)
    response.writeHead(204).end()
    // The same event can be delivered twice.
    if (known.has(event.id)) return
    known.add(event.id)
    if (event.type === 'task.proof_submitted') console.log(`look at ${event.data.task.id}`)
    else console.log(event.type)
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error
    response.writeHead(401).end()
    console.log(`refused: ${error.message}`)
  }
}

createServer((request, response) => void take(request, response)).listen(
  Number(process.env.PORT ?? 3000),
  '127.0.0.1',
)
