import type { DataOf } from '../command.ts'
import type { screening } from '../screening.ts'

export const renderScreening = ({ decision, task }: DataOf<typeof screening>): string[] => [
  decision === 'cleared'
    ? `${task.id} is ${task.status}; workers see it`
    : `${task.id} is ${task.status}; its budget is refunded`,
]
