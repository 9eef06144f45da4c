/**
 * Appeal a dispute without a session, for a worker whose account is suspended or closed.
 *
 *   called by   the holder of the link to the page about the account decision, for the worker's own work
 *   moves       as an appeal in the app does
 *   money       none
 *   event       task.appealed
 */
import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { OwnDispute, viewOwnDispute } from '../tasks/dispute-view.ts'
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

  async handler({ tx, body: { token, task_id: taskId, statement }, config, now }) {
    const { id: workerId } = await workerByLink(tx, { token, now })
    const assignment = await appealDispute(tx, { taskId, workerId, statement, config, now })
    return { dispute: (await viewOwnDispute(tx, assignment, config))! }
  },
})
