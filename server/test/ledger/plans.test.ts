/** The hot functions plan their statements once, perhaps while a table is empty, so no plan may depend on its size. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Kysely, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import { call } from '../../src/kit/call.ts'
import type { Tx } from '../../src/kit/db.ts'
import { mintId, shardOf } from '../../src/kit/ids.ts'
import type { Schema } from '../../src/kit/schema.ts'
import { postEntries } from '../../src/ledger/journal.ts'
import { escrowLock, escrowRelease, payoutRequested } from '../../src/ledger/movements.ts'
import { moveTasks } from '../../src/tasks/moves.ts'
import { marketplace } from '../harness.ts'
import { EXPLAINED } from '../tenants/explain.ts'

const market = await marketplace()

describe('balances and trust are written by index', () => {
  for (const [what, learn] of [
    ['without statistics', 'select 1'],
    ['with statistics', 'analyze ledger_agents, ledger_workers, ledger_transits, workers'],
  ] as const)
    test(what, async () => {
      const agent = await market.agent({ freeTasks: false, balanceCents: 5000 })
      const worker = await market.worker()
      const { body } = await agent.post('/tasks', { description: 'Look', budget_cents: 2500 })
      await market.asOwner(learn)

      const plans = await plansOf((tx) => writeAll(tx, agent.id, worker.id, body.task.id))

      const updates = plans.filter((plan) => plan.includes('Update on '))
      for (const table of ['ledger_agents', 'ledger_workers', 'ledger_transits', 'workers']) {
        const own = updates.filter((plan) => plan.includes(`Update on public.${table} `))
        assert(own.length > 0, `${table} was not updated`)
        for (const plan of own) {
          assert.match(plan, /Index Cond: \(\w+\.\w+ = /, plan)
          assert.doesNotMatch(plan, /Seq Scan|Merge Join/, plan)
        }
      }
    })
})

/** Runs `work` on a connection that has planned nothing yet, undoes it, and returns the plans. */
async function plansOf(work: (tx: Tx) => Promise<unknown>): Promise<string[]> {
  const plans: string[] = []
  const pool = new pg.Pool({ connectionString: market.url, max: 1 })
  pool.on('connect', (client) => client.on('notice', ({ message }) => plans.push(message ?? '')))
  const db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) })
  const explained = Object.entries({ ...EXPLAINED, log_format: 'text' }).map(
    ([name, value]) => sql`set_config(${`auto_explain.${name}`}, ${value}, true)`,
  )
  const undo = new Error('undone')
  const undone = db.transaction().execute(async (tx) => {
    await sql`load 'auto_explain'`.execute(tx)
    await sql`select ${sql.join(explained)}`.execute(tx)
    await work(tx)
    throw undo
  })
  await assert.rejects(undone, undo)
  await db.destroy()
  return plans
}

async function writeAll(tx: Tx, agentId: string, workerId: string, taskId: string): Promise<void> {
  const now = market.now()
  const book = { shard: shardOf(agentId), mode: 'live' } as const
  const of = { agentId, taskId: mintId('task', now, book.shard), lockedCents: 1000 }
  const locked = { ...book, ...of, funding: 'wallet' } as const
  const earned = { workerIds: [workerId], grossCents: 1000, commissionBasisPoints: 0 }
  const payoutId = mintId('po', now, shardOf(workerId))
  const task = await tx
    .selectFrom('tasks')
    .selectAll()
    .where('id', '=', taskId)
    .executeTakeFirstOrThrow()
  const approved = { key: `${taskId}:approved`, cause: 'approved', good: 1, bad: 0, weight: 1 }

  await postEntries(tx, [escrowLock(locked)], { now })
  // This function has no settings of its own: create_tasks and move_tasks, which call it, have them.
  await sql`set local enable_seqscan = off`.execute(tx)
  await call(tx, 'ledger_free_tasks', { p_agents: [agentId], p_changes: [0] })
  await sql`set local enable_seqscan = on`.execute(tx)
  const entries = [
    escrowRelease({ ...locked, ...earned }),
    payoutRequested({ ...book, workerId, payoutId, amountCents: 100 }),
  ]
  const trust = [{ worker_id: workerId, ...approved }]
  await moveTasks(tx, [{ task, becomes: {}, entries, trust }], { now })
}
