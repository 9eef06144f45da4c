import { sql } from 'kysely'
import type { Tx } from '../kit/db.ts'

/**
 * Writes how often workers are taken to be right; answers how many have changed. All are of one database. What was
 * so before is not written again: every night most of them stay as they are.
 */
export async function setAccuracies(
  tx: Tx,
  accuracies: { workerId: string; accuracy: number }[],
): Promise<number> {
  const { numAffectedRows } = await sql`
    update workers w set accuracy = n.accuracy
      from unnest(${accuracies.map(({ workerId }) => workerId)}::text[],
                  ${accuracies.map(({ accuracy }) => accuracy)}::double precision[]) n(id, accuracy)
     where w.id = n.id and abs(w.accuracy - n.accuracy) > 0.0001`.execute(tx)
  return Number(numAffectedRows ?? 0)
}
