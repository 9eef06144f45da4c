/** The server side of a run: the callers, what they have sent, and the comparison of responses. */
import { randomBytes } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type fc from 'fast-check'
import { sweeps } from '../../src/jobs.ts'
import { runSweep } from '../run-sweep.ts'
import { type TakenEvent, takeEvents } from '../../src/webhooks/take-events.ts'
import type { Json, Marketplace, Reply } from '../harness.ts'
import {
  type Agent,
  type Answer,
  DAY,
  type Market,
  type Part,
  type Task,
  type Worker,
} from './model.ts'

const TOKEN_LASTS = 6 * DAY
/**
 * Statuses that are stored and replayed for a repeated request; a request that was not understood is processed anew.
 */
const KEPT = new Set([200, 201, 402, 403, 404, 409])

/** The timers that the model covers. */
const isPlayed = ({ name }: { name: string }) =>
  name.startsWith('tasks.') || name === 'workers.settle-trust'

const PASSES_MAX = 20

/** Where the model and the server differ. */
export class Difference extends Error {}

/** A request with an Idempotency-Key, and its response. */
export interface Post {
  madeBy: unknown
  caller: Agent | Worker
  path: string
  body: unknown
  key: string
  at: number
  reply: Reply
}

export type Counts = Map<string, number>

/** One history on one server. */
export class Play {
  readonly market: Marketplace
  readonly counts: Counts
  readonly posts: Post[] = []
  /** The choices of the running command. */
  choices = new Choices()
  readonly ran: fc.AsyncCommand<Market, Play>[] = []
  readonly #said = new Map<Task, Map<string, string>>()
  readonly #tokens = new Map<string, { token: string; at: number }>()
  readonly #keys = new Map<string, string>()

  constructor(market: Marketplace, counts: Counts) {
    this.market = market
    this.counts = counts
  }

  count(what: string): void {
    this.counts.set(what, (this.counts.get(what) ?? 0) + 1)
  }

  /** Two agents with money, and workers of different levels. */
  async open(
    model: Market,
    { approvals, balanceCents }: { approvals: number[]; balanceCents: number },
  ): Promise<void> {
    // Drains the events of earlier runs.
    await this.events()
    for (let i = 0; i < 2; i += 1) await this.fund(model, await this.addAgent(model), balanceCents)
    for (const count of approvals) {
      const { id } = await this.market.worker({ approvals: count })
      model.addWorker(id, count)
    }
  }

  async addAgent(model: Market): Promise<Agent> {
    const { id, api_key } = await this.market.agent()
    this.#keys.set(id, api_key)
    return model.addAgent(id)
  }

  async fund(model: Market, agent: Agent, cents: number): Promise<void> {
    await this.market.fund(agent.id, cents)
    model.fund(agent, cents)
  }

