import { assignmentEnded, noSlot } from './errors.ts'
import { hasFreeSlot } from './moves.ts'
import type { Assignment, Task } from './queries.ts'

/** Whoever holds the task may send proof; whoever lost it to the clock may while nobody else has taken the slot. */
export function assertMayProve({ task, assignment }: { task: Task; assignment: Assignment }): void {
  if (assignment.status === 'accepted') return
  if (assignment.status !== 'expired') throw assignmentEnded({ status: assignment.status })
  if (!hasFreeSlot(task)) throw noSlot()
}
