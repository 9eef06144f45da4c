import type { DataOf } from '../command.ts'
import type { report } from '../report.ts'

export function renderReport({ verdict, task }: DataOf<typeof report>): string[] {
  if (verdict === 'cleared') return [`${task.id} is ${task.status}; the reports were cleared`]
  return [
    task.status === 'cancelled'
      ? `${task.id} is cancelled; its workers are paid as if the agent had cancelled it`
      : `${task.id} stays ${task.status}: finished work is reviewed and paid`,
  ]
}
