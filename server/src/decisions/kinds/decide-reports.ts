/**
 * Decide the reports about a task.
 *
 *   called by   an operator with the right `rule`
 *   moves       see moderation/decide-report.ts
 *   money       upheld: escrow → workers, wallet; cleared: none
 *   event       upheld: task.cancelled
 */
import { z } from 'zod'
import { decideReport, REPORTED } from '../../moderation/decide-report.ts'
import { endWithoutVerdict } from '../../tasks/end-without-verdict.ts'
import { readWork } from '../../tasks/queries.ts'
import { canMove } from '../../tasks/status.ts'
import { decision } from '../decision.ts'
import { decisionRefused } from '../errors.ts'
import { linesOf } from '../lines.ts'

export const decideReports = decision({
  kind: 'report.decide',
  right: 'rule',
  title: 'Decide the reports about a task',
  input: z.object({ verdict: z.enum(['cleared', 'upheld']) }),

  async preview({ db, config, clock }, { subject: taskId, input: { verdict } }) {
    const { reader } = db.shards.at(taskId)
    const task = await reader
      .selectFrom('tasks')
      .select(['agent_id', 'status'])
      .where('id', '=', taskId)
      .executeTakeFirst()
    const open = await reader
      .selectFrom('task_reports')
      .select('task_id')
      .where('task_id', '=', taskId)
      .where('verdict', 'is', null)
      .executeTakeFirst()
    if (task === undefined || open === undefined) throw noReports(taskId)
    const isCancelled = verdict === 'upheld' && canMove(task.status, 'cancelled')
    if (!isCancelled)
      return {
        amount_cents: null,
        lines: [],
        tells: [],
        changes: [
          verdict === 'cleared'
            ? 'Workers can take the task again'
            : 'The task has ended or awaits its verdict, so it isn’t canceled',
        ],
        undo: null,
      }
    const work = await readWork(reader, { taskId, agentId: task.agent_id })
    const move = endWithoutVerdict(work, { ...REPORTED(config), now: clock.now() })
    return {
      amount_cents: null,
      lines: await linesOf(db.shards, move.entries ?? []),
      tells: [
        {
          who: 'agent',
          id: task.agent_id,
          what: 'task.cancelled: webhook; your reason and how to object: email',
        },
        ...(move.assignments ?? []).map(({ worker_id: id }) => ({
          who: 'worker' as const,
          id,
          what: 'that the task was canceled, and what they get: in the app',
        })),
      ],
      changes: ['The task is canceled'],
      undo: null,
    }
  },

  async carryOut({ db, clock, config }, { subject: taskId, input: { verdict } }) {
    const decided = await db.shards
      .at(taskId)
      .transaction((tx) => decideReport(tx, { taskId, verdict }, { config, now: clock.now() }))
    if (decided === undefined) throw noReports(taskId)
    return { verdict, task: { id: taskId, status: decided.status } }
  },

  async findDone({ db }, { subject: taskId, input: { verdict }, since }) {
    const { reader } = db.shards.at(taskId)
    const decided = await reader
      .selectFrom('task_reports')
      .innerJoin('tasks', 'tasks.id', 'task_reports.task_id')
      .select('tasks.status')
      .where('task_id', '=', taskId)
      .where('verdict', '=', verdict)
      .where('decided_at', '>=', since)
      .executeTakeFirst()
    return decided && { verdict, task: { id: taskId, status: decided.status } }
  },
})

const noReports = (taskId: string) =>
  decisionRefused({ why: `There are no open reports about ${taskId}` })
