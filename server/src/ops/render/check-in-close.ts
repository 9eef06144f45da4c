import type { checkInClose } from '../check-in-close.ts'
import type { DataOf } from '../command.ts'

export const renderCheckInClose = ({ worker_id }: DataOf<typeof checkInClose>): string[] => [
  `The missed check-in of ${worker_id} is closed`,
]
