/**
 * Reply to an appeal: the agent explains why its dispute is right. After that an operator decides.
 *
 *   called by   the agent that disputed, once, within 48 hours of the appeal. The same text again returns the same
 *               response
 *   moves       nothing
 *   money       none
 *   event       none
 */
import { z } from 'zod'
import type { Tx } from '../kit/db.ts'
import { endpoint } from '../kit/endpoint.ts'
import { idOf } from '../kit/ids.ts'
import {
  type Appeal,
  appealsOf,
  type Dispute,
  disputeOf,
  DisputeView,
  viewDispute,
} from '../tasks/dispute-view.ts'
import { taskNotFound } from '../tasks/errors.ts'
import { lockWork, type OwnTask } from '../tasks/queries.ts'
import { TaskId } from '../tasks/view.ts'
import { answerTooLate, appealAnswered, noAppeal } from './errors.ts'

export const replyToAppeal = endpoint({
  method: 'POST',
  path: '/tasks/:id/dispute/answer',
  name: 'replyToAppeal',
  auth: 'agent',
  scope: 'review',
  access: { object: 'own' },
  summary: 'Reply to an appeal of your dispute',
  description: 'An operator then decides. If you don’t reply in time, the worker wins.',
  params: z.object({ id: TaskId }),
  body: z.object({
    statement: z.string().trim().min(1).max(2000).describe('Shown to the worker'),
    appeal_id: idOf('apl', 'an appeal')
      .optional()
      .describe('If several workers have appealed: only this appeal; by default all open ones'),
  }),
  success: { status: 200, body: z.object({ dispute: DisputeView }) },
  errors: [taskNotFound, noAppeal, appealAnswered, answerTooLate],

  async handler({ tx, agent, params, body, now }) {
    const { dispute, appeals } = await replyToAppeals(tx, {
      taskId: params.id,
      agentId: agent.id,
      visibleKeyId: agent.visibleKeyId,
      statement: body.statement,
      appealId: body.appeal_id,
      now,
    })
    return { dispute: viewDispute(dispute, appeals) }
  },
})

export async function replyToAppeals(
  tx: Tx,
  {
    taskId,
    agentId,
    visibleKeyId,
    statement,
    appealId,
    now,
  }: OwnTask & {
    statement: string
    appealId: string | undefined
    now: Date
  },
): Promise<{ dispute: Dispute; appeals: Appeal[] }> {
  const { task } = await lockWork(tx, { taskId, agentId, visibleKeyId })
  const asked = (await appealsOf(tx, task)).filter(
    ({ id }) => appealId === undefined || id === appealId,
  )
  const waiting = asked.filter(
    ({ ruling, agent_answer }) => ruling === null && agent_answer === null,
  )
  const inTime = waiting.filter(({ agent_until }) => now < agent_until)
  const said = asked.filter(({ agent_answer }) => agent_answer === statement)
  const newest = inTime.at(-1) ?? said.at(-1)
  if (newest === undefined) throw refusal(asked, waiting)

  if (inTime.length > 0)
    await tx
      .updateTable('appeals')
      .set({ agent_answer: statement, answered_at: now })
      .where(
        'id',
        'in',
        inTime.map(({ id }) => id),
      )
      .where('agent_answer', 'is', null)
      .where('ruling', 'is', null)
      .execute()
  return { dispute: await disputeOf(tx, newest), appeals: await appealsOf(tx, task) }
}

function refusal(asked: Appeal[], waiting: Appeal[]) {
  const late = waiting.at(-1)
  if (late !== undefined) return answerTooLate({ agent_until: late.agent_until.toISOString() })
  const isAnswered = asked.some(
    ({ ruling, agent_answer }) => ruling === null && agent_answer !== null,
  )
  return isAnswered ? appealAnswered() : noAppeal()
}
