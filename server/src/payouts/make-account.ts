import type { Config } from '../config.ts'
import type { Db, Tx } from '../kit/db.ts'
import { reached } from '../kit/crash-points.ts'
import type { Processor } from '../processor/client.ts'
import type { Outcome } from '../processor/outcome.ts'
import { nextLook } from '../processor/next-look.ts'
import { callingWorker } from '../workers/queries.ts'
import { accountOf, type PayoutAccount } from './queries.ts'

interface MakeAccount {
  db: Db
  config: Config
  processor: Processor
  now: Date
}

/** Inserts the worker's row before the processor is called, so that a retry after a crash requests the same account. */
export async function recordAccount(
  tx: Tx,
  { workerId, country, now }: { workerId: string; country: string; now: Date },
): Promise<PayoutAccount> {
  const { email, name } = await callingWorker(tx, workerId)
  await tx
    .insertInto('payout_accounts')
    .values({
      worker_id: workerId,
      country,
      email,
      name,
      check_at: nextLook(now, now),
      created_at: now,
      updated_at: now,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return (await accountOf(tx, workerId))!
}

/** Opens the account at the processor. Idempotent: retries return the worker's one account. */
export async function makeAccount(
  { db, config, processor, now }: MakeAccount,
  row: PayoutAccount,
): Promise<Outcome<PayoutAccount>> {
  const { worker_id: workerId, email, name, country, replaced_count: replacedCount } = row
  const made = await processor.createAccount({ workerId, email, name, country, replacedCount })
  if (made.kind !== 'ok') return made
  reached(config, 'account.made')
  await db.transaction((tx) =>
    tx
      .updateTable('payout_accounts')
      .set({ account_id: made.value.id, check_at: nextLook(now, now), updated_at: now })
      .where('worker_id', '=', workerId)
      .where('account_id', 'is', null)
      .execute(),
  )
  return { kind: 'ok', value: (await accountOf(db.reader, workerId))! }
}

/** Until the account exists, the worker may choose another country. */
export async function changeCountry(
  tx: Tx,
  { workerId, country, now }: { workerId: string; country: string; now: Date },
): Promise<PayoutAccount> {
  await tx
    .updateTable('payout_accounts')
    .set({ country, updated_at: now })
    .where('worker_id', '=', workerId)
    .where('account_id', 'is', null)
    .execute()
  return (await accountOf(tx, workerId))!
}
