/**
 * One case for each kind of decision that has a limit: a decision far above the limit, or several below it, what it
 * changes, and how code that forgot the second person would change it, as the application's role in the database.
 */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import { shardOf } from '../../src/kit/ids.ts'
import type { Db } from '../../src/kit/db.ts'
import { postEntry } from '../../src/ledger/journal.ts'
import { chargeback } from '../../src/ledger/movements.ts'
import { decideHeldDispute } from '../../src/disputes/decide-held-dispute.ts'
import { ruleOnAppeal } from '../../src/disputes/rule-on-appeal.ts'
import { requestWithdrawal } from '../../src/payouts/withdraw.ts'
import { refundAgent } from '../../src/wallet/request-refund.ts'
import { writeOffDebt } from '../../src/wallet/write-off.ts'
import { shutOutWorker } from '../../src/workers/shut-out.ts'
import type { Marketplace } from '../harness.ts'
import { heldDispute } from '../held-disputes.ts'

/** The limit of every kind about money, as the migrations set it. */
export const OVER_CENTS = 20_000
const LARGE_CENTS = 30_000
const SMALL_CENTS = 7_500

export interface Case {
  kind: string
  subject: string
  /** The schema of its decisions. */
  home: Db
  /** Decisions that are above the limit, each or together. */
  inputs: Record<string, unknown>[]
  amount_cents: number | null
  /** The effect so far in cents, or 1 for a change without an amount. */
  moved(): Promise<number>
  /** The change without a decision. */
  change(): Promise<unknown>
}

export type MakeCase = (market: Marketplace) => Promise<Case>

const cents = async (db: Db, query: RawBuilder<{ cents: number }>): Promise<number> =>
  Number((await query.execute(db.reader)).rows[0]?.cents ?? 0)

/** A payout above the limit that an operator holds. */
const payout: MakeCase = async (market) => {
  const agent = await market.agent({ balanceCents: LARGE_CENTS, freeTasks: false })
  const task = await market.taskIn(agent, 'completed', { budget_cents: LARGE_CENTS })
  await market.settle()
  const home = market.at(task.id)
  const { id, amount_cents } = await market.db.reader
    .selectFrom('payouts')
    .select(['id', 'amount_cents'])
    .where('task_id', '=', task.id)
    .executeTakeFirstOrThrow()
  await market.asOwner(`update payouts set status = 'held', hold_reason = 'review' where id = $1`, [
    id,
  ])
  return {
    kind: 'payout.release',
    subject: id,
    home: market.at(id),
    inputs: [{}],
    amount_cents,
    moved: () =>
      cents(
        market.at(id),
        sql`select amount_cents as cents from payouts where id = ${id} and hold_reason is null`,
      ),
    change: () =>
      home.transaction((tx) =>
        sql`update payouts set hold_reason = null where id = ${id}`.execute(tx),
      ),
  }
}

/** An agent with several deposits: refunds below the limit, and one above it that is split in parts below it. */
const refund =
  (isSplit: boolean): MakeCase =>
  async (market) => {
    const agent = await market.agent({ freeTasks: false })
    for (let i = 0; i < 4; i += 1) await market.deposit(agent, SMALL_CENTS)
    const home = market.at(agent.id)
    const ask = (amountCents: number) =>
      refundAgent(market.backgroundAt(agent.id), {
        agentId: agent.id,
        amountCents,
        requestedBy: 'nobody',
        reason: 'without a decision',
      })
    return {
      kind: 'refund.request',
      subject: agent.id,
      home,
      inputs: [{ amount_cents: isSplit ? 4 * SMALL_CENTS : SMALL_CENTS }],
      amount_cents: isSplit ? 4 * SMALL_CENTS : SMALL_CENTS,
      moved: () =>
        cents(
          home,
          sql`select sum(amount_cents)::bigint as cents from refunds where agent_id = ${agent.id}`,
        ),
      change: async () => {
        if (isSplit) await ask(4 * SMALL_CENTS)
        else for (let i = 0; i < 4; i += 1) await ask(SMALL_CENTS)
      },
    }
  }

const withdrawal: MakeCase = async (market) => {
  const home = market.server.db.shards.global
  // Only what is withdrawn within a day counts together, and sessions of operators are shorter than that.
  for (const age of [
    'withdrawals set created_at = created_at',
    `operator_decisions set second_at = second_at - interval '2 days', proposed_at = proposed_at`,
  ])
    await market.asOwner(
      `update ${age} - interval '2 days' ${age.startsWith('w') ? '' : `where subject = 'own_funds' and state in ('agreed', 'done')`}`,
    )
  const since = market.now()
  const ask = (amountCents: number) =>
    home.transaction((tx) =>
      requestWithdrawal({ db: home, tx }, { amountCents, operator: 'nobody', now: market.now() }),
    )
  return {
    kind: 'withdrawal.request',
    subject: 'own_funds',
    home,
    inputs: [{ amount_cents: SMALL_CENTS }],
    amount_cents: SMALL_CENTS,
    moved: () =>
      cents(
        home,
        sql`select sum(amount_cents)::bigint as cents from withdrawals where created_at >= ${since}`,
      ),
    change: async () => {
      for (let i = 0; i < 4; i += 1) await ask(SMALL_CENTS)
    },
  }
}

