/** How long the slots of a suspended or closed worker are looked for: see `server/src/tasks/hand-back.ts`. */
import type { Reader, Tx } from '../kit/db.ts'

/**
 * A request that was let in before the decision may still take a slot. It has ended by then: a statement takes at most
 * seconds, and a transaction that idles is ended after 15.
 */
const WATCHED_MS = 120_000
const AGAIN_MS = 5_000

export interface HandBack {
  id: string
  worker_id: string
  decided_at: Date
}

/** The worker whose slots to hand back; undefined when there is nothing left to do. */
export const findHandBack = (db: Reader, decisionId: string): Promise<HandBack | undefined> =>
  db
    .selectFrom('worker_decisions')
    .select(['id', 'worker_id', 'decided_at'])
    .where('id', '=', decisionId)
    .where('hand_back_at', 'is not', null)
    .executeTakeFirst()

/** Sets the time of the next look, or none: the worker holds nothing, and can no longer take anything. */
export async function putOffHandBack(
  tx: Tx,
  { id, decided_at }: HandBack,
  { isEmpty, now }: { isEmpty: boolean; now: Date },
): Promise<boolean> {
  const isDone = isEmpty && now.getTime() - decided_at.getTime() >= WATCHED_MS
  const { numUpdatedRows } = await tx
    .updateTable('worker_decisions')
    .set({ hand_back_at: isDone ? null : new Date(now.getTime() + AGAIN_MS) })
    .where('id', '=', id)
    .where('hand_back_at', 'is not', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
