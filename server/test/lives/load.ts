/**
 * Tasks that live through real faults: each is created, accepted, proved and decided over HTTP. Clients repeat a
 * request with the same key until it is acknowledged, and log every acknowledgement. Some responses are lost on
 * purpose, some requests are sent twice at once, and some tasks are approved and disputed at the same time.
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Chance, chanceOf } from '../processor/chance.ts'
import type { Cast, Party } from './cast.ts'
import { openInsistent } from './insist.ts'
import { type Acknowledged, openLog, type Step } from './log.ts'
import { openTimeline } from './timeline.ts'

const RACED_PERCENT = 30
const TWICE_PERCENT = 20
const BUDGET_CENTS = { from: 100, to: 500 }
const PAUSE_MS = 20
/** How long a client that is told to stop may take to finish its task. */
const FINISH_MS = 60_000

export interface LivesOptions {
  /** One balancer or several servers, each ending with `/api/v1`; every attempt picks one of them. */
  bases: readonly string[]
  cast: Cast
  clients?: number
  seed?: string
  logFile?: string
  /** The share of responses that the client never sees, as if the connection had been cut after the commit. */
  lostPercent?: number
  /** Without keys, a repeated request has a second effect: only for a negative control. */
  isKeyed?: boolean
}

export type Lives = ReturnType<typeof startLives>

export function startLives({
  bases,
  cast,
  clients = 8,
  seed = randomUUID(),
  logFile,
  lostPercent = 3,
  isKeyed = true,
}: LivesOptions) {
  const log = openLog(logFile)
  const timeline = openTimeline()
  const stopping = new AbortController()
  const ending = new AbortController()
  const { signal } = ending
  const insistent = openInsistent({ bases, log, timeline, lostPercent, signal })
  const running = Array.from({ length: clients }, (_, n) => client(n))

  async function client(n: number): Promise<void> {
    const chance = chanceOf(`${seed} ${n}`)
    while (!stopping.signal.aborted) {
      await life(chance).catch((error: unknown) => {
        if (!signal.aborted) throw error
      })
      await sleep(PAUSE_MS)
    }
  }

  async function life(chance: Chance): Promise<void> {
    const name = `Life ${randomUUID()}`
    const agent = chance.pick(cast.agents)
    const worker = chance.pick(cast.workers)
    const budget_cents = chance.integer(BUDGET_CENTS.from, BUDGET_CENTS.to)
    const isTwice = isKeyed && chance.integer(1, 100) <= TWICE_PERCENT
    const isRaced = chance.integer(1, 100) <= RACED_PERCENT
    const begun = { life: name, agent_id: agent.id, worker_id: worker.id, budget_cents }
    log.add({ kind: 'begun', ...begun })

    async function send(step: Step, by: Party, path: string, body = {}): Promise<Acknowledged> {
      const key = isKeyed ? randomUUID() : null
      const sent = { life: name, step, by, path, body, key }
      const sendings = Array.from({ length: isTwice ? 2 : 1 }, () =>
        insistent.untilAcknowledged(sent, chance),
      )
      return (await Promise.all(sendings))[0]!
    }

    const created = await send('create', agent, '/tasks', { description: name, budget_cents })
    if (created.status !== 201) return
    const id = created.task_id!
    const accepted = await send('accept', worker, `/worker/tasks/${id}/accept`)
    if (accepted.status !== 200) return
    const proved = await send('proof', worker, `/worker/tasks/${id}/proof`, { text: 'Done' })
    if (proved.status !== 201) return
    const approving = () => send('approve', agent, `/tasks/${id}/approve`)
    const disputing = () => send('dispute', agent, `/tasks/${id}/dispute`, { reason: 'Not done' })
    // Two approvals to one dispute, so an agent stays below the share of disputes that an operator looks at.
    await Promise.all(isRaced ? [approving(), disputing(), approving()] : [approving()])
  }

  return {
    log,
    timeline,
    seed,
    counts: insistent.counts,

    /** Every client finishes its task. A client that can't is ended: its task then counts as begun only. */
    async stop(): Promise<void> {
      stopping.abort()
      const giveUp = setTimeout(() => ending.abort(), FINISH_MS)
      await Promise.all(running)
      clearTimeout(giveUp)
      timeline.end()
    },

    /** Sends acknowledged requests again, evenly spread over the run. Returns how many were compared. */
    async replay(count: number): Promise<number> {
      const parties = new Map([...cast.agents, ...cast.workers].map((one) => [one.id, one]))
      const all = log.lines.filter((line) => line.kind === 'acknowledged')
      const every = Math.max(1, Math.floor(all.length / count))
      const chosen = all.filter((_, i) => i % every === 0)
      for (const { by, ...sent } of chosen)
        await insistent.repeat({ ...sent, by: parties.get(by)! })
      return chosen.length
    },
  }
}
