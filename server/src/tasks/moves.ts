/**
 * Client for `move_tasks`, the SQL function that applies a task transition with its ledger entries, trust changes,
 * events and stored response, atomically. It uses an optimistic lock: a move applies only if the task hasn't changed
 * since the operation read it.
 */
import assert from 'node:assert/strict'
import { sql } from 'kysely'
import type { Config } from '../config.ts'
import { type Batcher, batcher } from '../kit/batch.ts'
import type { Db, Tx } from '../kit/db.ts'
import type { Claim } from '../kit/endpoint.ts'
import { databaseOf, mintId, shardOf } from '../kit/ids.ts'
import { toPostings } from '../ledger/journal.ts'
import type { Entry } from '../ledger/movements.ts'
import { isTold } from '../webhooks/record-event.ts'
import { CAUSES, type Cause, scaleOf } from '../workers/trust.ts'
import type { TaskEvent } from './events.ts'
import { type Assignment, isOwn, type OwnTask, type Task, type Work } from './queries.ts'
import { hasEnded } from './status.ts'

export interface Move {
  /** The snapshot of the task that the decision is based on. */
  task: Task
  becomes: Partial<
    Pick<
      Task,
      | 'status'
      | 'status_reason'
      | 'slots_taken'
      | 'slots_extra'
      | 'proofs_received'
      | 'proof_at'
      | 'review_due_at'
      | 'decides_by'
      | 'consensus'
      | 'approved_by'
      | 'settlement'
    >
  >
  /** Ledger entries, including any that close the task's escrow. */
  entries?: Entry[]
  tipCents?: number
  /** The API key whose caps the tip counts against. */
  tipKeyId?: string | undefined
  returnsFreeTask?: boolean
  /** The changed assignments, in their new state. */
  assignments?: Assignment[]
  trust?: TrustChange[]
  pendingTrust?: PendingChange[]
  dispute?: NewDispute | HeldDecision
  events?: TaskEvent[]
}

export interface NewDispute {
  id: string
  assignment_ids: string[]
  reason: string
  category: string | null
  criteria: string[]
  status: 'open' | 'held'
  touches_trust: boolean
  refunded_cents: number
  /** Held disputes only: if nobody decides by this time, the worker is paid. */
  decides_by: Date | null
}

/** The decision on the task's held dispute. With `open` it takes effect; with any other status it never does. */
export interface HeldDecision {
  status: 'open' | 'rejected' | 'lapsed' | 'withdrawn'
  /** `agent`, `clock`, or `operator` followed by a name. */
  decided_by: string
  /** The operator's reason. */
  decision_note: string | null
  refunded_cents: number
}

export interface TrustChange {
  worker_id: string
  key: string
  cause: string
  good: number
  bad: number
  weight: number
  /** Set for a dispute: the worker can appeal from then on, and the event doesn't affect the level while pending. */
  pending_since?: Date
}

/** A change to the trust event of an earlier dispute. No effect if that dispute didn't affect trust. */
export interface PendingChange {
  worker_id: string
  key: string
  /** `appealed`: pending until the ruling. `settled`: no longer pending. */
  pending: 'appealed' | 'settled'
}

export const pendingTrust = (
  pending: PendingChange['pending'],
  { worker_id, id }: Assignment,
): PendingChange => ({ worker_id, key: `${id}:disputed`, pending })

/** Builds the trust change for a cause. The key makes it apply only once per assignment. */
export function touchTrust(cause: Cause, { worker_id, id }: Assignment, now: Date): TrustChange {
  const { good, bad } = CAUSES[cause]
  const scale = scaleOf(now)
  return {
    worker_id,
    key: `${id}:${cause}`,
    cause,
    good: good * scale,
    bad: bad * scale,
    weight: good - bad,
    ...(cause === 'disputed' ? { pending_since: now } : {}),
  }
}

/** Returns the task after the move, except for `event_sequence`. */
export function afterMove({ task, becomes }: Pick<Move, 'task' | 'becomes'>, now: Date): Task {
  const changed = { ...task, ...becomes, updated_at: now, version: task.version + 1 }
  const moved = { ...changed, decides_by: isDisputeHeld(changed) ? changed.decides_by : null }
  // A task that is decided again after a dispute keeps its first end time.
  return hasEnded(moved.status)
    ? { ...moved, escrow_cents: 0, ended_at: task.ended_at ?? now }
    : moved
}

export const isDisputeHeld = (task: Pick<Task, 'status' | 'status_reason'>) =>
  task.status === 'proof_submitted' && task.status_reason === 'dispute_held'

export const slotsOf = (task: Pick<Task, 'consensus_count' | 'slots_extra'>) =>
  task.consensus_count + task.slots_extra

/** Whether another worker can accept the task. Only then is it in the feed. */
export const hasFreeSlot = (
  task: Pick<Task, 'status' | 'slots_taken' | 'consensus_count' | 'slots_extra' | 'reported_at'>,
) =>
  (task.status === 'pending' || task.status === 'in_progress') &&
  task.slots_taken < slotsOf(task) &&
  task.reported_at === null

/** The task fields that ledger entries need. */
export const moneyOf = (task: Task) => ({
  mode: task.mode,
  shard: shardOf(task.id),
  taskId: task.id,
  agentId: task.agent_id,
  lockedCents: task.locked_cents,
  commissionBasisPoints: task.commission_basis_points,
  funding: task.funding,
})

interface Outcome {
  outcome: 'moved' | 'changed' | 'insufficient' | 'key_cap' | 'replayed' | 'mismatch'
  status: number | null
  answer: string | null
}

