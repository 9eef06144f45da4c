import { assignmentEnded, noSlot } from './errors.ts'
import { hasFreeSlot } from './moves.ts'
import type { Assignment, Task } from './queries.ts'

/** A worker who holds the task may submit proof. One whose time ran out still may, while a slot is free. */
export function assertMayProve({ task, assignment }: { task: Task; assignment: Assignment }): void {
  if (assignment.status === 'accepted') return
  if (assignment.status !== 'expired') throw assignmentEnded({ status: assignment.status })
  if (!hasFreeSlot(task)) throw noSlot()
}
