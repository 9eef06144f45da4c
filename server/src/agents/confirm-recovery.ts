/**
 * Replace an agent's keys with the mailed recovery link. All its keys, live and test, all console sessions and all
 * other recovery links end in the same transaction.
 *
 *   called by   anyone who has the link; the console page that it opens
 *   moves       the agent's email: unverified → verified
 *   money       none
 *   event       agent.mail_requested (ours, not sent to webhooks)
 */
import { z } from 'zod'
import { invalidMailLink } from '../email/errors.ts'
import type { Tx } from '../kit/db.ts'
import { endpoint } from '../kit/endpoint.ts'
import { requestAgentMail } from '../webhooks/record-event.ts'
import { endAllKeys, issueKey } from './keys.ts'
import { endLinks, findLink, LinkToken } from './mail-links.ts'
import { setVerified } from './verify-email.ts'

export const confirmRecovery = endpoint({
  method: 'POST',
  path: '/agents/recover/confirm',
  name: 'confirmRecovery',
  auth: 'none',
  access: { by: 'mailed link once' },
  summary: 'Replace your agent’s lost keys, with the token from an emailed link',
  description:
    'The new keys are shown only once. All other keys of the agent, live and test, and all ' +
    'console sessions end. The wallet, tasks, webhook settings and webhook secret stay the ' +
    'same: if someone else had your key, also rotate the secret with POST ' +
    '/webhooks/rotate-secret.',
  body: z.object({ token: LinkToken }),
  success: {
    status: 200,
    body: z.object({
      agent: z.object({
        id: z.string(),
        name: z.string(),
        api_key: z.string(),
        test_api_key: z.string(),
      }),
      keys_ended: z.int().describe('Number of keys that worked until now, in both modes'),
    }),
  },
  errors: [invalidMailLink],
  isSecret: true,

  handler: ({ tx, body, now }) => replaceKeys(tx, { token: body.token, now }),
})

async function replaceKeys(tx: Tx, { token, now }: { token: string; now: Date }) {
  const link = await findLink(tx, { token, purpose: 'recover' })
  if (link === undefined) throw invalidMailLink()
  const { agent_id: liveId, twin_id: testId, name } = link
  const agentIds = [liveId, testId]
  // Lock the agents before using up the link: this serializes two links of one agent, and a concurrent request that
  // creates a key with one of the old keys.
  await tx
    .selectFrom('agents')
    .select('id')
    .where('id', 'in', agentIds)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  await useLink(tx, { tokenHash: link.token_hash, now })
  await endLinks(tx, { agentId: liveId, purpose: 'recover', now })

  const keys_ended = await endAllKeys(tx, { agentIds, now })
  await tx.deleteFrom('console_sessions').where('agent_id', 'in', agentIds).execute()
  const live = await issueKey(tx, { agentId: liveId, mode: 'live', name: 'recovered key', now })
  const test = await issueKey(tx, {
    agentId: testId,
    mode: 'test',
    name: 'recovered test key',
    now,
  })
  await setVerified(tx, { agentIds, now })
  await requestAgentMail(tx, { agentId: liveId, template: 'recovered', now })
  return {
    agent: { id: liveId, name, api_key: live.key, test_api_key: test.key },
    keys_ended,
  }
}

/** When two requests use the same link concurrently, only the first succeeds. */
async function useLink(
  tx: Tx,
  { tokenHash, now }: { tokenHash: string; now: Date },
): Promise<void> {
  const { numUpdatedRows } = await tx
    .updateTable('agent_tokens')
    .set({ used_at: now })
    .where('token_hash', '=', tokenHash)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw invalidMailLink()
}
