/** Take webhooks: check that they are ours, answer at once, do each thing once. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { verifyWebhook, WebhookVerificationError } from '@legwork/sdk'

const secret = process.env.LEGWORK_WEBHOOK_SECRET!
const known = new Set<string>()

async function take(request: IncomingMessage, response: ServerResponse) {
  try {
    // The body to the byte, as it was signed.
    const event = await verifyWebhook(await buffer(request), request.headers, secret)
    response.writeHead(204).end()
    // The same event may come twice.
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
