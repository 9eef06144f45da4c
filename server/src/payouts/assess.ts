/**
 * Looks for signs of fraud before a payout is sent. Reads only, in all schemas, so it runs before the transaction that
 * sends the payout and stores the signs.
 */
import { sql } from 'kysely'
import { isUnreachable, type Shards, type Tx } from '../kit/db.ts'
import { readByIds } from '../kit/everywhere.ts'
import { idsLinkedToWorker } from './links.ts'
import type { Payout } from './queries.ts'
import { findRing } from './ring.ts'
import { type Facts, type FoundSign, signsOf } from './signs.ts'

const PAST_MAX = 100
const CIRCLE_MAX = 50
/** Shorter texts, such as “Yes, it is open”, are the same by chance. */
const TEXT_LETTERS_MIN = 40
/** A farm's agents have few tasks; of other agents, this many proofs are compared. */
const TEXTS_MAX = 200

export interface Assessment {
  signs: FoundSign[]
  /** The worker, and all workers who seem to be the same person: they share the daily budget of one. */
  ring: string[]
}

type Assessed = Pick<Payout, 'worker_id' | 'agent_id' | 'task_id' | 'funding' | 'mode'> & {
  created_at: Date
}

/** A payout that an operator has released, or that replaces a sent one, has been assessed. */
export const needsAssessment = (
  payout: Pick<Payout, 'mode' | 'cleared_at' | 'previous_id'>,
): boolean => payout.mode === 'live' && payout.cleared_at === null && payout.previous_id === null

/** Undefined while a database can't be reached: the payout waits for it. */
export async function assess(shards: Shards, payout: Assessed): Promise<Assessment | undefined> {
  try {
    return await findSigns(shards, payout)
  } catch (error) {
    if (isUnreachable(error)) return undefined
    throw error
  }
}

async function findSigns(shards: Shards, payout: Assessed): Promise<Assessment> {
  const { worker_id: workerId, agent_id: agentId } = payout
  const ring = await findRing(shards, workerId)
  const signs = signsOf(
    await readFacts(shards, payout, { isAgentInRing: ring.agents.includes(agentId) }),
  )
  const cleared = await readCleared(shards, workerId)
  return {
    signs: signs.filter(({ sign, detail }) => !cleared.has(`${sign} ${detail}`)),
    ring: ring.workers,
  }
}

async function readFacts(
  shards: Shards,
  { worker_id: workerId, agent_id: agentId, task_id: taskId, funding, created_at }: Assessed,
  { isAgentInRing }: { isAgentInRing: boolean },
): Promise<Facts> {
  const worker = await shards
    .at(workerId)
    .reader.selectFrom('workers')
    .select(['id', 'email', 'registered_from', 'created_at'])
    .where('id', '=', workerId)
    .executeTakeFirstOrThrow()
  const linked = Object.entries(await idsLinkedToWorker(shards, worker)).map(([how, ids]) => {
    const others = ids.filter((id) => id.startsWith('worker_') && id !== workerId)
    return [how, [...new Set(others)]] as const
  })
  const past = await readPast(shards, workerId)
  const agentIds = [...new Set([agentId, ...past.freeAgents])].slice(0, CIRCLE_MAX)
  return {
    funding,
    linked: Object.fromEntries(linked),
    sameText: await readSameText(shards, workerId, agentIds),
    isAgentInRing,
    past,
    circle: funding === 'free' ? await readCircle(shards, workerId, agentIds) : NO_CIRCLE,
    tookMs: funding === 'free' ? await readDuration(shards, { taskId, workerId }) : undefined,
    workerAgeMs: created_at.getTime() - worker.created_at.getTime(),
  }
}

const NO_CIRCLE = { agents: 0, coWorkers: 0 }

async function readPast(shards: Shards, workerId: string) {
  const payouts = await shards
    .at(workerId)
    .reader.selectFrom('payouts')
    .select(['agent_id', 'funding', 'amount_cents'])
    .where('worker_id', '=', workerId)
    .where('previous_id', 'is', null)
    .orderBy('id', 'desc')
    .limit(PAST_MAX)
    .execute()
  const free = payouts.filter(({ funding }) => funding === 'free')
  const sum = (some: typeof payouts) =>
    some.reduce((all, { amount_cents }) => all + amount_cents, 0)
  return {
    count: payouts.length,
    freeCount: free.length,
    cents: sum(payouts),
    freeCents: sum(free),
    freeAgents: free.map(({ agent_id }) => agent_id),
  }
}

