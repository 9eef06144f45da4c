import { counted } from '../../kit/words.ts'
import type { DataOf } from '../command.ts'
import type { eventsRetry } from '../events-retry.ts'

export const renderEventsRetry = ({ count }: DataOf<typeof eventsRetry>): string[] => [
  `${counted(count, 'notifications')} will be handled again`,
]
