import type { DataOf } from '../command.ts'
import type { receiverResume } from '../receiver-resume.ts'

export const renderReceiverResume = ({ receiver }: DataOf<typeof receiverResume>): string[] => [
  `${receiver} receives the waiting events now`,
]
