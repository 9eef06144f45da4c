import type { Config } from '../config.ts'
import type { Reader, Tx } from '../kit/db.ts'
import { type DueRow, type Sweep, sweep } from '../kit/job.ts'
import { requestWork, type WorkRequest } from './record-event.ts'

/**
 * A timer that requests work. `putOff` postpones the rows that are still due, as a retry in case the work gets lost,
 * and the work is requested in the same transaction. The result of the work sets when the row is due next.
 */
export function askWhenDue({
  name,
  isGlobal = false,
  isOn = () => true,
  due,
  putOff,
}: {
  name: string
  isGlobal?: boolean
  /** Whether the settings ask for it at all. */
  isOn?(config: Config): boolean
  due(db: Reader, at: { now: Date; limit: number }): Promise<DueRow[]>
  putOff(tx: Tx, of: { ids: string[]; now: Date }): Promise<WorkRequest[]>
}): Sweep {
  return sweep({
    name,
    isGlobal,
    due: async ({ db, config, clock }, limit) =>
      isOn(config) ? due(db.reader, { now: clock.now(), limit }) : [],
    move: ({ db, clock }, rows) =>
      db.transaction(async (tx) => {
        const now = clock.now()
        const works = await putOff(tx, { ids: rows.map(({ id }) => id), now })
        await requestWork(tx, works, { now })
        return works.length
      }),
  })
}