  async get(caller: Agent | Worker, path: string): Promise<Reply> {
    return this.market.call('GET', path, { headers: await this.#headers(caller) })
  }

  async post(
    caller: Agent | Worker,
    path: string,
    { body, isKeyed }: { body?: unknown; isKeyed: boolean },
  ): Promise<Reply> {
    if (!isKeyed) return this.send(caller, path, body)
    const key = randomBytes(9).toString('hex')
    const reply = await this.send(caller, path, body, key)
    const at = this.market.now().getTime()
    if (KEPT.has(reply.status))
      this.posts.push({ madeBy: this.choices, caller, path, body, key, at, reply })
    return reply
  }

  async send(caller: Agent | Worker, path: string, body: unknown, key?: string): Promise<Reply> {
    return this.market.call('POST', path, {
      body,
      headers: { ...(await this.#headers(caller)), ...(key && { 'idempotency-key': key }) },
    })
  }

  async #headers({ id }: Agent | Worker): Promise<Record<string, string>> {
    return { authorization: `Bearer ${this.#keys.get(id) ?? (await this.#tokenOf(id))}` }
  }

  /** The clock here advances beyond the lifetime of a session. */
  async #tokenOf(workerId: string): Promise<string> {
    const now = this.market.now()
    const known = this.#tokens.get(workerId)
    if (known && known.at > now.getTime() - TOKEN_LASTS) return known.token
    const { token } = await this.market.tokens.sign({ workerId, version: 1 }, now)
    this.#tokens.set(workerId, { token, at: now.getTime() })
    return token
  }

  /** Asserts that repeated responses about an ended task are identical. */
  expectSameWords(task: Task, what: string, { text }: Reply): void {
    const said = this.#said.get(task) ?? new Map<string, string>()
    this.#said.set(task, said)
    const before = said.get(what)
    said.set(what, text)
    if (before !== undefined && before !== text)
      throw new Difference(`${what}: ${text} instead of ${before}`)
  }

  /** Events since the previous call, oldest first. */
  async events(): Promise<TakenEvent[]> {
    const taken = await this.market.db.transaction((tx) =>
      takeEvents(tx, 1000, { now: this.market.now() }),
    )
    return taken.length === 0 ? [] : [...taken, ...(await this.events())]
  }

  advance(model: Market, ms: number): void {
    this.market.advance(ms)
    model.now += ms
  }

  /** Runs every task timer until nothing is due, as the jobs process does over time. */
  async sweep(model: Market): Promise<void> {
    for (const sweep of sweeps.filter(isPlayed))
      for (let passes = 0; (await runSweep(this.market.background, sweep)) > 0; passes += 1)
        if (passes > PASSES_MAX) throw new Difference(`${sweep.name} finds no end`)

    const before = model.tasks.map((task) => ({ task, status: task.status, held: heldParts(task) }))
    model.sweep()
    for (const { task, status, held } of before) {
      for (const part of held)
        if (part.status !== 'accepted') this.count(`clock: assignment ${part.status}`)
      const how = task.status === 'completed' && task.endedInConflict ? ' in conflict' : ''
      if (task.status !== status) this.count(`clock: ${status} to ${task.status}${how}`)
    }
  }
}

const heldParts = ({ parts }: Task) => parts.filter(({ status }) => status === 'accepted')

/**
 * The targets that a command chose on its first run. Run again in a shorter history, it keeps the same targets: not the
 * third task, but the one that a certain other command created. So commands that have nothing to do with a difference
 * can be left out without changing the rest.
 */
export class Choices {
  readonly #made: { kind: string; value: unknown }[] = []
  #next = 0

  again(): void {
    this.#next = 0
  }

  /** Whether everything that was chosen exists in this history. */
  areIn({ agents, tasks }: Pick<Market, 'agents' | 'tasks'>): boolean {
    return this.#made.every(({ kind, value }) => {
      if (kind === 'agent') return (value as number) < agents.length
      return kind !== 'task' || !value || tasks.some(({ madeBy }) => madeBy === value)
    })
  }

  /** A task; undefined if there is none, null if something else should be done. */
  task(model: Market, choose: () => Task | undefined | null): Task | undefined | null {
    const madeBy = this.of('task', () => {
      const task = choose()
      return task ? task.madeBy : task
    })
    return madeBy ? model.tasks.find((task) => task.madeBy === madeBy) : (madeBy as null)
  }

  agent(model: Market, choose: () => Agent): Agent {
    return model.agents[this.of('agent', () => model.agents.indexOf(choose()))]!
  }

  worker(model: Market, choose: () => Worker): Worker {
    return model.workers[this.of('worker', () => model.workers.indexOf(choose()))]!
  }

  /** A worker's part in a task; the latest, if there are several. */
  part(model: Market, task: Task, choose: () => Part | undefined): Part | undefined {
    const i = this.of('part', () => {
      const part = choose()
      return part === undefined ? -1 : model.workers.indexOf(part.worker)
    })
    return task.parts.findLast((part) => part.worker === model.workers[i])
  }

  of<T>(kind: string, choose: () => T): T {
    if (this.#next === this.#made.length) this.#made.push({ kind, value: choose() })
    this.#next += 1
    return this.#made[this.#next - 1]!.value as T
  }
}

/** The expected values that do not match; values without an expectation are ignored. */
function differences(expected: unknown, actual: unknown, path: string): string[] {
  const isList = Array.isArray(expected)
  if (isList && Array.isArray(actual) && actual.length === expected.length)
    return expected.flatMap((one, i) => differences(one, actual[i], `${path}.${i}`))
  if (!isList && isObject(expected) && isObject(actual))
    return Object.entries(expected).flatMap(([name, one]) =>
      differences(one, actual[name], `${path}.${name}`),
    )
  return isDeepStrictEqual(expected, actual)
    ? []
    : [`${path}: ${JSON.stringify(actual)} instead of ${JSON.stringify(expected)}`]
}

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null

export function compare(what: string, expected: unknown, actual: unknown): void {
  const found = differences(expected, actual, what)
  if (found.length > 0) throw new Difference(found.join('\n'))
}

export function compareReply(
  what: string,
  { status, code, body = {} }: Answer,
  reply: Reply,
): void {
  if (reply.status !== status || (code !== undefined && reply.body.code !== code))
    throw new Difference(
      `${what}: ${reply.status} ${reply.text.slice(0, 400)} instead of ${status} ${code ?? ''}`,
    )
  compare(what, body, reply.body)
}
