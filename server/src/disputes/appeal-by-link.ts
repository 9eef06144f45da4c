/**
 * Appeal a dispute without a session, for a worker whose account is suspended or closed.
 *
 *   called by   the holder of the link to the page about the account decision, for the worker's own work
 *   moves       as an appeal in the app does
 *   money       none
 *   event       task.appealed
 */
import { z } from 'zod'
import type { Config } from '../config.ts'
import type { Db, Shards } from '../kit/db.ts'
import { answerWith, endpoint } from '../kit/endpoint.ts'
import { OwnDispute, readTrustPoints, viewOwnDispute } from '../tasks/dispute-view.ts'
import { assignmentNotFound } from '../tasks/errors.ts'
import { TaskId } from '../tasks/view.ts'
import { LINK_ERRORS, workerByLink } from '../workers/decisions.ts'
import { LinkToken } from '../workers/links.ts'
import { appealDispute, AppealStatement } from './appeal.ts'
import { appealTooLate, appealUsed, notDisputed } from './errors.ts'

export const appealByLink = endpoint({
  method: 'POST',
  path: '/worker/objections/appeal',
  name: 'appealByLink',
  auth: 'none',
  access: { by: 'mailed link', object: 'own' },
  summary: 'Appeal a dispute with a suspended or closed account',
  description:
    'Same as POST /worker/tasks/:id/appeal, for a worker without a session. `disputes` in GET ' +
    '/worker/objections lists the disputes that can be appealed.',
  body: z.object({ token: LinkToken, task_id: TaskId, statement: AppealStatement }),
  success: { status: 201, body: z.object({ dispute: OwnDispute }) },
  errors: [...LINK_ERRORS, assignmentNotFound, notDisputed, appealUsed, appealTooLate],

  transaction: 'own',
  async handler({ db, shards, body, config, now, warnings, recall, once }) {
    const earlier = await recall()
    if (earlier !== undefined) return earlier
    // The link is in the worker's shard, and the appeal in the task's. A repeated appeal returns the same response, so
    // it need not be stored in the same transaction.
    const appealed = appealOf({ db, shards }, { ...body, config, now })
    await Promise.allSettled([appealed])
    return once(async () => answerWith(201, { dispute: await appealed }, warnings))
  },
})

interface AppealByLink {
  token: string
  task_id: string
  statement: string
  config: Config
  now: Date
}

async function appealOf(
  { db, shards }: { db: Db; shards: Shards },
  { token, task_id: taskId, statement, config, now }: AppealByLink,
) {
  const { id: workerId } = await db.transaction((tx) => workerByLink(tx, { token, now }))
  const own = { taskId, workerId }
  const points = await readTrustPoints(shards.at(workerId).reader, own)
  return shards.at(taskId).transaction(async (tx) => {
    const assignment = await appealDispute(tx, { ...own, statement, config, now })
    return viewOwnDispute(tx, assignment, { config, readPoints: async () => points })
  })
}
