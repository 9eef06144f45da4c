import type { agree } from '../agree.ts'
import type { DataOf } from '../command.ts'

export const renderAgree = ({ decision_id, state }: DataOf<typeof agree>): string[] => [
  state === 'done'
    ? `${decision_id} is carried out`
    : `${decision_id} is being carried out, and finishes automatically`,
]
