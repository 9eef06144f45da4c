/**
 * Object to a suspension or the closing of an account.
 *
 *   called by   anyone who has the mailed link, once; sending the same text again returns the same response
 *   moves       nothing yet: an operator replies within 14 days, or the worker is reinstated
 *   money       none
 *   event       none
 */
import { z } from 'zod'
import type { Config } from '../config.ts'
import type { Tx } from '../kit/db.ts'
import { endpoint } from '../kit/endpoint.ts'
import { type Decision, decisionInForce, findByLink, lockWorker } from './decisions.ts'
import { invalidMailLink } from '../email/errors.ts'
import { decisionEnded, objectionUsed } from './errors.ts'
import { LinkToken } from './links.ts'
import { DecisionView, viewDecision } from './show-decision.ts'

const DAY_MS = 86_400_000
/** Twice that of other public endpoints: each of the 4,000 characters can be a JSON escape of 6 bytes. */
const BODY_MAX_BYTES = 32_768

export const fileObjection = endpoint({
  method: 'POST',
  path: '/worker/objections',
  name: 'createObjection',
  auth: 'none',
  access: { by: 'mailed link' },
  summary: 'Object to the suspension or closure of your account',
  description:
    'Each decision allows one objection. We reply by email. If nobody replies within two ' +
    'weeks, the account is reinstated.',
  body: z.object({
    token: LinkToken,
    statement: z.string().trim().min(1).max(4000).describe('Read by an operator'),
  }),
  bodyMaxBytes: BODY_MAX_BYTES,
  success: { status: 201, body: z.object({ decision: DecisionView }) },
  errors: [invalidMailLink, objectionUsed, decisionEnded],

  async handler({ tx, body, config, now }) {
    const decision = await objectToDecision(tx, { ...body, config, now })
    return { decision: await viewDecision(tx, decision) }
  },
})

export async function objectToDecision(
  tx: Tx,
  {
    token,
    statement,
    config,
    now,
  }: { token: string; statement: string; config: Config; now: Date },
): Promise<Decision> {
  const found = await findByLink(tx, { token, now })
  if (found === undefined) throw invalidMailLink()
  await lockWorker(tx, found.worker_id)
  const decision = await decisionInForce(tx, found.worker_id)
  if (decision?.id !== found.id) throw decisionEnded()
  if (decision.objection === statement) return decision
  if (decision.objection !== null) throw objectionUsed()

  const reply_due_at = new Date(now.getTime() + config.OBJECTION_REPLY_DAYS * DAY_MS)
  const { due_at } = decision
  return tx
    .updateTable('worker_decisions')
    .set({
      objection: statement,
      objected_at: now,
      reply_due_at,
      due_at: due_at !== null && due_at < reply_due_at ? due_at : reply_due_at,
    })
    .where('id', '=', decision.id)
    .returningAll()
    .executeTakeFirstOrThrow()
}
