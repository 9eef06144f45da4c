/**
 * Delete accounts of workers who never verified their email. Anybody can create such accounts without a credential, so
 * they must not pile up.
 *
 *   called by   the clock, every night
 *   moves       the worker: unverified → deleted, UNVERIFIED_WORKER_DAYS after the registration
 *   money       none; an account with money or work is not deleted
 *   event       none
 */
import { z } from 'zod'
import { call } from '../kit/call.ts'
import type { Db } from '../kit/db.ts'
import { job } from '../kit/job.ts'

const DELETED_TOGETHER = 500

export const removeUnverified = job({
  name: 'workers.remove-unverified',
  payload: z.unknown(),
  attemptsMax: 3,
  schedule: '41 3 * * *',

  async run({ db, clock, config }) {
    const before = new Date(clock.now().getTime() - config.UNVERIFIED_WORKER_DAYS * 86_400_000)
    for (;;) {
      const found = await findUnverified(db, before)
      await removeAccounts(db, found)
      if (found.length < DELETED_TOGETHER) return
    }
  },
})

interface Unverified {
  id: string
  email: string
}

/** Oldest first, without accounts that have a balance, an assignment or an operator's decision. */
const findUnverified = ({ reader }: Db, before: Date): Promise<Unverified[]> =>
  reader
    .selectFrom('workers')
    .innerJoin('ledger_workers', 'ledger_workers.worker_id', 'workers.id')
    .select(['workers.id', 'workers.email'])
    .where('workers.status', '=', 'unverified')
    .where('workers.mode', '=', 'live')
    .where('workers.created_at', '<', before)
    // Required by ledger_forget_workers.
    .where('payable_cents', '=', 0)
    .where('receivable_cents', '=', 0)
    .where('statement_no', '=', 0)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('worker_assignments')
            .select('worker_assignments.id')
            .whereRef('worker_assignments.worker_id', '=', 'workers.id'),
        ),
      ),
    )
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('worker_decisions')
            .select('worker_decisions.id')
            .whereRef('worker_decisions.worker_id', '=', 'workers.id'),
        ),
      ),
    )
    .orderBy('workers.created_at')
    .limit(DELETED_TOGETHER)
    .execute()

/**
 * The addresses are released first: if the process stops in between, the next run deletes the accounts, whereas nothing
 * would find an address whose account is gone. An account that is verified in between gets its address back.
 */
async function removeAccounts(db: Db, found: Unverified[]): Promise<void> {
  if (found.length === 0) return
  const { global } = db.shards
  const owned = found.map(({ id, email }) => ({ worker_id: id, email: email.toLowerCase() }))
  const ids = owned.map(({ worker_id }) => worker_id)
  const emails = owned.map(({ email }) => email)
  await global.transaction((tx) =>
    tx
      .deleteFrom('worker_emails')
      .where('worker_id', 'in', ids)
      .where('email', 'in', emails)
      .execute(),
  )
  const removed = await call(db, 'workers_remove_unverified', { p_workers: ids })
  const gone = new Set(removed.map(({ worker_id }) => worker_id))
  const verified = owned.filter(({ worker_id }) => !gone.has(worker_id))
  if (verified.length === 0) return
  await global.transaction((tx) =>
    tx
      .insertInto('worker_emails')
      .values(verified)
      .onConflict((conflict) => conflict.doNothing())
      .execute(),
  )
}
