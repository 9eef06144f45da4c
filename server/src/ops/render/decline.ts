import type { DataOf } from '../command.ts'
import type { decline } from '../decline.ts'

export const renderDecline = ({ decision_id }: DataOf<typeof decline>): string[] => [
  `${decision_id} is declined`,
]
