import type { DataOf } from '../command.ts'
import type { receiverPause } from '../receiver-pause.ts'

export const renderReceiverPause = ({
  receiver,
  until,
}: DataOf<typeof receiverPause>): string[] => [
  `${receiver} is paused until ${until.toISOString()}; new events wait`,
]
