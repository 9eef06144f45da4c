import type { agentRestrict } from '../agent-restrict.ts'
import type { DataOf } from '../command.ts'

export const renderAgentRestrict = ({ agent_id }: DataOf<typeof agentRestrict>): string[] => [
  `${agent_id} is restricted until someone runs \`ops agent free\``,
]
