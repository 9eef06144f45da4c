/**
 * Decide about a task that waits for its screening.
 *
 *   called by   an operator with the right `rule`
 *   moves       refused: pending → cancelled; cleared: none, workers see it
 *   money       refused: escrow → wallet, or promotional fund for a free task; cleared: none
 *   event       refused: task.cancelled, with the reason
 */
import { z } from 'zod'
import { decideScreening } from '../../moderation/decide-screening.ts'
import { endOf, isScreened } from '../../moderation/screenings.ts'
import { endWithoutVerdict } from '../../tasks/end-without-verdict.ts'
import { readWork } from '../../tasks/queries.ts'
import { decision } from '../decision.ts'
import { decisionRefused } from '../errors.ts'
import { linesOf } from '../lines.ts'

export const decideTaskScreening = decision({
  kind: 'screening.decide',
  right: 'rule',
  title: 'Decide about a doubtful task',
  input: z.object({ decision: z.enum(['cleared', 'refused']) }),

  async preview({ db, clock }, { subject: taskId, input }) {
    const { reader } = db.shards.at(taskId)
    const task = await reader
      .selectFrom('tasks')
      .select(['agent_id', 'status', 'status_reason'])
      .where('id', '=', taskId)
      .executeTakeFirst()
    if (task === undefined || !isScreened(task)) throw notWaiting(taskId)
    if (input.decision === 'cleared')
      return {
        amount_cents: null,
        lines: [],
        tells: [],
        changes: ['Workers see the task and can take it'],
        undo: null,
      }
    const work = await readWork(reader, { taskId, agentId: task.agent_id })
    const move = endWithoutVerdict(work, { ...endOf('refused'), now: clock.now() })
    return {
      amount_cents: null,
      lines: await linesOf(db.shards, move.entries ?? []),
      tells: [
        {
          who: 'agent',
          id: task.agent_id,
          what: 'task.cancelled with your reason: webhook and event log',
        },
      ],
      changes: ['The task is canceled'],
      undo: null,
    }
  },

  async carryOut({ db, clock }, { subject: taskId, input, reason }) {
    const decided = await db.shards
      .at(taskId)
      .transaction((tx) =>
        decideScreening(tx, { taskId, decision: input.decision, note: reason, now: clock.now() }),
      )
    if (decided === undefined) throw notWaiting(taskId)
    return { decision: input.decision, task: { id: taskId, status: decided.status } }
  },

  async findDone({ db }, { subject: taskId, input, since }) {
    const { reader } = db.shards.at(taskId)
    const decided = await reader
      .selectFrom('screenings')
      .innerJoin('tasks', 'tasks.id', 'screenings.task_id')
      .select('tasks.status')
      .where('task_id', '=', taskId)
      .where('decision', '=', input.decision)
      .where('decided_at', '>=', since)
      .executeTakeFirst()
    return decided && { decision: input.decision, task: { id: taskId, status: decided.status } }
  },
})

const notWaiting = (taskId: string) =>
  decisionRefused({ why: `${taskId} does not wait for its screening` })
