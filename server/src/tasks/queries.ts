import { type Selectable, sql } from 'kysely'
import type { Reader, Tx } from '../kit/db.ts'
import type { WorkerCaller } from '../kit/endpoint.ts'
import { idPattern } from '../kit/ids.ts'
import type { Schema } from '../kit/schema.ts'
import { assignmentNotFound, taskNotFound } from './errors.ts'

export type Task = Selectable<Schema['tasks']>
export type Assignment = Selectable<Schema['assignments']>
export type Proof = Selectable<Schema['proofs']>
/** What a worker's pages know of a task and an assignment, also of those whose agent is on another shard. */
export type WorkerTask = Selectable<Schema['worker_tasks']>
export type WorkerAssignment = Selectable<Schema['worker_assignments']>

/** A task with its assignments: the input of every verdict. */
export interface Work {
  task: Task
  /** Submitted assignments come first, in the order of their proofs. */
  assignments: Assignment[]
}

/** Assignments that the worker holds or completed. Must match the statuses of the index assignments_one_per_worker. */
const THEIRS: Assignment['status'][] = ['accepted', 'submitted', 'approved', 'disputed']
export const isTheirs = ({ status }: Pick<Assignment, 'status'>) => THEIRS.includes(status)

/** The reason of an assignment whose worker left because the place wasn't safe. */
export const UNSAFE = 'unsafe'
/** Status reason of a task whose only worker left so. */
export const UNSAFE_PLACE = 'unsafe_place'

/** Whether the worker left an unsafe place, and that counts as proof: it doesn't affect trust. */
export const hasLeftUnsafe = ({ status, reason }: Pick<Assignment, 'status' | 'reason'>) =>
  (status === 'submitted' || status === 'approved') && reason === UNSAFE

/** A test worker belongs to one agent and only has access to that agent's tasks. */
export const isWithin = (task: Pick<Task, 'mode' | 'agent_id'>, worker: WorkerCaller) =>
  task.mode === worker.mode && (worker.agentId ?? task.agent_id) === task.agent_id

export interface OwnTask {
  taskId: string
  agentId: string
  /** Restricts visibility to tasks created by this API key and its child keys. Null or absent: no restriction. */
  visibleKeyId?: string | null | undefined
}

/** Whether the task belongs to the agent and is visible to the calling key. */
export const isOwn = (task: Task, { agentId, visibleKeyId = null }: OwnTask): boolean =>
  task.agent_id === agentId &&
  (visibleKeyId === null || (task.key_path?.includes(visibleKeyId) ?? false))

const TASK_ID = idPattern('task')

/** Finds the agent's task. Another agent's task and an invalid id are both "not found", like one that never existed. */
export async function findTask(db: Reader, own: OwnTask): Promise<Task> {
  const task = await ownTask(db, own)?.executeTakeFirst()
  if (task === undefined || !isOwn(task, own)) throw taskNotFound()
  return task
}

/** Finds the agent's task with its assignments, and locks it until the transaction ends. */
/** The same without a lock, to show what a decision would do. */
export async function readWork(reader: Reader, own: OwnTask): Promise<Work> {
  const task = await ownTask(reader, own)?.executeTakeFirst()
  if (task === undefined || !isOwn(task, own)) throw taskNotFound()
  return { task, assignments: await assignmentsOf(reader, [task]) }
}

export async function lockWork(tx: Tx, own: OwnTask): Promise<Work> {
  const task = await ownTask(tx, own)?.forNoKeyUpdate().executeTakeFirst()
  if (task === undefined || !isOwn(task, own)) throw taskNotFound()
  return { task, assignments: await assignmentsOf(tx, [task]) }
}

