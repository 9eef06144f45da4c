/**
 * Client for `move_tasks`, the SQL function that applies a task transition with its ledger entries, trust changes,
 * events and stored response, atomically. It uses an optimistic lock: a move applies only if the task hasn't changed
 * since the operation read it.
 */
import assert from 'node:assert/strict'
import type { Config } from '../config.ts'
import { type Batcher, batcher } from '../kit/batch.ts'
import { call } from '../kit/call.ts'
import type { Db, Tx } from '../kit/db.ts'
import type { Claim } from '../kit/endpoint.ts'
import type {
  AssignmentChange,
  DisputeChange,
  Functions,
  NewEvent,
  TaskMove,
} from '../kit/functions.ts'
import { databaseOf, mintId, shardOf } from '../kit/ids.ts'
import { permitsOf } from '../kit/permits.ts'
import { currentTraceparent } from '../kit/traces.ts'
import { toLines } from '../ledger/journal.ts'
import type { Entry } from '../ledger/movements.ts'
import { isTold } from '../webhooks/record-event.ts'
import { CAUSES, type Cause, scaleOf } from '../workers/trust.ts'
import type { TaskEvent } from './events.ts'
import type { Assignment, Task } from './queries.ts'
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

/** Moves tasks that this transaction has locked, so they can't have changed since they were read. */
export async function moveTasks(tx: Tx, moves: Move[], { now }: { now: Date }): Promise<Task[]> {
  if (moves.length === 0) return []
  const traceparent = currentTraceparent()
  const queued = moves.map((move) => ({ move, now, traceparent }))
  const rows = await call(tx, 'move_tasks', toArguments(queued))
  for (const [i, { outcome }] of rows.entries())
    assert.equal(outcome, 'moved', `${moves[i]!.task.id} was locked, but the outcome is ${outcome}`)
  return moves.map((move) => afterMove(move, now))
}

export interface KeyedMove {
  move: Move
  claim?: Claim | undefined
  /** The response body to store under the idempotency key. */
  response?: string
}

interface QueuedMove extends KeyedMove {
  now: Date
  traceparent: string | undefined
}

type MoveOutcome = Functions['move_tasks']['row']

const lanes = new WeakMap<Db, Map<number, Batcher<QueuedMove, MoveOutcome>>>()

/** Moves a task without a lock. Concurrent moves are batched; each gets its own outcome. */
export function moveInBatch(
  db: Db,
  keyed: KeyedMove,
  { config, now }: { config: Pick<Config, 'SHARD_DATABASES'>; now: Date },
): Promise<MoveOutcome> {
  const ofDb = lanes.get(db) ?? new Map<number, Batcher<QueuedMove, MoveOutcome>>()
  lanes.set(db, ofDb)
  // A batch is one transaction, and a transaction can't span databases.
  const database = databaseOf(shardOf(keyed.move.task.id), config.SHARD_DATABASES)
  const lane =
    ofDb.get(database) ??
    batcher<QueuedMove, MoveOutcome>({
      name: 'move_tasks',
      run: (items) => call(db, 'move_tasks', toArguments(items)),
      exclusive: ({ move }) => move.task.id,
      permits: () => permitsOf(db, { of: 'move_tasks', atOnceMax: 2 }),
    })
  ofDb.set(database, lane)
  return lane.add({ ...keyed, now, traceparent: currentTraceparent() })
}

function toArguments(queued: QueuedMove[]): Functions['move_tasks']['args'] {
  // Each move uses its own time for the task and the response. The ledger uses the time of the batch's first move.
  const { now } = queued[0]!
  const items = queued.map((of, i) => ({ ...of, item: i + 1 }))
  let entry = 0
  return {
    p_now: now,
    p_moves: items.map(moveRow),
    p_lines: items.flatMap(({ item, move: { entries = [] } }) =>
      entries.flatMap((of) => toLines(of, { entry: ++entry, item, now })),
    ),
    p_assignments: items.flatMap(({ item, move: { assignments = [] } }) =>
      assignments.map((assignment) => assignmentRow(item, assignment)),
    ),
    p_trust: items.flatMap(({ item, move: { trust = [], pendingTrust = [] } }) => [
      ...trust.map((change) => ({ item, pending: null, pending_since: null, ...change })),
      ...pendingTrust.map((change) => ({ ...NO_CAUSE, item, ...change })),
    ]),
    p_disputes: items.flatMap(({ item, move: { dispute } }) =>
      dispute === undefined ? [] : [disputeRow(item, dispute)],
    ),
    p_events: items.flatMap((of) => eventRows(of, now)),
  }
}

function moveRow({ move, now, claim, response }: QueuedMove): TaskMove {
  const { task, tipCents = 0, tipKeyId, returnsFreeTask = false, events = [] } = move
  const moved = afterMove(move, now)
  return {
    task_id: task.id,
    version: task.version,
    agent_id: task.agent_id,
    tip_cents: tipCents,
    tip_key_id: tipKeyId,
    is_open: hasFreeSlot(moved),
    returns_free_task: returnsFreeTask,
    principal: claim?.principal,
    key_hash: claim?.keyHash,
    fingerprint: claim?.fingerprint,
    response,
    status: moved.status,
    status_reason: moved.status_reason,
    escrow_cents: moved.escrow_cents,
    slots_taken: moved.slots_taken,
    slots_extra: moved.slots_extra,
    proofs_received: moved.proofs_received,
    proof_at: moved.proof_at,
    review_due_at: moved.review_due_at,
    decides_by: moved.decides_by,
    consensus: moved.consensus,
    approved_by: moved.approved_by,
    settlement: moved.settlement,
    ended_at: moved.ended_at,
    updated_at: moved.updated_at,
    event_sequence: moved.event_sequence + events.filter(isTold).length,
  }
}

const assignmentRow = (item: number, assignment: Assignment): AssignmentChange => ({
  item,
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

const disputeRow = (item: number, dispute: NewDispute | HeldDecision): DisputeChange =>
  'id' in dispute
    ? { item, ...dispute, decided_by: null, decision_note: null }
    : {
        item,
        ...dispute,
        id: null,
        assignment_ids: null,
        reason: null,
        category: null,
        criteria: null,
        touches_trust: null,
        decides_by: null,
      }

function eventRows(of: QueuedMove & { item: number }, now: Date): NewEvent[] {
  const { item, move, traceparent } = of
  const { task, events = [] } = move
  let sequence = task.event_sequence
  return events.map(({ type, data }) => ({
    item,
    id: mintId('evt', now, shardOf(task.id)),
    type,
    sequence: isTold({ type }) ? ++sequence : null,
    data,
    traceparent,
  }))
}

/** Fields that only new trust events have. */
const NO_CAUSE = { cause: null, good: null, bad: null, weight: null, pending_since: null }