/** Leaves out agents with one task: it had to go to somebody. */
async function readCircle(shards: Shards, workerId: string, agentIds: string[]) {
  const rows = await readByIds(shards, agentIds, async (reader, some) => {
    const { rows: counted } = await sql<{ agent_id: string; worker_id: string; count: number }>`
      select agent_id, worker_id, count(*)::int as count from assignments
       where agent_id = any(${some}) and status = 'approved'
       group by agent_id, worker_id`.execute(reader)
    return counted
  })
  const byAgent = Map.groupBy(rows, ({ agent_id }) => agent_id)
  const several = [...byAgent.values()].filter(
    (some) => some.reduce((sum, { count }) => sum + count, 0) > 1,
  )
  const workers = new Set(several.flat().map(({ worker_id }) => worker_id))
  workers.delete(workerId)
  return { agents: several.length, coWorkers: workers.size }
}

/** Other workers whose approved proofs for these agents have the words of one of this worker's. */
async function readSameText(
  shards: Shards,
  workerId: string,
  agentIds: string[],
): Promise<string[]> {
  const words = sql`lower(regexp_replace(p.text, '\\s+', ' ', 'g'))`
  const rows = await readByIds(shards, agentIds, async (reader, some) => {
    const { rows: found } = await sql<{ worker_id: string }>`
      with asked as (select unnest(${some}::text[]) as agent_id),
      own as (
        select ${words} as words
          from asked join assignments a on a.agent_id = asked.agent_id and a.worker_id = ${workerId}
          join proofs p on p.assignment_id = a.id
         where a.status = 'approved' and length(p.text) >= ${TEXT_LETTERS_MIN} limit ${TEXTS_MAX}
      )
      select distinct a.worker_id
        from asked
       cross join lateral (
         select b.id, b.worker_id from assignments b
          where b.agent_id = asked.agent_id and b.status = 'approved' and b.worker_id <> ${workerId}
          limit ${TEXTS_MAX}) a
        join proofs p on p.assignment_id = a.id
       where length(p.text) >= ${TEXT_LETTERS_MIN} and ${words} in (select words from own)`.execute(
      reader,
    )
    return found
  })
  return [...new Set(rows.map(({ worker_id }) => worker_id))]
}

async function readDuration(
  shards: Shards,
  { taskId, workerId }: { taskId: string; workerId: string },
): Promise<number | undefined> {
  const row = await shards
    .at(taskId)
    .reader.selectFrom('assignments')
    .innerJoin('tasks', 'tasks.id', 'assignments.task_id')
    .select(['tasks.created_at', 'assignments.ended_at'])
    .where('assignments.task_id', '=', taskId)
    .where('assignments.worker_id', '=', workerId)
    .where('assignments.status', '=', 'approved')
    .executeTakeFirst()
  if (row === undefined || row.ended_at === null) return undefined
  return row.ended_at.getTime() - row.created_at.getTime()
}

/** The signs on payouts that operators have released: a couple may share a bank account. */
async function readCleared(shards: Shards, workerId: string): Promise<Set<string>> {
  const rows = await shards
    .at(workerId)
    .reader.selectFrom('payouts')
    .innerJoin('payout_signals', 'payout_signals.payout_id', 'payouts.id')
    .select(['payout_signals.sign', 'payout_signals.detail'])
    .where('payouts.worker_id', '=', workerId)
    .where('payouts.cleared_at', 'is not', null)
    .execute()
  return new Set(rows.map(({ sign, detail }) => `${sign} ${detail}`))
}

/** Keeps the latest signs of a payout, for whoever decides about it. */
export async function storeSigns(
  tx: Tx,
  payoutId: string,
  { signs, now }: { signs: readonly FoundSign[]; now: Date },
): Promise<void> {
  if (signs.length === 0) return
  await tx
    .insertInto('payout_signals')
    .values(signs.map((sign) => ({ payout_id: payoutId, ...sign, created_at: now })))
    .onConflict((conflict) =>
      conflict.columns(['payout_id', 'sign']).doUpdateSet((eb) => ({
        score: eb.ref('excluded.score'),
        detail: eb.ref('excluded.detail'),
      })),
    )
    .execute()
}
