/**
 * Show the worker's own profile: what they entered, and their record.
 *
 *   called by   a worker
 *   moves       nothing
 *   money       none
 *   event       none
 */
import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { judgedOf, payoutStatusOf, ProfileView, viewProfile } from './profile.ts'
import { callingWorker } from './queries.ts'

export const getProfile = endpoint({
  method: 'GET',
  path: '/worker/profile',
  name: 'getProfile',
  auth: 'worker',
  summary: 'Show your profile',
  success: { status: 200, body: z.object({ worker: ProfileView }) },
  errors: [],

  async handler({ db, worker, config, now }) {
    const judged = await judgedOf(db, worker.id, { config, now })
    const payoutStatus = await payoutStatusOf(db, worker.id)
    const row = await callingWorker(db, worker.id)
    return { worker: viewProfile(row, { judged, payoutStatus, now }) }
  },
})
