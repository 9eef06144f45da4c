/**
 * Replace an agent's keys with the mailed recovery link. All its keys, live and test, and all other recovery links end
 * in the same transaction. Console sessions end with their keys.
 *
 *   called by   anyone who has the link; the console page that it opens
 *   moves       the agent's email: unverified → verified
 *   money       none
 *   event       agent.mail_requested (ours, not sent to webhooks)
 */
import { z } from 'zod'
import { invalidMailLink } from '../email/errors.ts'
import type { Db, Tx } from '../kit/db.ts'
import { answerWith, endpoint } from '../kit/endpoint.ts'
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

  transaction: 'own',
  async handler({ db, body, now, warnings, once }) {
    const { token } = body
    await deleteSessions(db, { token, now })
    return once(async (tx) => answerWith(200, await replaceKeys(tx, { token, now }), warnings))
  },
})

/**
 * Deletes the sessions before their keys end, because they are in the global schema and the new keys must not be lost
 * if this fails. If only this happens, people log in to the console again.
 */
async function deleteSessions(db: Db, { token, now }: { token: string; now: Date }) {
  const link = await findLink(db.reader, { token, purpose: 'recover' })
  if (link === undefined || link.used_at !== null || link.expires_at <= now) return
  const agentIds = [link.agent_id, link.twin_id]
  await db.shards.global.transaction((tx) =>
    tx.deleteFrom('console_sessions').where('agent_id', 'in', agentIds).execute(),
  )
}

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
