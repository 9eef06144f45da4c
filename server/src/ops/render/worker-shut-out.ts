/** Text of a suspended or closed account. */
import { counted, plain } from '../../kit/words.ts'
import type { DataOf } from '../command.ts'
import type { workerSuspend } from '../worker-suspend.ts'
import { day } from './text.ts'

export function renderShutOut(decided: DataOf<typeof workerSuspend>): string[] {
  const { worker_id, kind, ends_at, reason, task_ids } = decided
  return [
    `${worker_id} is ${kind}${ends_at === null ? '' : ` until ${day(ends_at)}`}: ${plain(reason)}`,
    ...(task_ids.length === 0
      ? []
      : [`based on ${counted(task_ids.length, 'tasks')}: ${task_ids.join(', ')}`]),
    'All sessions have ended, and accepted tasks are being released. The worker is notified by ' +
      'email, with a link to object.',
  ]
}
