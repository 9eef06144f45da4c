/**
 * Show a worker's public profile: their record, without contact details or location.
 *
 *   called by   anyone
 *   moves       nothing
 *   money       none
 *   event       none
 */
import { z } from 'zod'
import type { Config } from '../config.ts'
import type { Reader } from '../kit/db.ts'
import { endpoint } from '../kit/endpoint.ts'
import { idOf } from '../kit/ids.ts'
import { named } from '../kit/named.ts'
import { workerNotFound } from './errors.ts'
import { judgedOf, Standing, viewStanding } from './profile.ts'
import { findWorker } from './queries.ts'

export const getPublicProfile = endpoint({
  method: 'GET',
  path: '/worker/:id/public',
  name: 'getPublicProfile',
  auth: 'none',
  access: { by: 'anyone', object: 'public' },
  at: 'object',
  summary: 'Show a worker’s public profile',
  params: z.object({ id: idOf('worker', 'a worker').describe('`worker_` and 26 letters') }),
  success: {
    status: 200,
    body: z.object({
      worker: named(
        'Worker',
        z.object({
          id: z.string(),
          name: z.string(),
          ...Standing.shape,
          completed: z.int(),
          member_since: z.iso.datetime(),
        }),
      ),
    }),
  },
  errors: [workerNotFound],

  handler: ({ db, params, config, now }) => publicProfile(db, { workerId: params.id, config, now }),
})

async function publicProfile(
  db: Reader,
  { workerId, config, now }: { workerId: string; config: Pick<Config, 'APPEAL_HOURS'>; now: Date },
) {
  const worker = await findWorker(db, workerId)
  const isShown = worker.status !== 'unverified' && worker.status !== 'closed'
  // Test-mode workers are visible only to their agent.
  if (!isShown || worker.mode === 'test') throw workerNotFound()
  return {
    worker: {
      id: worker.id,
      name: worker.name,
      ...viewStanding(worker, await judgedOf(db, worker.id, { config, now }), now),
      completed: worker.approved_count,
      member_since: worker.created_at.toISOString(),
    },
  }
}
