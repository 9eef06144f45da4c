import type { DataOf } from '../command.ts'
import type { dispute } from '../dispute.ts'

export const renderDispute = ({
  dispute: { id, status },
  task,
}: DataOf<typeof dispute>): string[] => [
  status === 'open'
    ? `${id} has taken effect; ${task.id} is ${task.status}, and the worker can appeal`
    : `${id} is rejected; ${task.id} is ${task.status}`,
]
