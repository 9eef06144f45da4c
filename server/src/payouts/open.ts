/**
 * Open the payouts of a task: one per paid worker, for everything that the task has paid them.
 *
 *   called by   the events that end a task or its dispute; the agent, by POST /tasks/:id/payout
 *               (request.ts)
 *   moves       a payout: (none) → held, awaiting_account or requested; in the test book → paid
 *   money       payable → in transit, unless the payout has to wait
 *   event       payout.send (ours); in the test book payout.tell (ours)
 */
import { sql } from 'kysely'
import { z } from 'zod'
import type { Config } from '../config.ts'
import { finishCrossings } from '../kit/crossings.ts'
import type { Db, Reader, Shards, Tx } from '../kit/db.ts'
import { job } from '../kit/job.ts'
import { mintId, shardOf } from '../kit/ids.ts'
import { reached } from '../kit/crash-points.ts'
import { taskKeys } from '../ledger/movements.ts'
import { EARNINGS } from '../workers/earning-lines.ts'
import { assess, type Assessment } from './assess.ts'
import { type Hold, holdOf, type Person } from './holds.ts'
import { budgetFor, moveOn } from './move-on.ts'
import { holdAccounts, type Payout, payoutsOf } from './queries.ts'

/** Four days of retries. */
const ATTEMPTS_MAX = 25

export const open = job({
  name: 'payouts.open',
  payload: z.object({ task_id: z.string() }),
  attemptsMax: ATTEMPTS_MAX,
  events: [
    'task.completed',
    'task.cancelled',
    'task.expired',
    'task.disputed',
    'task.dispute_resolved',
  ],

  async run({ db, config, clock, payload }) {
    await openPayouts({ db, config, now: clock.now() }, payload.task_id)
  },
})

export interface Opening {
  db: Db
  config: Config
  now: Date
}

export interface Earning {
  task_id: string
  agent_id: string
  worker_id: string
  mode: 'live' | 'test'
  funding: 'wallet' | 'free'
  amount_cents: number
  earned_at: Date
}

/**
 * Opens the payouts that are not open yet and returns the paid workers. One transaction per worker, since workers are
 * on different shards. With `agentId`, only if that agent owns the task.
 */
export async function openPayouts(
  opening: Opening,
  taskId: string,
  agentId?: string,
): Promise<string[]> {
  const { shards } = opening.db
  // What a task has paid a worker is in the worker's shard.
  const home = shards.at(taskId)
  const homes = new Set((await workersOf(home.reader, taskId, agentId)).map(shards.at))
  await finishCrossings(home, [...homes])
  const parts = [...homes].map(({ reader }) => earningsOf(reader, taskId, agentId))
  const earnings = (await Promise.all(parts)).flat()
  for (const earning of earnings) await openPayout(opening, earning)
  return earnings.map(({ worker_id }) => worker_id)
}

async function workersOf(
  db: Reader,
  taskId: string,
  agentId: string | undefined,
): Promise<string[]> {
  const assignments = await db
    .selectFrom('assignments')
    .select('worker_id')
    .where('task_id', '=', taskId)
    .$if(agentId !== undefined, (query) => query.where('agent_id', '=', agentId!))
    .execute()
  return assignments.map(({ worker_id }) => worker_id)
}

export async function earningsOf(
  db: Reader,
  taskId: string,
  agentId: string | undefined,
): Promise<Earning[]> {
  const keys = taskKeys(taskId)
  const { rows } = await sql<Earning>`
    select t.id as task_id, t.agent_id, f.worker_id, t.mode, t.funding, sum(f.amount_cents)::bigint as amount_cents,
           max(f.created_at) as earned_at
      from transfers f join worker_tasks t on t.id = f.task_id
     where f.key >= ${keys.from} and f.key < ${keys.before}
       and f.kind = any(${EARNINGS}) and f.credit = 'liab:worker_payable'
       ${agentId === undefined ? sql`` : sql`and t.agent_id = ${agentId}`}
     group by t.id, t.agent_id, t.mode, t.funding, f.worker_id
     order by f.worker_id`.execute(db)
  return rows
}

async function openPayout({ db, config, now }: Opening, earning: Earning): Promise<void> {
  const hold = await findHold(db.shards, earning, config)
  const home = db.shards.at(earning.worker_id)
  // After a hold, the clock assesses the payout.
  const isSentNow = earning.mode === 'live' && (hold === undefined || hold.until <= now)
  const assessment = isSentNow
    ? await assess(db.shards, { ...earning, created_at: now })
    : undefined
  const opened = await home.transaction((tx) =>
    insertPayout(tx, earning, { hold, assessment, config, ...budgetFor(home), now }),
  )
  if (opened === undefined) return
  reached(config, 'payout.opened')
  if (opened.status === 'requested') reached(config, 'payout.requested')
}

