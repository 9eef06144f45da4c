/** Resume the deliveries to a receiver. */
import { resumeReceiver } from '../decisions/kinds/resume-receiver.ts'
import { command } from './command.ts'
import { decideNow, reasonOr } from './decide.ts'
import { receiverOf } from './receiver.ts'

export const receiverResume = command({
  name: 'receiver resume',
  takes: 'AGENT [HOST]',
  does: 'resume webhooks to a receiver now',
  right: 'operate',
  async run(background, { words, by }) {
    const { laneId } = receiverOf(words)
    const asked = { subject: laneId, input: {}, reason: reasonOr([]), by }
    return { data: await decideNow(background, resumeReceiver, asked) }
  },
})
