import { named } from './command.ts'

/** Parses which receiver is meant: the agent's webhook_url, or a host of its callback_urls, which is never a number. */
export function receiverOf([agent, ...words]: string[]): { laneId: string; rest: string[] } {
  const agentId = named(agent, 'an agent')
  const [host] = words
  if (host === undefined || /^\d+$/.test(host)) return { laneId: agentId, rest: words }
  return { laneId: `${agentId} ${host.toLowerCase()}`, rest: words.slice(1) }
}
