import { counted } from '../../kit/words.ts'
import type { DataOf } from '../command.ts'
import type { jobsRetry } from '../jobs-retry.ts'

export const renderJobsRetry = ({ count }: DataOf<typeof jobsRetry>): string[] => [
  `${counted(count, 'jobs')} will run again`,
]
