/** Pause the deliveries to a receiver. */
import { PAUSE_HOURS_MAX, pauseReceiver } from '../decisions/kinds/pause-receiver.ts'
import { command, Misunderstood, sentenceOf } from './command.ts'
import { decideNow } from './decide.ts'
import { receiverOf } from './receiver.ts'

export const receiverPause = command({
  name: 'receiver pause',
  takes: 'AGENT [HOST] HOURS REASON',
  does: 'pause webhooks to a receiver for some hours; HOST for callback_urls',
  right: 'operate',
  async run(background, { words, by }) {
    const { laneId, rest } = receiverOf(words)
    const [hours, ...reason] = rest
    const data = await decideNow(background, pauseReceiver, {
      subject: laneId,
      input: { hours: hoursOf(hours) },
      reason: sentenceOf(reason, 'a reason'),
      by,
    })
    return { data }
  },
})

function hoursOf(word: string | undefined): number {
  const hours = /^\d{1,3}$/.test(word ?? '') ? Number(word) : 0
  if (hours < 1 || hours > PAUSE_HOURS_MAX)
    throw new Misunderstood(`The time must be a number of hours from 1 to ${PAUSE_HOURS_MAX}`)
  return hours
}
