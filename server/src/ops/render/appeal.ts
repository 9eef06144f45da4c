import type { appeal } from '../appeal.ts'
import type { DataOf } from '../command.ts'

export const renderAppeal = ({ appeal_id, task_id, ruling }: DataOf<typeof appeal>): string[] => [
  `${appeal_id} of ${task_id} is ${ruling}`,
]
