/**
 * Delete rows past their retention from every table whose comment names this job, in small batches. After a crash the
 * next run continues with the rest.
 *
 *   called by   the clock, every night
 *   moves       nothing
 *   money       none
 *   event       none
 */
import { z } from 'zod'
import { call } from '../kit/call.ts'
import { tryEach } from '../kit/everywhere.ts'
import { type Background, job } from '../kit/job.ts'

const DELETED_TOGETHER = 1000

export const removeExpired = job({
  name: 'runner.remove-expired',
  payload: z.unknown(),
  attemptsMax: 3,
  schedule: '31 3 * * *',
  isGlobal: true,

  async run({ db: { shards }, ...background }) {
    await tryEach(new Set([shards.global, ...shards.all]), (db) => removeIn({ ...background, db }))
  },
})

async function removeIn({
  db,
  clock,
  metrics,
}: Pick<Background, 'db' | 'clock' | 'metrics'>): Promise<void> {
  for (;;) {
    const batch = { p_now: clock.now(), p_limit: DELETED_TOGETHER }
    const rows = await call(db.reader, 'runner_remove_expired', batch)
    for (const { relation, deleted } of rows) metrics.expiredRows.inc({ table: relation }, deleted)
    if (rows.every(({ deleted }) => deleted < DELETED_TOGETHER)) return
  }
}
