/** Resume the deliveries to a receiver. */
import { resumeReceiver } from '../webhooks/pause-receiver.ts'
import { command, CommandRefused } from './command.ts'
import { receiverOf } from './receiver.ts'

export const receiverResume = command({
  name: 'receiver resume',
  takes: 'AGENT [HOST]',
  does: 'resume webhooks to a receiver now',
  right: 'operate',
  async run({ db, clock }, { words }) {
    const { laneId } = receiverOf(words)
    const isKnown = await db.shards
      .at(laneId)
      .transaction((tx) => resumeReceiver(tx, { laneId, now: clock.now() }))
    if (!isKnown) throw new CommandRefused(`No webhook was ever sent to ${laneId}`)
    return { data: { receiver: laneId } }
  },
})