/** Finds the worker's latest assignment for a task, and locks the task. */
export async function lockOwnAssignment(
  tx: Tx,
  { taskId, workerId }: { taskId: string; workerId: string },
): Promise<Work & { assignment: Assignment }> {
  // Check without a lock first, so nobody can lock a task that isn't theirs.
  if (!TASK_ID.test(taskId)) throw assignmentNotFound()
  const own = await tx
    .selectFrom('assignments')
    .select('id')
    .where('task_id', '=', taskId)
    .where('worker_id', '=', workerId)
    .executeTakeFirst()
  if (own === undefined) throw assignmentNotFound()

  const task = await tx
    .selectFrom('tasks')
    .selectAll()
    .where('id', '=', taskId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()
  const assignments = await assignmentsOf(tx, [task])
  const mine = assignments.filter(({ worker_id }) => worker_id === workerId)
  const assignment = mine.toSorted((a, b) => (a.id < b.id ? 1 : -1))[0]!
  return { task, assignments, assignment }
}

/** Locks the tasks and returns them with their assignments. Skips tasks that another transaction has locked. */
export async function lockFreeWork(tx: Tx, taskIds: string[]): Promise<Work[]> {
  const tasks = await tx
    .selectFrom('tasks')
    .selectAll()
    .where('id', 'in', taskIds)
    .orderBy('id')
    .forNoKeyUpdate()
    .skipLocked()
    .execute()
  if (tasks.length === 0) return []
  const assignments = await assignmentsOf(tx, tasks)
  return tasks.map((task) => ({
    task,
    assignments: assignments.filter(({ task_id }) => task_id === task.id),
  }))
}

/** A task with its owner. Queries for a task's related rows filter by both. */
export type OwnedTask = Pick<Task, 'id' | 'agent_id'>

export function assignmentsOf(db: Reader, tasks: OwnedTask[]): Promise<Assignment[]> {
  return db
    .selectFrom('assignments')
    .selectAll()
    .where('task_id', '=', sql<string>`any(${tasks.map(({ id }) => id)})`)
    .where('agent_id', '=', sql<string>`any(${tasks.map(({ agent_id }) => agent_id)})`)
    .orderBy('submitted_at', (order) => order.asc().nullsLast())
    .orderBy('id')
    .execute()
}

/** The proofs that count: the latest one of each assignment, in order of submission. */
export async function standingProofs(db: Reader, { id, agent_id }: OwnedTask): Promise<Proof[]> {
  const proofs = await db
    .selectFrom('proofs')
    .selectAll()
    .where('task_id', '=', id)
    .where('agent_id', '=', agent_id)
    .orderBy('id')
    .execute()
  const last = new Map(proofs.map((proof) => [proof.assignment_id, proof.id]))
  return proofs.filter((proof) => last.get(proof.assignment_id) === proof.id)
}

function ownTask(db: Reader, { taskId, agentId }: OwnTask) {
  if (!TASK_ID.test(taskId)) return undefined
  return db.selectFrom('tasks').selectAll().where('id', '=', taskId).where('agent_id', '=', agentId)
}

/** Finds the worker's latest assignment for a task, without locking. */
export async function findOwnAssignment(
  db: Reader,
  { taskId, workerId }: { taskId: string; workerId: string },
): Promise<{ task: Task; assignment: Assignment }> {
  if (!TASK_ID.test(taskId)) throw assignmentNotFound()
  const assignment = await latestPart(db, { taskId, workerId })
  if (assignment === undefined) throw assignmentNotFound()
  const task = await db
    .selectFrom('tasks')
    .selectAll()
    .where('id', '=', taskId)
    .where('agent_id', '=', assignment.agent_id)
    .executeTakeFirstOrThrow()
  return { task, assignment }
}

export const latestPart = (
  db: Reader,
  { taskId, workerId }: { taskId: string; workerId: string },
): Promise<Assignment | undefined> =>
  db
    .selectFrom('assignments')
    .selectAll()
    .where('task_id', '=', taskId)
    .where('worker_id', '=', workerId)
    .orderBy('id', 'desc')
    .executeTakeFirst()
