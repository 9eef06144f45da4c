/** Retry the background jobs that have used up their attempts. */
import { retryJobs } from '../decisions/kinds/retry-jobs.ts'
import { command } from './command.ts'
import { decideNow, reasonOr } from './decide.ts'

export const jobsRetry = command({
  name: 'jobs retry',
  takes: '[JOB] [REASON]',
  does: 'retry jobs that are out of attempts, all or those of one name',
  right: 'operate',
  async run(background, { words: [job, ...reason], by }) {
    const asked = { subject: job ?? 'all', input: {}, reason: reasonOr(reason), by }
    const data = await decideNow(background, retryJobs, asked)
    return { data, isBad: data.count === 0 }
  },
})
