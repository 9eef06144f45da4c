import type { DataOf } from '../command.ts'
import type { receiverResume } from '../receiver-resume.ts'

export const renderReceiverResume = ({ receiver }: DataOf<typeof receiverResume>): string[] => [
  `${receiver} is sent what waits for it`,
]