async function insertPayout(
  tx: Tx,
  earning: Earning,
  {
    hold,
    assessment,
    config,
    budgetAt,
    now,
  }: {
    hold: Hold | undefined
    assessment: Assessment | undefined
    config: Config
    now: Date
  } & ReturnType<typeof budgetFor>,
): Promise<Payout | undefined> {
  const { task_id: taskId, worker_id: workerId, agent_id, mode, funding, amount_cents } = earning
  const accounts = await holdAccounts(tx, [workerId])
  // This includes a failed or reversed payout: those are retried only on request.
  if ((await payoutsOf(tx, { taskId, workerIds: [workerId] })).length > 0) return undefined

  const payout = await tx
    .insertInto('payouts')
    .values({
      id: mintId('po', now, shardOf(workerId)),
      worker_id: workerId,
      agent_id,
      task_id: taskId,
      mode,
      funding,
      amount_cents,
      status: 'held',
      hold_reason: hold?.reason ?? null,
      available_at: hold?.until ?? now,
      created_at: now,
      updated_at: now,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst()
  if (payout === undefined) return undefined
  const account = accounts.get(workerId)
  return moveOn(tx, payout, { account, assessment, config, budgetAt, now })
}

/** Reads the agent's and the worker's rows and writes neither. */
async function findHold(
  shards: Shards,
  earning: Earning,
  config: Config,
): Promise<Hold | undefined> {
  if (earning.mode === 'test') return undefined
  const person = (table: 'agents' | 'workers', id: string): Promise<Person> =>
    shards
      .at(id)
      .reader.selectFrom(table)
      .select(['email', 'registered_from'])
      .where('id', '=', id)
      // Only a test agent can have no email.
      .$narrowType<{ email: string }>()
      .executeTakeFirstOrThrow()
  const { reader } = shards.at(earning.agent_id)
  const deposits = await reader
    .selectFrom('deposits')
    .select(({ fn }) => [
      fn.min('succeeded_at').as('firstAt'),
      fn.max('succeeded_at').as('latestAt'),
    ])
    .where('agent_id', '=', earning.agent_id)
    .where('succeeded_at', '<=', earning.earned_at)
    .executeTakeFirstOrThrow()
  const { firstAt, latestAt } = deposits
  return holdOf(
    {
      funding: earning.funding,
      earnedAt: earning.earned_at,
      agent: await person('agents', earning.agent_id),
      worker: await person('workers', earning.worker_id),
      deposits: firstAt === null || latestAt === null ? undefined : { firstAt, latestAt },
      isOwed: await isOwed(reader, earning),
    },
    config,
  )
}

/**
 * False after an operator's ruling, because the operator has seen what the agent would owe. Ignores debt charged while
 * the budget was in escrow: the disputed share repays it when the task is settled.
 */
async function isOwed(db: Reader, { task_id, worker_id }: Earning): Promise<boolean> {
  const keys = taskKeys(task_id)
  const { rows } = await sql<{ is_owed: boolean }>`
    select exists (select 1 from transfers f join tasks t on t.id = f.task_id
                    where f.key >= ${keys.from} and f.key < ${keys.before} and f.kind = 'appeal_debit'
                      and f.debit = 'asset:agent_receivable' and f.worker_id = ${worker_id}
                      and f.created_at >= t.ended_at)
       and not exists (select 1 from appeals
                        where task_id = ${task_id} and worker_id = ${worker_id} and ruled_by like 'operator %')
        as is_owed`.execute(db)
  return rows[0]!.is_owed
}

/** Retries a failed or reversed payout; undefined if that has already been done. */
export async function openAgain(
  tx: Tx,
  previous: Payout,
  { config, now }: { config: Config; now: Date },
): Promise<Payout | undefined> {
  const { worker_id, agent_id, task_id, mode, funding, amount_cents } = previous
  const accounts = await holdAccounts(tx, [worker_id])
  const payout = await tx
    .insertInto('payouts')
    .values({
      id: mintId('po', now, shardOf(worker_id)),
      worker_id,
      agent_id,
      task_id,
      mode,
      funding,
      amount_cents,
      status: 'held',
      // A payout that was released once is not held again.
      available_at: previous.available_at,
      previous_id: previous.id,
      created_at: now,
      updated_at: now,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst()
  if (payout === undefined) return undefined
  // A retry does not count against the budget again.
  return moveOn(tx, payout, {
    account: accounts.get(worker_id),
    config,
    budgetAt: undefined,
    now,
  })
}
