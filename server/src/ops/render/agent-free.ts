import type { agentFree } from '../agent-free.ts'
import type { DataOf } from '../command.ts'

export const renderAgentFree = ({ agent_id }: DataOf<typeof agentFree>): string[] => [
  `${agent_id} can create tasks again`,
]
