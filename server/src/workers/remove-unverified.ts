/**
 * Delete accounts of workers who never verified their email. Anybody can create such accounts without a credential, so
 * they must not pile up.
 *
 *   called by   the clock, every night
 *   moves       the worker: unverified → deleted, UNVERIFIED_WORKER_DAYS after the registration
 *   money       none; an account with money or work is not deleted
 *   event       none
 */
import { z } from 'zod'
import { callForValue } from '../kit/call.ts'
import { job } from '../kit/job.ts'

const DELETED_TOGETHER = 500

export const removeUnverified = job({
  name: 'workers.remove-unverified',
  payload: z.unknown(),
  attemptsMax: 3,
  schedule: '41 3 * * *',

  async run({ db, clock, config }) {
    const before = new Date(clock.now().getTime() - config.UNVERIFIED_WORKER_DAYS * 86_400_000)
    for (;;) {
      const batch = { p_before: before, p_limit: DELETED_TOGETHER }
      const removed = await callForValue(db, 'workers_remove_unverified', batch)
      if (removed < DELETED_TOGETHER) return
    }
  },
})
