/**
 * Held disputes that wait for an operator's decision: the work, both sides' records and the effect of each decision.
 */
import { type Selectable, sql } from 'kysely'
import type { Config } from '../config.ts'
import { refundOf } from '../disputes/dispute-effect.ts'
import { partsOf } from '../disputes/rulings.ts'
import { heldDisputesOfShard, waitingHeldDisputes } from '../disputes/waiting-disputes.ts'
import { filesOf } from '../files/files.ts'
import { filesOfProofs, signedLink } from '../files/show.ts'
import type { Reader } from '../kit/db.ts'
import { mergeSorted, orderBy, readShards } from '../kit/everywhere.ts'
import type { Schema } from '../kit/schema.ts'
import type { Dispute } from '../tasks/dispute-view.ts'
import {
  type Assignment,
  assignmentsOf,
  type Proof,
  standingProofs,
  type Task,
} from '../tasks/queries.ts'
import { reviewDueAt } from '../tasks/timers.ts'
import { trustScore } from '../workers/trust.ts'
import { command } from './command.ts'

/** As many as a person can read in one sitting. */
const SHOWN_MAX = 20
const DAY_MS = 86_400_000

export interface ShownHeldDispute {
  dispute: Pick<
    Dispute,
    'id' | 'task_id' | 'reason' | 'category' | 'criteria' | 'created_at' | 'decides_by'
  >
  asked: Pick<Task, 'type' | 'title' | 'description' | 'criteria' | 'proof_required' | 'funding'>
  agent: {
    id: string
    name: string
    disputes_24h: number
    reviewed_24h: number
    disputes: number
    overturned: number
  }
  delivered: (Pick<Proof, 'text' | 'answer' | 'outcome' | 'checks' | 'submitted_at'> & {
    worker: { id: string; trust_score: number; approved: number; disputed: number }
    links: string[]
  })[]
  uphold: { agent_gets_back_cents: number; fund_gets_back_cents: number; touches_trust: boolean }
  reject: {
    workers_get_cents: number
    commission_cents: number
    /** For disputes of single proofs: the agent's deadline to judge the task again; null if it is paid immediately. */
    verdict_until: Date | null
  }
}

export interface HeldDisputeReport {
  at: Date
  /** Nearest deadline first. */
  waiting: ShownHeldDispute[]
  waiting_count: number
}

export const disputes = command({
  name: 'disputes',
  takes: '[--json]',
  does: 'list held disputes that need a decision, with both sides and the cost; exit 1 if there are any',
  right: 'view',
  isLook: true,
  async run({ db, clock, config }) {
    const data = await reportHeldDisputes(db.shards.readers, { config, now: clock.now() })
    return { data, isBad: data.waiting_count > 0 }
  },
})

async function reportHeldDisputes(
  shards: readonly Reader[],
  { config, now }: { config: Config; now: Date },
): Promise<HeldDisputeReport> {
  const parts = await readShards(shards, async (shard) => {
    const held = await heldDisputesOfShard(shard).selectAll('disputes').limit(SHOWN_MAX).execute()
    return held.map((dispute) => ({ shard, dispute }))
  })
  const waiting: ShownHeldDispute[] = []
  for (const { shard, dispute } of mergeSorted(NEAREST_DEADLINE_FIRST, parts, SHOWN_MAX))
    waiting.push(await showHeldDispute(shard, dispute, { shards, config, now }))
  const { count } = await waitingHeldDisputes(shards)
  return { at: now, waiting, waiting_count: count }
}

const NEAREST_DEADLINE_FIRST = orderBy<{ dispute: Dispute }>(
  ({ dispute }) => dispute.decides_by,
  ({ dispute }) => dispute.id,
)

