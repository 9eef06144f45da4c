import type { DataOf } from '../command.ts'
import type { report } from '../report.ts'

export function renderReport({ verdict, task }: DataOf<typeof report>): string[] {
  if (verdict === 'cleared') return [`${task.id} is ${task.status}, as if nothing was said`]
  return [
    task.status === 'cancelled'
      ? `${task.id} is cancelled; its workers are paid as if the agent had done so`
      : `${task.id} stays ${task.status}: what was done for it is judged and paid`,
  ]
}
