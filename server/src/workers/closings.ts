/**
 * Closing an account at its owner's request. The request waits for a grace period, in which the worker can keep the
 * account, and for all that is open: work, disputes and earned money. Then the clock closes the account
 * (close-accounts.ts).
 */
import { sql } from 'kysely'
import { z } from 'zod'
import type { Config } from '../config.ts'
import type { Reader, Tx } from '../kit/db.ts'
import { named } from '../kit/named.ts'
import { closedIfOpenedBy } from './appeal-window.ts'
import { PayoutStatus, payoutStatusOf } from './profile.ts'
import type { Worker } from './queries.ts'

export const DAY_MS = 86_400_000

/** No mail server accepts it: `.invalid` is reserved. */
export const erasedEmail = (workerId: string) => `${workerId}@closed.invalid`

/** Cancels a request to close the account. Undefined if there is none. */
export async function cancelClosing(
  tx: Tx,
  { workerId, now }: { workerId: string; now: Date },
): Promise<Worker | undefined> {
  const worker = await tx
    .updateTable('workers')
    .set({ closing_at: null, closes_at: null, updated_at: now })
    .where('id', '=', workerId)
    .where('closing_at', 'is not', null)
    .returningAll()
    .executeTakeFirst()
  if (worker !== undefined)
    await tx.deleteFrom('worker_closings').where('worker_id', '=', workerId).execute()
  return worker
}

export const ClosingView = named(
  'AccountClosing',
  z.object({
    requested_at: z.string().nullable().describe('null: you have not asked to close your account'),
    closes_at: z
      .string()
      .nullable()
      .describe('The account is closed from then on, as soon as nothing is open'),
    closes_anyway_at: z
      .string()
      .nullable()
      .describe('The account is closed by then even if we still owe you money; we keep owing it'),
    grace_days: z.int().describe('How long you can still keep your account after asking'),
    tasks_in_progress: z.int().describe('Submit or release them before you ask'),
    under_review: z.int().describe('Work that is reviewed and paid before the account is closed'),
    disputes: z.int().describe('Disputes that you have appealed or still can'),
    owed_cents: z.int().describe('Earned and not yet paid out'),
    payout_status: PayoutStatus,
  }),
)

export interface OpenItems {
  tasks_in_progress: number
  under_review: number
  disputes: number
  owed_cents: number
  /** Payouts on their way. Unlike other money owed, they end without the worker. */
  in_transit: number
}

/** All that has to end before the account can be closed. */
export async function openItems(
  db: Reader,
  { workerId, config, now }: { workerId: string; config: Pick<Config, 'APPEAL_HOURS'>; now: Date },
): Promise<OpenItems> {
  const { rows } = await sql<OpenItems>`
    select work.*, l.payable_cents + pay.transit_cents as owed_cents, pay.in_transit
      from ledger_workers l,
           (select count(*) filter (where a.status = 'accepted')::integer as tasks_in_progress,
                   count(*) filter (where a.status = 'submitted')::integer as under_review,
                   count(*) filter (where a.status = 'disputed' and coalesce(
                     (select bool_or(p.ruling is null) from worker_appeals p
                       where p.task_id = a.task_id and p.assignment_id = a.id),
                     a.ended_at > ${closedIfOpenedBy(now, config)}))::integer as disputes
              from worker_assignments a
             where a.worker_id = ${workerId} and a.status in ('accepted', 'submitted', 'disputed')) work,
           (select count(*) filter (where account_id is not null)::integer as in_transit,
                   coalesce(sum(amount_cents) filter (where account_id is not null), 0)::bigint as transit_cents
              from payouts
             where worker_id = ${workerId}
               and status in ('requested', 'submitting', 'awaiting_funds', 'awaiting_account')) pay
     where l.worker_id = ${workerId}`.execute(db)
  return rows[0]!
}

export async function viewClosing(
  db: Reader,
  worker: Pick<Worker, 'id' | 'closing_at' | 'closes_at'>,
  { config, now }: { config: Config; now: Date },
): Promise<z.input<typeof ClosingView>> {
  const { in_transit: _, ...open } = await openItems(db, { workerId: worker.id, config, now })
  return {
    requested_at: worker.closing_at?.toISOString() ?? null,
    closes_at: worker.closes_at?.toISOString() ?? null,
    closes_anyway_at: worker.closing_at && closesAnywayAt(worker.closing_at, config).toISOString(),
    grace_days: config.ACCOUNT_CLOSING_DAYS,
    ...open,
    payout_status: await payoutStatusOf(db, worker.id),
  }
}

export const closesAnywayAt = (
  closingAt: Date,
  {
    ACCOUNT_CLOSING_DAYS,
    ACCOUNT_CLOSING_MAX_DAYS,
  }: Pick<Config, 'ACCOUNT_CLOSING_DAYS' | 'ACCOUNT_CLOSING_MAX_DAYS'>,
) =>
  new Date(closingAt.getTime() + Math.max(ACCOUNT_CLOSING_DAYS, ACCOUNT_CLOSING_MAX_DAYS) * DAY_MS)
