import assert from 'node:assert/strict'
import { sql } from 'kysely'
import type { Db } from '../src/kit/db.ts'
import { mintId, shardOf } from '../src/kit/ids.ts'
import { COMMISSION_BASIS_POINTS } from '../src/kit/money.ts'
import { postEntry } from '../src/ledger/journal.ts'
import { type Entry, escrowRefund, escrowRelease, type Line } from '../src/ledger/movements.ts'
import type { TaskView } from '../src/tasks/view.ts'
import { CAUSES, scaleOf } from '../src/workers/trust.ts'
import type { Marketplace } from './harness.ts'

const MINUTE = 60_000

interface Settled {
  /** When the verdict came, and with it the money; now by default. */
  at?: Date
  /** From creation to acceptance, and from there to the proof, which is also the time of the verdict. */
  acceptMinutes?: number
  workMinutes?: number
  allowedMinutes?: number
  approvedBy?: 'agent' | 'auto'
  isConflict?: boolean
  fields?: Record<string, unknown>
}

/**
 * A task that these workers have done, with a verdict at any time in the past: with its money, its records and their
 * trust.
 */
export async function settle(
  market: Marketplace,
  agent: Pick<ReturnType<Marketplace['client']>, 'post'>,
  workers: { id: string }[],
  verdict: 'approved' | 'disputed' | 'submitted',
  {
    at = market.now(),
    acceptMinutes = 10,
    workMinutes = 30,
    allowedMinutes = 240,
    approvedBy = 'agent',
    isConflict = false,
    fields = {},
  }: Settled = {},
): Promise<TaskView> {
  const created = await agent.post('/tasks', {
    description: 'Look',
    budget_cents: 2500,
    consensus_count: workers.length,
    ...fields,
  })
  assert.equal(created.status, 201, created.text)
  const task = created.body.task as TaskView
  const accepted = new Date(at.getTime() - workMinutes * MINUTE)
  const times = {
    created: new Date(accepted.getTime() - acceptMinutes * MINUTE),
    accepted,
    expires: new Date(accepted.getTime() + allowedMinutes * MINUTE),
  }
  const money = {
    mode: task.mode,
    shard: shardOf(task.id),
    taskId: task.id,
    agentId: task.agent_id,
    lockedCents: task.escrow_cents,
    funding: task.funding,
  }
  const isJudged = verdict !== 'submitted'

  const release = escrowRelease({
    ...money,
    workerIds: workers.map(({ id }) => id),
    grossCents: money.lockedCents,
    commissionBasisPoints: COMMISSION_BASIS_POINTS,
  })
  const { own, others } = throughClearing(market, market.at(task.id), release)
  if (verdict === 'approved')
    for (const [db, entry] of others)
      await db.transaction((tx) => postEntry(tx, entry, { now: at }))

  await market.at(task.id).transaction(async (tx) => {
    await sql`select set_config('legwork.crossing', 'test', true)`.execute(tx)
    if (verdict === 'approved') await postEntry(tx, own, { now: at })
    if (verdict === 'disputed') await postEntry(tx, escrowRefund(money), { now: at })
    for (const worker of workers)
      await tx
        .insertInto('assignments')
        .values({
          id: mintId('asg', times.accepted, money.shard),
          task_id: task.id,
          agent_id: task.agent_id,
          worker_id: worker.id,
          status: verdict,
          pay_cents: task.worker_pay_cents,
          net_cents: verdict === 'approved' ? task.worker_pay_cents : null,
          deadline: new Date(task.deadline),
          accepted_at: times.accepted,
          expires_at: times.expires,
          submitted_at: at,
          ended_at: isJudged ? at : null,
          outcome: 'done',
        })
        .execute()
    const statuses = {
      approved: 'completed',
      disputed: 'disputed',
      submitted: 'proof_submitted',
    } as const
    await tx
      .updateTable('tasks')
      .set({
        status: statuses[verdict],
        updated_at: at,
        slots_taken: workers.length,
        proofs_received: workers.length,
        proof_at: at,
        approved_by: verdict === 'approved' ? approvedBy : null,
        ...(workers.length > 1 ? { consensus: JSON.stringify({ conflict: isConflict }) } : {}),
        ...(isJudged ? { escrow_cents: 0, ended_at: at } : {}),
      })
      .where('id', '=', task.id)
      .execute()
  })
  await market.asOwner('update tasks set created_at = $2 where id = $1', [task.id, times.created])
  if (isJudged)
    for (const { id } of workers) await moveTrust(market, id, verdict, { taskId: task.id, at })
  return task
}

/** Posts a movement that only `move_tasks` may post, or any other, in the schemas of those whom it pays. */
export async function postAnywhere(
  market: Marketplace,
  entry: Entry,
  { at = market.now() }: { at?: Date } = {},
): Promise<void> {
  const home = market.server.db.shards.of(entry.shard)
  const { own, others } = throughClearing(market, home, entry)
  for (const [db, part] of [[home, own] as const, ...others])
    await db.transaction(async (tx) => {
      await sql`select set_config('legwork.crossing', 'test', true)`.execute(tx)
      await postEntry(tx, part, { now: at })
    })
}

/** As move_tasks does: pay for workers of other schemas ends in clearing, and continues from there. */
function throughClearing(market: Marketplace, home: Db, entry: Entry) {
  const isAway = ({ workerId }: Line) => workerId !== undefined && market.at(workerId) !== home
  const away = Map.groupBy(entry.lines.filter(isAway), ({ workerId }) => market.at(workerId!))
  const own: Entry = {
    ...entry,
    lines: entry.lines.map((line) => (isAway(line) ? { ...line, credit: 'liab:clearing' } : line)),
  }
  const others = [...away].map(([db, lines]): [Db, Entry] => [
    db,
    { ...entry, lines: lines.map((line) => ({ ...line, debit: 'liab:clearing' })) },
  ])
  return { own, others }
}

/** Applies the effect of a verdict to a worker's record. */
export async function moveTrust(
  market: Marketplace,
  workerId: string,
  cause: keyof typeof CAUSES,
  { taskId = null, at = market.now() }: { taskId?: string | null; at?: Date } = {},
): Promise<void> {
  const good = CAUSES[cause].good * scaleOf(at)
  const bad = CAUSES[cause].bad * scaleOf(at)
  await market.at(workerId).transaction((tx) =>
    tx
      .insertInto('trust_events')
      .values({
        worker_id: workerId,
        key: `${mintId('asg', at, 0)}:${cause}`,
        cause,
        good,
        bad,
        weight: CAUSES[cause].good - CAUSES[cause].bad,
        task_id: taskId,
        created_at: at,
      })
      .execute(),
  )
  await market.asOwner(
    `update workers set trust_good = trust_good + $2, trust_bad = trust_bad + $3,
       approved_count = approved_count + $4, disputed_count = disputed_count + $5 where id = $1`,
    [workerId, good, bad, Number(cause === 'approved'), Number(cause === 'disputed')],
  )
}
