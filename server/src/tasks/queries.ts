import { type Selectable, sql } from 'kysely'
import type { Reader, Tx } from '../kit/db.ts'
import type { WorkerCaller } from '../kit/endpoint.ts'
import { idPattern } from '../kit/ids.ts'
import type { Schema } from '../kit/schema.ts'
import { assignmentNotFound, taskNotFound } from './errors.ts'

export type Task = Selectable<Schema['tasks']>
export type Assignment = Selectable<Schema['assignments']>
export type Proof = Selectable<Schema['proofs']>

/** A task with its slots: what every verdict is decided on. */
export interface Work {
  task: Task
  /** Who submitted comes first, in the order of their proofs. */
  assignments: Assignment[]
}

/** The statuses of the index assignments_one_per_worker: a slot that is, or was to its end, this worker's. */
const THEIRS: Assignment['status'][] = ['accepted', 'submitted', 'approved', 'disputed']
export const isTheirs = ({ status }: Assignment) => THEIRS.includes(status)

/** A worker of test mode belongs to one agent, and there is no other's task for it. */
export const isWithin = (task: Pick<Task, 'mode' | 'agent_id'>, worker: WorkerCaller) =>
  task.mode === worker.mode && (worker.agentId ?? task.agent_id) === task.agent_id

export interface OwnTask {
  taskId: string
  agentId: string
  /** Of the key that asks, where one does: it sees what this key and those below it have made. */
  sees?: string | null | undefined
}

/** The same in SQL, of a task `t`, or of the only table with a `key_path`. */
export const isSeenBy = (sees: string | null) =>
  sees === null ? sql<boolean>`true` : sql<boolean>`key_path @> array[${sees}]`

/** Whether it is the agent's, and the key that asks sees it. */
export const isOwn = (task: Task, { agentId, sees = null }: OwnTask): boolean =>
  task.agent_id === agentId && (sees === null || (task.key_path?.includes(sees) ?? false))

const TASK_ID = idPattern('task')

/** The agent's task; one of another agent, and what is no id at all, is as absent as one that never was. */
export async function findTask(db: Reader, own: OwnTask): Promise<Task> {
  const task = await ownTask(db, own)?.executeTakeFirst()
  if (task === undefined || !isOwn(task, own)) throw taskNotFound()
  return task
}

/** The same with its assignments, and held until the transaction ends. */
export async function lockWork(tx: Tx, own: OwnTask): Promise<Work> {
  const task = await ownTask(tx, own)?.forNoKeyUpdate().executeTakeFirst()
  if (task === undefined || !isOwn(task, own)) throw taskNotFound()
  return { task, assignments: await assignmentsOf(tx, [task]) }
}

/** The worker's own part in a task, the latest if there were several; the task is held. */
export async function lockOwnAssignment(
  tx: Tx,
  { taskId, workerId }: { taskId: string; workerId: string },
): Promise<Work & { assignment: Assignment }> {
  // Asked first without a lock: nobody may hold up a task that is none of theirs.
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

/** Those of the tasks that nobody else holds at this moment, held, with their assignments. */
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

/** A task together with its owner: reads of its parts name both. */
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

/** The proofs that count: the last one of each assignment, in the order in which they came. */
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

/** The worker's own part in a task, the latest if there were several; nobody is held up. */
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
