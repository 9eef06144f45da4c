/** Shared by the commands that suspend and close a worker's account. */
import { Misunderstood, named, type Request, sentenceOf, wholeOf } from './command.ts'

const DAYS_MAX = 365
const TASKS_MAX = 20

export function readShutOut({
  words: [worker, ...reason],
  options,
  by,
}: Request<'--tasks' | '--days'>) {
  const { '--tasks': tasks, '--days': days } = options
  const taskIds = tasks?.split(',').filter((id) => id !== '') ?? []
  if (taskIds.length > TASKS_MAX)
    throw new Misunderstood(`Give tasks as a number from 1 to ${TASKS_MAX}`)
  return {
    subject: named(worker, 'a worker'),
    input: {
      tasks: taskIds,
      ...(days !== undefined && { days: wholeOf(days, 'the days', { max: DAYS_MAX }) }),
    },
    reason: sentenceOf(reason, 'a reason, which the worker sees'),
    by,
  }
}
