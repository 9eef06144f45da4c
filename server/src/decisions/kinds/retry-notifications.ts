/**
 * Retry the processor's notifications that were given up.
 *
 *   called by   an operator with the right `operate`
 *   moves       notifications: dead → pending
 *   money       what the notifications are about
 *   event       processor.notified (ours)
 */
import { z } from 'zod'
import { counted } from '../../kit/words.ts'
import { countDead, reviveEvents } from '../../processor/events.ts'
import { decision, NO_EFFECT } from '../decision.ts'

/** The subject is always `all`. */
export const retryNotifications = decision({
  kind: 'notifications.retry',
  right: 'operate',
  title: 'Retry the processor’s notifications',
  input: z.object({}),
  home: () => 'global',

  async preview({ db }) {
    const count = await countDead(db.shards.global.reader)
    return { ...NO_EFFECT, changes: [`${counted(count, 'notifications')} are handled again`] }
  },

  async carryOut({ db, clock }) {
    const count = await db.shards.global.transaction((tx) => reviveEvents(tx, { now: clock.now() }))
    return { count }
  },
})
