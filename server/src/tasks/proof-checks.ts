import type { PreparedFile } from '../files/intake.ts'
import type { ProofInput } from './proof-fields.ts'
import type { Assignment, Work } from './queries.ts'

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
    now,
  }: { input: ProofInput; answer: unknown; files: PreparedFile[]; now: Date },
): Check[] {
  const isUnanswered = task.answer_schema !== null && answer === null && input.outcome === 'done'
  return [
    ...files.flatMap(({ checks }) => checks),
    ...checkTime(assignment, input, now),
    ...(isUnanswered ? [NO_ANSWER] : []),
  ]
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
