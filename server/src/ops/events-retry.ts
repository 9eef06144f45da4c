/** Retry the processor's notifications that were given up. */
import { reviveEvents } from '../processor/events.ts'
import { command } from './command.ts'

export const eventsRetry = command({
  name: 'events retry',
  takes: '',
  does: 'retry notifications that failed for good',
  right: 'operate',
  async run({ db, clock }) {
    const count = await db.transaction((tx) => reviveEvents(tx, { now: clock.now() }))
    return { data: { count } }
  },
})
