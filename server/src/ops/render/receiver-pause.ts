import type { DataOf } from '../command.ts'
import type { receiverPause } from '../receiver-pause.ts'

export const renderReceiverPause = ({
  receiver,
  until,
}: DataOf<typeof receiverPause>): string[] => [
  `${receiver} rests until ${until.toISOString()}; what comes waits for it`,
]
