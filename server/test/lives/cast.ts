/** Agents with money and workers with tokens, made for a load that then uses nothing but the HTTP API. */
import { steppedClock } from '../stepped-clock.ts'
import { Marketplace, startOn } from '../harness.ts'

const BALANCE_CENTS = 50_000_000
/** Enough approved tasks for every level. */
const APPROVALS = 100

export interface Party {
  id: string
  /** An agent's API key or a worker's token. */
  bearer: string
}

export interface Cast {
  agents: Party[]
  workers: Party[]
}

/**
 * Registers agents through `base`, and writes their money and the workers directly into the database. The server at
 * `base` must verify tokens with the same `workerTokenKeys`.
 */
export async function recruit({
  databaseUrl,
  base,
  workerTokenKeys,
  agents = 4,
  workers = 8,
}: {
  databaseUrl: string
  base: string
  workerTokenKeys: string
  agents?: number
  workers?: number
}): Promise<Cast> {
  const settings = { WORKER_TOKEN_KEYS: workerTokenKeys, LOG_LEVEL: 'silent' }
  const server = await startOn(databaseUrl, { roles: [], clock: 'real', settings })
  const reachable = { ...server, addresses: { api: base } }
  const market = new Marketplace(databaseUrl, reachable, steppedClock(), {})
  try {
    const cast: Cast = { agents: [], workers: [] }
    for (let i = 0; i < agents; i += 1) {
      const agent = await market.agent({ balanceCents: BALANCE_CENTS, freeTasks: false })
      cast.agents.push({ id: agent.id, bearer: agent.api_key })
    }
    for (let i = 0; i < workers; i += 1) {
      const worker = await market.worker({ approvals: APPROVALS })
      cast.workers.push({ id: worker.id, bearer: worker.token })
    }
    return cast
  } finally {
    await server.stop()
  }
}
