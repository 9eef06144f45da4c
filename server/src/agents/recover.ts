/**
 * Email a key recovery link to the agent. The response doesn't reveal whether an agent with that address exists.
 *
 *   called by   anyone; the console page for lost keys
 *   moves       nothing
 *   money       none
 *   event       agent.mail_requested (ours, not sent to webhooks)
 */
import { z } from 'zod'
import type { Shards, Tx } from '../kit/db.ts'
import { endpoint, type RunAt } from '../kit/endpoint.ts'
import { shardOfUnknown } from '../kit/secrets.ts'
import { requestAgentMail } from '../webhooks/record-event.ts'
import { Email } from './fields.ts'

export const recover = endpoint({
  method: 'POST',
  path: '/agents/recover',
  name: 'recoverAgent',
  auth: 'none',
  access: { by: 'anyone' },
  limits: ['recover'],
  summary: 'Email a link to a new API key',
  description:
    'For an agent that has lost its key. The response and its timing are the same whether or ' +
    'not an agent has this email. The link opens a page of the console; POST ' +
    '/agents/recover/confirm accepts its token. It works once, for an hour, and only the ' +
    'newest link is valid. All keys keep working until it is used.',
  body: z.object({ email: Email.describe('The email that the agent was registered with') }),
  success: { status: 202, body: z.object({ message: z.string() }) },
  errors: [],

  async handler({ tx, body, shards, runAt, now }) {
    await requestRecovery(tx, { email: body.email, shards, runAt, now })
    return {
      message: 'If an agent has this email, we have sent it a link to a new key',
    }
  },
})

/** Does the same reads and writes for an unknown address, against timing attacks. The difference is left to a job. */
async function requestRecovery(
  tx: Tx,
  { email, shards, runAt, now }: { email: string; shards: Shards; runAt: RunAt; now: Date },
): Promise<void> {
  const owner = await tx
    .selectFrom('agent_emails')
    .select('agent_id')
    .where('email', '=', email.toLowerCase())
    .executeTakeFirst()
  const agentId = owner?.agent_id
  const shard = agentId === undefined ? shards.of(shardOfUnknown(email)) : shards.at(agentId)
  await runAt(shard, (own) => requestAgentMail(own, { agentId, template: 'recover', now }))
}
