/**
 * Maintain the log partitions: create the current one and the next two, drop those past their retention.
 *
 *   called by   the clock, every six hours; `server migrate`
 *   moves       nothing
 *   money       none
 *   event       none
 */
import { z } from 'zod'
import { call } from '../kit/call.ts'
import { tryEach } from '../kit/everywhere.ts'
import { job } from '../kit/job.ts'

export const maintain = job({
  name: 'runner.maintain',
  payload: z.unknown(),
  attemptsMax: 5,
  schedule: '7 */6 * * *',
  isGlobal: true,

  async run({ db: { shards } }) {
    await tryEach(new Set([shards.global, ...shards.all]), async ({ reader }) => {
      await call(reader, 'maintain_partitions', {})
    })
  },
})
