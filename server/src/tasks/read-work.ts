/** Reads a task with its assignments for a verdict. Concurrent requests share one round trip. */
import { type Batcher, batcher } from '../kit/batch.ts'
import type { Db } from '../kit/db.ts'
import { type Assignment, isOwn, type OwnTask, type Task, type Work } from './queries.ts'

/** Returns undefined if the task isn't the agent's. Nothing is locked. */
export function readWork(db: Db, own: OwnTask) {
  const reader =
    readers.get(db) ??
    batcher<OwnTask, Work | undefined>({
      name: 'read_work',
      async run(items) {
        const rows = await db.call<Record<string, unknown>>('read_work', READ, [
          items.map(({ taskId }) => taskId),
          items.map(({ agentId }) => agentId),
        ])
        const works = new Map(rows.map((row) => [row.id as string, toWork(row)]))
        return items.map((item) => {
          const work = works.get(item.taskId)
          return work && isOwn(work.task, item) ? work : undefined
        })
      },
    })
  readers.set(db, reader)
  return reader.add(own)
}

const readers = new WeakMap<Db, Batcher<OwnTask, Work | undefined>>()

/**
 * Named one by one: if a prepared statement reads `t.*`, it fails in every running process once a newer release has
 * added a column. Assignments are read as JSON, whose type never changes.
 */
const COLUMNS = Object.keys({
  id: true,
  agent_id: true,
  mode: true,
  type: true,
  status: true,
  status_reason: true,
  title: true,
  description: true,
  budget_cents: true,
  budget_basis: true,
  locked_cents: true,
  escrow_cents: true,
  funding: true,
  urgency: true,
  proof_required: true,
  consensus_count: true,
  deadline: true,
  scheduled_at: true,
  window_minutes: true,
  auto_approve_after: true,
  min_worker_level: true,
  skills: true,
  location: true,
  context: true,
  metadata: true,
  answer_schema: true,
  criteria: true,
  callback_url: true,
  created_at: true,
  updated_at: true,
  ended_at: true,
  version: true,
  slots_extra: true,
  slots_taken: true,
  proofs_received: true,
  consensus_max: true,
  min_confidence: true,
  proof_at: true,
  review_due_at: true,
  consensus: true,
  approved_by: true,
  settlement: true,
  event_sequence: true,
  reported_at: true,
  rehearsal: true,
  rehearse_at: true,
  key_path: true,
  languages: true,
  decides_by: true,
  share_level: true,
  is_schema_default: true,
  commission_basis_points: true,
} satisfies Record<keyof Task, true>)

const READ = `
  select ${COLUMNS.map((name) => `t.${name}`).join(', ')},
         array(select row_to_json(a) from assignments a where a.task_id = t.id
                order by a.submitted_at nulls last, a.id) as assignments
    from tasks t where t.id = any($1) and t.agent_id = any($2)`

function toWork({ assignments, ...task }: Record<string, unknown>): Work {
  const rows = assignments as Record<string, unknown>[]
  return {
    task: task as unknown as Task,
    assignments: rows.map(
      (row) =>
        Object.fromEntries(
          Object.entries(row).map(([name, value]) => [
            name,
            DATES.has(name) && typeof value === 'string' ? new Date(value) : value,
          ]),
        ) as unknown as Assignment,
    ),
  }
}

/** The date columns of an assignment, which arrive as strings because JSON has no date type. */
const DATES = new Set([
  'deadline',
  'accepted_at',
  'expires_at',
  'upload_begun_at',
  'submitted_at',
  'ended_at',
])
