/** Shared by the commands that suspend and close a worker's account. */
import type { Background } from '../kit/job.ts'
import { shutOutWorker } from '../workers/shut-out.ts'
import { named, type Request, sentenceOf, wholeOf } from './command.ts'

const DAYS_MAX = 365
const TASKS_MAX = 20

export async function shutOut(
  { db, clock, config }: Background,
  { words: [worker, ...reason], options, operator }: Request<'--tasks' | '--days'>,
  kind: 'suspended' | 'closed',
) {
  const { '--tasks': tasks, '--days': days } = options
  const taskIds = tasks?.split(',').filter((id) => id !== '') ?? []
  if (taskIds.length > TASKS_MAX) wholeOf(String(taskIds.length), 'tasks', { max: TASKS_MAX })
  const request = {
    workerId: named(worker, 'a worker'),
    kind,
    reason: sentenceOf(reason, 'a reason, which the worker sees'),
    taskIds,
    days: days === undefined ? undefined : wholeOf(days, 'the days', { max: DAYS_MAX }),
    operator,
    config,
    now: clock.now(),
  }
  const data = await db.shards.at(request.workerId).transaction((tx) => shutOutWorker(tx, request))
  return { data, isBad: 'refusal' in data }
}
