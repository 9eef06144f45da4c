import type { PreparedFile } from '../files/intake.ts'
import { assignmentEnded, noSlot } from './errors.ts'
import { hasFreeSlot } from './moves.ts'
import type { ProofInput } from './proof-fields.ts'
import type { Assignment, Task, Work } from './queries.ts'

/** A worker who holds the task may submit proof. One whose time ran out still may, while a slot is free. */
export function assertMayProve({ task, assignment }: { task: Task; assignment: Assignment }): void {
  if (assignment.status === 'accepted') return
  if (assignment.status !== 'expired') throw assignmentEnded({ status: assignment.status })
  if (!hasFreeSlot(task)) throw noSlot()
}

interface Check {
  name: string
  result: 'pass' | 'warn' | 'fail'
  note: string
}

/** Automated checks of a proof, for the agent's information. They never reject a proof. */
export function checkProof(
  { task, assignment }: Work & { assignment: Assignment },
  {
    input,
    answer,
    files,
    isUnsafe,
    now,
  }: {
    input: ProofInput
    answer: unknown
    files: PreparedFile[]
    isUnsafe: boolean
    now: Date
  },
): Check[] {
  const isUnanswered = task.answer_schema !== null && answer === null && input.outcome === 'done'
  return [
    ...files.flatMap(({ checks }) => checks),
    ...checkTime(assignment, input, now),
    ...(isUnanswered ? [NO_ANSWER] : []),
    ...(isUnsafe ? [LEFT_UNSAFE] : []),
  ]
}

const LEFT_UNSAFE: Check = {
  name: 'safety',
  result: 'warn',
  note: 'The worker left because the place was not safe',
}

const NO_ANSWER: Check = {
  name: 'answer',
  result: 'warn',
  note: 'The question has a typed answer, but this proof does not contain one',
}

function checkTime({ accepted_at }: Assignment, { capturedAt }: ProofInput, now: Date): Check[] {
  if (capturedAt === null) return []
  const isWithin = capturedAt >= accepted_at && capturedAt <= now
  return [
    isWithin
      ? { name: 'captured_at', result: 'pass', note: 'Captured between acceptance and submission' }
      : {
          name: 'captured_at',
          result: 'warn',
          note: 'Not captured between acceptance and submission',
        },
  ]
}