/** `shards` are read for the workers of the task, who can be anywhere. */
async function showHeldDispute(
  db: Reader,
  dispute: Dispute,
  { shards, config, now }: { shards: readonly Reader[]; config: Config; now: Date },
): Promise<ShownHeldDispute> {
  const task = await db
    .selectFrom('tasks')
    .selectAll()
    .where('id', '=', dispute.task_id)
    .executeTakeFirstOrThrow()
  const standing = (await assignmentsOf(db, [task])).filter(({ status }) => status === 'submitted')
  const disputed = standing.filter(({ id }) => dispute.assignment_ids.includes(id))
  const parts = partsOf({ task, slots: disputed, ruling: 'overturned', config })
  const gross = sum(parts.map(({ gross_cents }) => gross_cents))
  const net = sum(parts.map(({ net_cents }) => net_cents))
  const isWhole = disputed.length === standing.length
  const back = refundOf(task, { standing, disputed })
  // Show only what the decision needs: a task's context may contain a phone number, and reports get shared.
  const { id, task_id, reason, category, criteria, created_at, decides_by } = dispute
  const { type, title, description, proof_required, funding } = task
  return {
    dispute: { id, task_id, reason, category, criteria, created_at, decides_by },
    asked: { type, title, description, criteria: task.criteria, proof_required, funding },
    agent: await recordOf(db, dispute.agent_id, now),
    delivered: await deliveredOf(db, { task, disputed, shards, config, now }),
    uphold: {
      agent_gets_back_cents: back,
      fund_gets_back_cents: isWhole && task.funding === 'free' ? task.locked_cents : 0,
      touches_trust: dispute.touches_trust,
    },
    reject: {
      workers_get_cents: net,
      commission_cents: gross - net,
      verdict_until: isWhole ? null : reviewDueAt(task, task.proof_at!),
    },
  }
}

async function recordOf(
  db: Reader,
  agentId: string,
  now: Date,
): Promise<ShownHeldDispute['agent']> {
  const since = new Date(now.getTime() - DAY_MS)
  const { rows } = await sql<ShownHeldDispute['agent']>`
    select a.id, a.name, d.disputes_24h, t.reviewed_24h, d.disputes, d.overturned
      from agents a
     cross join lateral (
       select (count(*) filter (where created_at > ${since}))::integer as disputes_24h,
              count(*)::integer as disputes,
              (count(*) filter (where status in ('overturned', 'rejected')))::integer as overturned
         from disputes where agent_id = a.id) d
     cross join lateral (
       select count(*)::integer as reviewed_24h from tasks
        where agent_id = a.id and status in ('completed', 'disputed') and ended_at > ${since}) t
     where a.id = ${agentId}`.execute(db)
  return rows[0]!
}

async function deliveredOf(
  db: Reader,
  {
    task,
    disputed,
    shards,
    config,
    now,
  }: {
    task: Task
    disputed: Assignment[]
    shards: readonly Reader[]
    config: Config
    now: Date
  },
): Promise<ShownHeldDispute['delivered']> {
  const proofs = await standingProofs(db, task)
  const shown: ShownHeldDispute['delivered'] = []
  for (const slot of disputed) {
    const proof = proofs.find(({ assignment_id }) => assignment_id === slot.id)!
    const links = []
    for (const file of await filesOfProofs(db, [proof]))
      links.push((await signedLink(filesOf(config), file, { now })).url)
    const worker = (await readShards(shards, (shard) => workerOfShard(shard, slot.worker_id)))
      .flat()
      .at(0)!
    const { text, answer, outcome, checks, submitted_at } = proof
    shown.push({
      text,
      answer,
      outcome,
      checks,
      submitted_at,
      worker: viewWorker(worker, now),
      links,
    })
  }
  return shown
}

const workerOfShard = (shard: Reader, id: string) =>
  shard.selectFrom('workers').selectAll().where('id', '=', id).execute()

const viewWorker = (worker: Selectable<Schema['workers']>, now: Date) => ({
  id: worker.id,
  trust_score: trustScore(worker, now),
  approved: worker.approved_count,
  disputed: worker.disputed_count,
})

const sum = (cents: number[]) => cents.reduce((total, one) => total + one, 0)
