/** Tasks that wait for their screening: rules found them doubtful, and a person decides before workers see them. */
import type { Tx } from '../kit/db.ts'
import { endWithoutVerdict } from '../tasks/end-without-verdict.ts'
import { showTaskAgain } from '../tasks/listing.ts'
import { moveTasks } from '../tasks/moves.ts'
import type { Task, Work } from '../tasks/queries.ts'
import { SCREENING } from '../tasks/view.ts'

export const isScreened = ({ status, status_reason }: Pick<Task, 'status' | 'status_reason'>) =>
  status === 'pending' && status_reason === SCREENING

/** How a screened task ends that is not cleared. Nobody could accept it, so the whole budget returns. */
export const SCREENED_OUT = {
  refused: { reason: 'screening_refused' },
  lapsed: { reason: 'screening_lapsed' },
} as const

export const endOf = (decision: keyof typeof SCREENED_OUT) => ({
  ...SCREENED_OUT[decision],
  status: 'cancelled' as const,
  payFor: { held: 0, submitted: 0 },
})

interface Decided {
  decision: 'cleared' | 'refused' | 'lapsed'
  note?: string | undefined
  now: Date
}

/** Ends the wait of a task that the transaction has locked. Returns the task, or undefined if it doesn't wait. */
export async function endScreening(
  tx: Tx,
  work: Work,
  { decision, note, now }: Decided,
): Promise<Task | undefined> {
  const waits = isScreened(work.task)
  const { numUpdatedRows } = await tx
    .updateTable('screenings')
    .set({ decision: waits ? decision : 'ended', decided_at: now })
    .where('task_id', '=', work.task.id)
    .where('decision', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 0n ? undefined : endScreeningOf(tx, work, { decision, note, now })
}

/** The same for the task alone: in test mode nothing else waits. */
export async function endScreeningOf(
  tx: Tx,
  work: Work,
  { decision, note, now }: Decided,
): Promise<Task | undefined> {
  if (!isScreened(work.task)) return undefined
  if (decision === 'cleared') return showTaskAgain(tx, work.task, now)
  const [ended] = await moveTasks(
    tx,
    [endWithoutVerdict(work, { ...endOf(decision), note, now })],
    { now },
  )
  return ended
}