/** An agent whose bank took back what it had spent. */
const debt: MakeCase = async (market) => {
  const agent = await market.agent({ freeTasks: false })
  const home = market.at(agent.id)
  const shard = shardOf(agent.id)
  const balanceTransactionId = `txn_${randomBytes(8).toString('hex')}`
  const owed = { mode: 'live', shard, agentId: agent.id, balanceTransactionId } as const
  await home.transaction((tx) =>
    postEntry(tx, chargeback({ ...owed, amountCents: 10 * SMALL_CENTS, feeCents: 0 }), {
      now: market.now(),
    }),
  )
  const write = (amountCents: number) =>
    home.transaction((tx) =>
      writeOffDebt(tx, { agentId: agent.id, amountCents, now: market.now() }),
    )
  return {
    kind: 'debt.write_off',
    subject: agent.id,
    home,
    inputs: [{ amount_cents: SMALL_CENTS }],
    amount_cents: SMALL_CENTS,
    moved: () =>
      cents(
        home,
        sql`select sum(amount_cents)::bigint as cents from transfers where agent_id = ${agent.id} and kind = 'bad_debt'`,
      ),
    change: async () => {
      for (let i = 0; i < 4; i += 1) await write(SMALL_CENTS)
    },
  }
}

const appeal: MakeCase = async (market) => {
  const agent = await market.agent({ balanceCents: LARGE_CENTS, freeTasks: false })
  const task = await market.taskIn(agent, 'disputed', { budget_cents: LARGE_CENTS })
  const worker = task.workers[0]!
  const statement = 'I did what was asked for.'
  assert.equal((await worker.post(`/worker/tasks/${task.id}/appeal`, { statement })).status, 201)
  await agent.post(`/tasks/${task.id}/dispute/answer`, { statement: 'It is not readable.' })
  const home = market.at(task.id)
  const { id } = await home.reader
    .selectFrom('appeals')
    .select('id')
    .where('task_id', '=', task.id)
    .executeTakeFirstOrThrow()
  return {
    kind: 'appeal.rule',
    subject: id,
    home,
    inputs: [{ ruling: 'overturned' }, { ruling: 'split' }],
    amount_cents: LARGE_CENTS,
    moved: () =>
      cents(
        home,
        sql`select ${LARGE_CENTS}::bigint as cents from appeals where id = ${id} and ruling <> 'upheld'`,
      ),
    change: () =>
      home.transaction((tx) =>
        ruleOnAppeal(tx, {
          id,
          ruling: 'overturned',
          note: 'x',
          operator: 'nobody',
          config: market.server.config,
          now: market.now(),
        }),
      ),
  }
}

const dispute: MakeCase = async (market) => {
  const { task, held } = await heldDispute(market, { budget_cents: LARGE_CENTS })
  const home = market.at(task.id)
  const { id } = await home.reader
    .selectFrom('disputes')
    .select('id')
    .where('task_id', '=', held.task.id)
    .where('status', '=', 'held')
    .executeTakeFirstOrThrow()
  return {
    kind: 'dispute.decide',
    subject: id,
    home,
    inputs: [{ verdict: 'uphold' }, { verdict: 'reject' }],
    amount_cents: LARGE_CENTS,
    moved: () =>
      cents(
        home,
        sql`select ${LARGE_CENTS}::bigint as cents from disputes where id = ${id} and decided_by is not null`,
      ),
    change: () =>
      home.transaction((tx) =>
        decideHeldDispute(tx, {
          id,
          verdict: 'uphold',
          note: 'x',
          operator: 'nobody',
          config: market.server.config,
          now: market.now(),
        }),
      ),
  }
}

const closing: MakeCase = async (market) => {
  const { id } = await market.worker()
  const home = market.at(id)
  return {
    kind: 'worker.close',
    subject: id,
    home,
    inputs: [{ tasks: [] }],
    amount_cents: null,
    moved: () =>
      cents(home, sql`select 1 as cents from workers where id = ${id} and status = 'closed'`),
    change: () =>
      home.transaction((tx) =>
        shutOutWorker(tx, {
          workerId: id,
          kind: 'closed',
          reason: 'x',
          taskIds: [],
          operator: 'nobody',
          config: market.server.config,
          now: market.now(),
        }),
      ),
  }
}

const limit: MakeCase = async (market) => {
  const home = market.server.db.shards.global
  const of = 'payout.retry'
  await market.asOwner('update two_person_limits set over_cents = $1 where kind = $2', [
    OVER_CENTS,
    of,
  ])
  return {
    kind: 'limit.change',
    subject: of,
    home,
    inputs: [{ over_cents: null }, { over_cents: 90_000_000 }],
    amount_cents: null,
    moved: () =>
      cents(
        home,
        sql`select 1 as cents from two_person_limits where kind = ${of} and over_cents is distinct from ${OVER_CENTS}`,
      ),
    change: () =>
      home.transaction((tx) =>
        sql`update two_person_limits set over_cents = null where kind = ${of}`.execute(tx),
      ),
  }
}

export const CASES: Record<string, MakeCase> = {
  payout,
  refunds: refund(false),
  'refund in parts': refund(true),
  withdrawals: withdrawal,
  debts: debt,
  appeal,
  dispute,
  closing,
  limit,
}
