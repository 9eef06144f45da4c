import { counted, plain } from '../../kit/words.ts'
import type { DataOf } from '../command.ts'
import type { jobs } from '../jobs.ts'

export const renderJobs = ({ dead }: DataOf<typeof jobs>): string[] =>
  dead.length === 0
    ? ['No jobs are out of attempts.']
    : dead.flatMap(({ job, count, since, last_error }) => [
        `${job}: ${counted(count, 'jobs')} out of attempts since ${since.toISOString().slice(0, 16)}Z`,
        `    ${plain(last_error ?? 'no error was recorded').slice(0, 200)}`,
        `    next: fix the cause, then ops jobs retry ${job}`,
      ])
