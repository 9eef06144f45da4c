/** How long to look for slots of a suspended or closed worker. See `server/src/tasks/hand-back.ts`. */
import type { Reader, Tx } from '../kit/db.ts'

/**
 * A request that was authenticated before the decision may still take a slot. After this time none is left: a statement
 * takes at most seconds, and an idle transaction is ended after 15.
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

/** Schedules the next check, or none if the worker holds no slot and can no longer take one. */
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
