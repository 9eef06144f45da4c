/**
 * Show the decision behind a mailed link: the state of an objection, unpaid money, and disputes to appeal.
 *
 *   called by   anyone who has the link; the page that it opens
 *   moves       nothing
 *   money       none
 *   event       none
 */
import { z } from 'zod'
import type { Reader } from '../kit/db.ts'
import { endpoint } from '../kit/endpoint.ts'
import { named } from '../kit/named.ts'
import { type Decision, findByLink } from './decisions.ts'
import { invalidMailLink } from '../email/errors.ts'
import { LinkToken } from './links.ts'
import { tasksOf } from './mail-decision.ts'
import { PayoutStatus, payoutStatusOf } from './profile.ts'
import { ShutOutDispute, shutOutDisputes } from './shut-out-disputes.ts'

export const DecisionView = named(
  'AccountDecision',
  z.object({
    kind: z.enum(['suspended', 'closed']),
    reason: z.string(),
    tasks: z
      .array(z.object({ id: z.string(), title: z.string() }))
      .describe('The tasks that the decision is based on'),
    decided_at: z.string(),
    ends_at: z.string().nullable().describe('When a suspension ends; null for a closed account'),
    ended_at: z.string().nullable().describe('When the account became active again'),
    objected_at: z.string().nullable(),
    reply_by: z
      .string()
      .nullable()
      .describe('If nobody replies by then, the account is reinstated'),
    reply: z.enum(['upheld', 'reinstated']).nullable(),
    reply_note: z.string().nullable(),
  }),
)

export const showDecision = endpoint({
  method: 'GET',
  path: '/worker/objections',
  name: 'getDecision',
  auth: 'none',
  access: { by: 'mailed link' },
  summary: 'Show the decision behind an emailed link',
  description:
    'For a worker whose account is suspended or closed and who therefore has no session. The ' +
    'token is from the link in the email, or from `objection_url` in the response to a login.',
  query: z.object({ token: LinkToken }),
  success: {
    status: 200,
    body: z.object({
      decision: DecisionView,
      payable_cents: z.int().describe('Earned, but not paid out yet'),
      payout_status: PayoutStatus.describe(
        'Payouts need an active account: POST /worker/objections/payout-account',
      ),
      disputes: z
        .array(ShutOutDispute)
        .describe('Disputes that can be appealed, and appeals since the decision'),
    }),
  },
  errors: [invalidMailLink],

  async handler({ db, query, config, now }) {
    const decision = await findByLink(db, { token: query.token, now })
    if (decision === undefined) throw invalidMailLink()
    return {
      decision: await viewDecision(db, decision),
      payable_cents: await payableOf(db, decision.worker_id),
      payout_status: await payoutStatusOf(db, decision.worker_id),
      disputes: await shutOutDisputes(db, decision, { config, now }),
    }
  },
})

async function payableOf(db: Reader, workerId: string): Promise<number> {
  const ledger = await db
    .selectFrom('ledger_workers')
    .select('payable_cents')
    .where('worker_id', '=', workerId)
    .executeTakeFirst()
  return ledger?.payable_cents ?? 0
}

export async function viewDecision(
  db: Reader,
  decision: Decision,
): Promise<z.input<typeof DecisionView>> {
  const { kind, reason, decided_at, ends_at, ended_at, objected_at, reply_due_at } = decision
  return {
    kind,
    reason,
    tasks: await tasksOf(db, decision),
    decided_at: decided_at.toISOString(),
    ends_at: ends_at?.toISOString() ?? null,
    ended_at: ended_at?.toISOString() ?? null,
    objected_at: objected_at?.toISOString() ?? null,
    reply_by: reply_due_at?.toISOString() ?? null,
    reply: decision.reply,
    reply_note: decision.reply_note,
  }
}
