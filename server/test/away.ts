/**
 * What a worker's shard keeps of agents on other shards: one statement per table, for a worker ($1) and agents ($2).
 * A change on an agent's shard must leave exactly these rows on the worker's shard. A page of the worker reads nothing
 * else of the agents, except proofs and files, which stay on the agents' shards.
 */
import pg from 'pg'
import { earningLines } from '../src/workers/earning-lines.ts'
import type { Marketplace } from './harness.ts'

interface Away {
  workerId: string
  agentIds: string[]
}

const COPIES = [
  // Agents whose task the worker had. The figures may be some minutes old.
  `insert into away_agents (id, name, judged, approved, disputes, overturned, median_review_s)
   select g.id, g.name, r.judged, r.approved, r.disputes, r.overturned, r.median_review_s
     from agents g cross join lateral tasks_reputations(array[g.id]) r
    where g.id = any($2) and exists (select 1 from assignments a where a.agent_id = g.id and a.worker_id = $1)
   on conflict do nothing`,

  // Tasks that the worker had, one copy for all workers of the shard. Written with the first assignment; status,
  // review_due_at, decides_by and ended_at change with the task.
  `insert into away_tasks (id, agent_id, mode, type, status, title, description, budget_cents, funding, urgency,
                           proof_required, consensus_count, deadline, scheduled_at, window_minutes,
                           auto_approve_after, location, context, answer_schema, criteria, review_due_at, decides_by,
                           ended_at, version)
   select t.id, t.agent_id, t.mode, t.type, t.status, t.title, t.description, t.budget_cents, t.funding, t.urgency,
          t.proof_required, t.consensus_count, t.deadline, t.scheduled_at, t.window_minutes, t.auto_approve_after,
          t.location, t.context, t.answer_schema, t.criteria, t.review_due_at, t.decides_by, t.ended_at, t.version
     from tasks t
    where t.agent_id = any($2) and exists (select 1 from assignments a where a.task_id = t.id and a.worker_id = $1)
   on conflict do nothing`,

  // Every assignment of the worker, as it is.
  `insert into away_assignments (id, task_id, agent_id, worker_id, status, pay_cents, net_cents, deadline, accepted_at,
                                 expires_at, submitted_at, ended_at, outcome, reason, revision_note, revisions)
   select a.id, a.task_id, a.agent_id, a.worker_id, a.status, a.pay_cents, a.net_cents, a.deadline, a.accepted_at,
          a.expires_at, a.submitted_at, a.ended_at, a.outcome, a.reason, a.revision_note, a.revisions
     from assignments a where a.agent_id = any($2) and a.worker_id = $1`,

  // Disputes of the worker's assignments, without those of other workers, and without the name of an operator.
  `insert into away_disputes (id, task_id, worker_id, assignment_ids, reason, category, criteria, status,
                              touches_trust, created_at, resolved_at, decides_by, decided_at, is_decided_by_agent,
                              decision_note)
   select d.id, d.task_id, $1, own.ids, d.reason, d.category, d.criteria, d.status, d.touches_trust, d.created_at,
          d.resolved_at, d.decides_by, d.decided_at, d.decided_by is not distinct from 'agent', d.decision_note
     from disputes d
    cross join lateral (
      select array_agg(a.id order by a.id) as ids from assignments a
       where a.task_id = d.task_id and a.worker_id = $1 and a.id = any(d.assignment_ids)) own
    where d.agent_id = any($2) and own.ids is not null`,

  // The worker's appeals.
  `insert into away_appeals (id, dispute_id, task_id, assignment_id, worker_id, statement, created_at, agent_until,
                             agent_answer, answered_at, ruling, ruling_note, ruled_at)
   select p.id, p.dispute_id, p.task_id, p.assignment_id, p.worker_id, p.statement, p.created_at, p.agent_until,
          p.agent_answer, p.answered_at, p.ruling, p.ruling_note, p.ruled_at
     from appeals p where p.agent_id = any($2) and p.worker_id = $1`,

  // The worker's reports, also of tasks that the worker never had.
  `insert into away_reports (task_id, worker_id, kind, note, created_at, verdict, decided_at, weight)
   select r.task_id, r.worker_id, r.kind, r.note, r.created_at, r.verdict, r.decided_at, r.weight
     from task_reports r join tasks t on t.id = r.task_id
    where t.agent_id = any($2) and r.worker_id = $1`,
]

/** The worker's part of a commission ($3) comes with the line ($1) that pays the worker ($2); none of 0. */
const COMMISSION = `
  insert into away_commissions (worker_id, key, commission_cents)
  select f.worker_id, f.key, $3 from transfers f join tasks t on t.id = f.task_id
   where f.id = $1 and f.worker_id = $2 and t.agent_id = any($4)`

/** Of the agents' lines, the worker's shard has only those of the worker's statement. */
const OTHER_LINES = `
  delete from transfers f
   where (f.agent_id = any($2) or f.task_id in (select t.id from tasks t where t.agent_id = any($2)))
     and not (f.worker_id is not distinct from $1 and f.worker_statement_no is not null)`

/** They have the same key, kind, amount and task there, and come from the clearing account instead of the escrow. */
const CLEARED_LINES = `
  update transfers f set debit = 'liab:clearing' from tasks t
   where t.id = f.task_id and t.agent_id = any($2) and f.worker_id = $1 and f.credit = 'liab:worker_payable'`

/** Rows of the agents' shards that a worker's page could read. */
const ORIGINALS = [
  'delete from task_reports r using tasks t where t.id = r.task_id and t.agent_id = any($1)',
  'delete from appeals where agent_id = any($1)',
  'delete from disputes where agent_id = any($1)',
  'delete from assignments where agent_id = any($1)',
  'delete from tasks where agent_id = any($1)',
  'delete from deposits where agent_id = any($1)',
  'delete from ledger_agents where agent_id = any($1)',
  'delete from agents where id = any($1)',
]

/** Writes the copies, and leaves the agents' rows as they are. */
export async function copyAway(market: Marketplace, { workerId, agentIds }: Away): Promise<void> {
  // Read before the copies are written: as long as a row is there twice, pages show it twice.
  const span = { start: new Date(0), end: new Date(market.now().getTime() + 1) }
  const lines = await earningLines(market.db.reader, { workerId, span })
  for (const copy of COPIES) await market.asOwner(copy, [workerId, agentIds])
  for (const { id, commission_cents } of lines)
    if (commission_cents > 0)
      await market.asOwner(COMMISSION, [id, workerId, commission_cents, agentIds])
}

/** Moves the agents to another shard, as seen by the worker: writes the copies and deletes the agents' own rows. */
export async function moveAway(market: Marketplace, away: Away): Promise<void> {
  await copyAway(market, away)
  const client = new pg.Client({ connectionString: market.url })
  await client.connect()
  try {
    // Without triggers: they keep lines of the ledger, and count what an agent's tasks do.
    await client.query('set session_replication_role = replica')
    for (const change of [OTHER_LINES, CLEARED_LINES])
      await client.query(change, [away.workerId, away.agentIds])
    for (const remove of ORIGINALS) await client.query(remove, [away.agentIds])
  } finally {
    await client.end()
  }
}
