/** Retry the processor's notifications that were given up. */
import { retryNotifications } from '../decisions/kinds/retry-notifications.ts'
import { command } from './command.ts'
import { decideNow, reasonOr } from './decide.ts'

export const eventsRetry = command({
  name: 'events retry',
  takes: '[REASON]',
  does: 'retry notifications that failed for good',
  right: 'operate',
  async run(background, { words, by }) {
    const asked = { subject: 'all', input: {}, reason: reasonOr(words), by }
    return { data: await decideNow(background, retryNotifications, asked) }
  },
})
