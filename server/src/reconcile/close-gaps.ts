/**
 * Fetch notifications that the processor could not deliver, and handle them as if they had arrived.
 *
 *   called by   the clock, every hour
 *   moves       a notification: (none) → pending
 *   money       none; their subjects are settled when they are handled
 *   event       processor.notified (ours)
 */
import { z } from 'zod'
import { type Background, job } from '../kit/job.ts'
import { answered, ProcessorSilent } from '../processor/ask.ts'
import { type Processor, processorOf } from '../processor/client.ts'
import { storeNotification } from '../processor/events.ts'

/** The processor retries delivery for this long; it keeps events for thirty days. */
const BACK_MS = 3 * 86_400_000

export const closeGaps = job({
  name: 'reconcile.close-gaps',
  payload: z.unknown(),
  attemptsMax: 1,
  schedule: '23 * * * *',
  isGlobal: true,

  async run(background) {
    const processor = processorOf(background.config)
    if (processor === undefined) return
    try {
      await fetchUndelivered(background, processor)
    } catch (error) {
      // The next hourly run covers the same time again.
      if (!(error instanceof ProcessorSilent)) throw error
      background.log.warn({ error }, 'could not fetch undelivered notifications')
    }
  },
})

/** Returns how many were new. */
export async function fetchUndelivered(
  { db, clock }: Background,
  processor: Processor,
): Promise<number> {
  const now = clock.now()
  const createdFrom = new Date(now.getTime() - BACK_MS)
  let count = 0
  for await (const page of processor.listUndeliveredEvents({ createdFrom })) {
    const notifications = answered(page).filter(({ livemode }) => livemode === processor.livemode)
    for (const notification of notifications) {
      const isNew = await db.transaction((tx) =>
        storeNotification(tx, { source: 'list', notification, now }),
      )
      if (isNew) count += 1
    }
  }
  return count
}
