/** Pause the deliveries to a receiver. */
import { pauseReceiver } from '../webhooks/pause-receiver.ts'
import { command, CommandRefused, Misunderstood, sentenceOf } from './command.ts'
import { receiverOf } from './receiver.ts'

const HOUR_MS = 3_600_000
/** A pause longer than the retry period of a delivery makes no sense. */
const PAUSE_HOURS_MAX = 24

export const receiverPause = command({
  name: 'receiver pause',
  takes: 'AGENT [HOST] HOURS REASON',
  does: 'pause webhooks to a receiver for some hours; HOST for callback_urls',
  right: 'operate',
  async run({ db, clock }, { words }) {
    const { laneId, rest } = receiverOf(words)
    const [hours, ...reason] = rest
    const until = new Date(clock.now().getTime() + hoursOf(hours) * HOUR_MS)
    sentenceOf(reason, 'a reason')
    const isKnown = await db.shards
      .at(laneId)
      .transaction((tx) => pauseReceiver(tx, { laneId, until }))
    if (!isKnown) throw new CommandRefused(`No webhook was ever sent to ${laneId}`)
    return { data: { receiver: laneId, until } }
  },
})

function hoursOf(word: string | undefined): number {
  const hours = /^\d{1,3}$/.test(word ?? '') ? Number(word) : 0
  if (hours < 1 || hours > PAUSE_HOURS_MAX)
    throw new Misunderstood(`The time must be a number of hours from 1 to ${PAUSE_HOURS_MAX}`)
  return hours
}