/** Moves tasks that this transaction has locked, so they can't have changed since they were read. */
export async function moveTasks(tx: Tx, moves: Move[], { now }: { now: Date }): Promise<Task[]> {
  if (moves.length === 0) return []
  const values = toArguments(moves.map((move) => ({ move, now })))
  const { rows } = await sql<Outcome>`
    select outcome, status, answer from move_tasks(${sql.join(values)}) order by item`.execute(tx)
  for (const [i, { outcome }] of rows.entries())
    assert.equal(outcome, 'moved', `${moves[i]!.task.id} was held and has ${outcome}`)
  return moves.map((move) => afterMove(move, now))
}

export interface KeyedMove {
  move: Move
  claim?: Claim | undefined
  /** The response body to store under the idempotency key. */
  answer?: string
}

interface QueuedMove extends KeyedMove {
  now: Date
}

const lanes = new WeakMap<Db, Map<number, Batcher<QueuedMove, Outcome>>>()

/** Moves a task without a lock. Concurrent moves are batched; each gets its own outcome. */
export function moveInBatch(
  db: Db,
  keyed: KeyedMove,
  { config, now }: { config: Pick<Config, 'SHARD_DATABASES'>; now: Date },
): Promise<Outcome> {
  const ofDb = lanes.get(db) ?? new Map<number, Batcher<QueuedMove, Outcome>>()
  lanes.set(db, ofDb)
  // A batch is one transaction, and a transaction can't span databases.
  const database = databaseOf(shardOf(keyed.move.task.id), config.SHARD_DATABASES)
  const lane =
    ofDb.get(database) ??
    batcher<QueuedMove, Outcome>({
      run: (items) =>
        db.call<Outcome & Record<string, unknown>>('move_tasks', MOVE, toArguments(items)),
      exclusive: ({ move }) => move.task.id,
    })
  ofDb.set(database, lane)
  return lane.add({ ...keyed, now })
}

const MOVE = `
  select outcome, status, answer
    from move_tasks($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21,
                    $22, $23, $24, $25, $26, $27, $28, $29, $30, $31)
   order by item`

function toArguments(items: QueuedMove[]): unknown[] {
  // Each move uses its own time for the task and the response. The ledger uses the time of the batch's first move.
  const { now } = items[0]!
  const moves = items.map(({ move, now: own }) => ({ ...move, moved: afterMove(move, own) }))
  const entries = moves.flatMap(({ entries = [] }, i) =>
    entries.filter(({ lines }) => lines.length > 0).map((entry) => ({ item: i + 1, entry })),
  )
  const claims = items.map(({ claim }) => claim)
  /** Collects rows from all moves, each tagged with its move's number. Null if there are none. */
  const rows = <Row extends object>(of: (move: (typeof moves)[number]) => Row[]) => {
    const all = moves.flatMap((move, i) => of(move).map((row) => ({ item: i + 1, ...row })))
    return all.length === 0 ? null : JSON.stringify(all)
  }
  return [
    now,
    moves.map(({ task }) => task.id),
    moves.map(({ task }) => task.version),
    moves.map(({ task }) => task.agent_id),
    moves.map(({ tipCents = 0 }) => tipCents),
    moves.map(({ moved }) => hasFreeSlot(moved)),
    moves.map(({ returnsFreeTask = false }) => returnsFreeTask),
    rows(({ moved, events = [], tipKeyId }) => [
      {
        ...taskRow(moved),
        event_sequence: moved.event_sequence + events.filter(isTold).length,
        tip_key_id: tipKeyId,
      },
    ]),
    rows(({ assignments = [] }) => assignments.map(assignmentRow)),
    rows<TrustChange | PendingChange>(({ trust = [], pendingTrust = [] }) => [
      ...trust,
      ...pendingTrust,
    ]),
    rows(({ dispute }) => {
      if (dispute === undefined) return []
      const row: { id: string | null } = 'id' in dispute ? dispute : { id: null, ...dispute }
      return [row]
    }),
    rows(({ events = [], task }) => {
      let sequence = task.event_sequence
      return events.map(({ type, data }) => ({
        id: mintId('evt', now, shardOf(task.id)),
        type,
        sequence: isTold({ type }) ? ++sequence : null,
        data,
      }))
    }),
    entries.map(({ item }) => item),
    ...toPostings(
      entries.map(({ entry }) => entry),
      now,
    ),
    claims.map((claim) => claim?.principal ?? null),
    claims.map((claim) => claim?.keyHash ?? null),
    claims.map((claim) => claim?.fingerprint ?? null),
    claims.map((claim) => (claim === undefined ? null : 200)),
    items.map(({ answer }) => answer ?? null),
  ]
}

const taskRow = (task: Task) => ({
  status: task.status,
  status_reason: task.status_reason,
  escrow_cents: task.escrow_cents,
  slots_taken: task.slots_taken,
  slots_extra: task.slots_extra,
  proofs_received: task.proofs_received,
  proof_at: task.proof_at,
  review_due_at: task.review_due_at,
  decides_by: task.decides_by,
  consensus: task.consensus,
  approved_by: task.approved_by,
  settlement: task.settlement,
  ended_at: task.ended_at,
  updated_at: task.updated_at,
})

const assignmentRow = (assignment: Assignment) => ({
  id: assignment.id,
  status: assignment.status,
  net_cents: assignment.net_cents,
  expires_at: assignment.expires_at,
  submitted_at: assignment.submitted_at,
  ended_at: assignment.ended_at,
  outcome: assignment.outcome,
  reason: assignment.reason,
  revision_note: assignment.revision_note,
  revisions: assignment.revisions,
})

/** Reads a task with its assignments, without locking. Concurrent requests share one round trip. */
export function readWork(db: Db, own: OwnTask) {
  const reader =
    readers.get(db) ??
    batcher<OwnTask, Work | undefined>({
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

const READ = `
  select t.*, array(select row_to_json(a) from assignments a where a.task_id = t.id
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
