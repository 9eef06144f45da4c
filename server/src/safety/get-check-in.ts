/**
 * Show the worker's check-in, if there is one.
 *
 *   called by   a worker
 *   moves       nothing
 *   money       none
 *   event       none
 */
import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { checkInOf, CheckInView, viewCheckIn } from './check-ins.ts'

export const getCheckIn = endpoint({
  method: 'GET',
  path: '/worker/check-in',
  name: 'getCheckIn',
  auth: 'worker',
  summary: 'Show your check-in',
  success: { status: 200, body: z.object({ check_in: CheckInView.nullable() }) },
  errors: [],

  async handler({ db, worker }) {
    const row = await checkInOf(db, worker.id)
    return { check_in: row === undefined ? null : viewCheckIn(row) }
  },
})
