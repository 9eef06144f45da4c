/**
 * Show a task whole: its proofs, its money, what has happened to it. With `wait`, hold the answer until that changes.
 *
 *   called by   the agent that owns the task
 *   moves       nothing
 *   money       none
 *   event       none
 */
import { z } from 'zod'
import type { Reader } from '../kit/db.ts'
import { endpoint } from '../kit/endpoint.ts'
import { taskTransactions, Transaction } from '../ledger/statement.ts'
import { taskNotFound } from './errors.ts'
import { findTask, type Task } from './queries.ts'
import { hasEnded } from './status.ts'
import { TaskId, TaskView, viewTask } from './view.ts'
import { untilChanged } from './watch.ts'

const TaskDetail = TaskView.extend({
  assignments: z.array(z.never()).describe('The workers’ slots'),
  proofs: z.array(z.never()),
  transactions: z.array(Transaction).describe('What the task did to your wallet'),
  timeline: z.array(z.object({ at: z.iso.datetime(), event: z.string() })),
})

export const get = endpoint({
  method: 'GET',
  path: '/tasks/:id',
  auth: 'agent',
  summary: 'Show a task',
  params: z.object({ id: TaskId }),
  query: z.object({
    wait: z.coerce
      .number({ error: 'must be a number' })
      .min(0)
      .max(55)
      .default(0)
      .describe('Seconds to hold the answer until the task changes, at most 55'),
  }),
  success: { status: 200, body: z.object({ task: TaskDetail }) },
  errors: [taskNotFound],

  async answer({ db, agent, params, query, whileWanted }) {
    const own = { taskId: params.id, agentId: agent.id }
    let task = await findTask(db.reader, own)
    if (query.wait > 0 && !hasEnded(task.status)) {
      await untilChanged(db, {
        task,
        waitMs: query.wait * 1000,
        signal: whileWanted(),
      })
      task = await findTask(db.reader, own)
    }
    const body = JSON.stringify({ task: await detail(db.reader, task) })
    return { status: 200, body, isReplay: false }
  },
})

async function detail(db: Reader, task: Task): Promise<z.output<typeof TaskDetail>> {
  return {
    ...viewTask(task),
    assignments: [],
    proofs: [],
    transactions: await taskTransactions(db, task.id),
    timeline: timelineOf(task),
  }
}

function timelineOf(task: Task) {
  const steps = [{ at: task.created_at.toISOString(), event: 'task.created' }]
  if (task.ended_at !== null)
    steps.push({ at: task.ended_at.toISOString(), event: `task.${task.status}` })
  return steps
}
