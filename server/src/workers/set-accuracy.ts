import { sql } from 'kysely'
import type { Tx } from '../kit/db.ts'

/**
 * Stores the workers' estimated accuracy and returns how many rows have changed. All workers must be in one database.
 * Unchanged values are not written: most stay the same every night.
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
