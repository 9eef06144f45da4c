/**
 * The Legwork API for TypeScript: ask people to do things in the world, from code.
 *
 *     const legwork = new Legwork()
 *     const task = await legwork.verify({ question: 'Is it open?', location: 'Moorweg 12, Wedel' })
 *     const done = await legwork.tasks.wait(task.id, { timeout: '30m' })
 *     await legwork.tasks.approve(task.id)
 */
import { Agents, ConsoleSession, Keys } from './agents.ts'
import type { CallOptions } from './call-options.ts'
import { RequestLog, Webhooks } from './deliveries.ts'
import { Events } from './events.ts'
import { type ClientOptions, openRequests, readEnv, type Send } from './request.ts'
import type { Answer, Body, Query, Route } from './routes.ts'
import type { Task } from './task-types.ts'
import { Tasks } from './tasks.ts'
import { TestMode } from './test-mode.ts'
import { Stats, Wallet } from './wallet.ts'

export * from './error-classes.ts'
export {
  ConnectionError,
  isPassing,
  LegworkError,
  MissingKeyError,
  TimeLimitError,
  WaitTimeout,
} from './errors.ts'
export type { Key, NewKey } from './agents.ts'
export type { Duration } from './duration.ts'
export type { FollowOptions } from './events.ts'
export type { CallOptions } from './call-options.ts'
export type { ClientOptions, Fetch } from './request.ts'
export type { Answer, Body, Query, Route } from './routes.ts'
export type { Proof, Task, TaskDetail, TaskStatus } from './task-types.ts'
export type { WaitOptions } from './wait.ts'
export {
  type HeadersLike,
  type VerifyOptions,
  verifyWebhook,
  type WebhookEvent,
  WebhookVerificationError,
} from './webhooks.ts'

/** What needs no key; with a cookie, the session has it. */
const OPEN: Route[] = [
  'POST /agents/register',
  'POST /console/session',
  'GET /console/session',
  'DELETE /console/session',
]

export interface LegworkOptions extends ClientOptions {
  /** LEGWORK_API_KEY by default. A key that begins with `lw_test_` spends play money. */
  apiKey?: string | undefined
  /** For `webhooks.verify`; LEGWORK_WEBHOOK_SECRET by default. */
  webhookSecret?: string | undefined
}

/** An agent's client. Every method's last argument may be `{ idempotencyKey, signal, timeoutMs }`. */
export class Legwork {
  /** Post tasks, wait for them, judge the work. */
  readonly tasks: Tasks
  /** Your money. */
  readonly wallet: Wallet
  /** Your numbers. */
  readonly stats: Stats
  /** Yourself. */
  readonly agents: Agents
  /** Your API keys. */
  readonly keys: Keys
  /** What has happened. */
  readonly events: Events
  /** How you are told of it. */
  readonly webhooks: Webhooks
  /** Your calls that went wrong. */
  readonly requests: RequestLog
  /** For test keys: your own clock, a worker for you to play. */
  readonly test: TestMode
  /** The console's session by cookie. */
  readonly session: ConsoleSession
  /** Where the API is that this client speaks to. */
  readonly baseUrl: string
  readonly #send: Send

  constructor({ apiKey, webhookSecret, ...options }: LegworkOptions = {}) {
    const requests = openRequests(options, {
      what: 'API key',
      read: () => apiKey ?? readEnv('LEGWORK_API_KEY'),
      isNeeded: (route) => !OPEN.includes(route),
    })
    this.baseUrl = requests.baseUrl
    this.#send = requests.send
    this.tasks = new Tasks(requests)
    this.wallet = new Wallet(requests)
    this.stats = new Stats(requests)
    this.agents = new Agents(requests)
    this.keys = new Keys(requests)
    this.events = new Events(requests)
    this.webhooks = new Webhooks(requests, { secret: webhookSecret })
    this.requests = new RequestLog(requests)
    this.test = new TestMode(requests)
    this.session = new ConsoleSession(requests)
  }

  /** An agent for test mode without an account, for seven days. `agent.test_api_key` is its key. */
  static createTestAgent(
    { name, ...options }: ClientOptions & { name?: string | undefined } = {},
    callOptions?: CallOptions,
  ): Promise<Answer<'POST /test/agents'>> {
    const { send } = openRequests(options, {
      what: 'API key',
      read: () => undefined,
      isNeeded: () => false,
    })
    return send('POST /test/agents', { body: name === undefined ? {} : { name } }, callOptions)
  }

  /** Is something so? A photo and a yes or no, $5.00 by default. */
  async verify(body: Body<'POST /verify'>, options?: CallOptions): Promise<Task> {
    return (await this.#send('POST /verify', { body }, options)).task
  }

  /** Somebody calls a number and says or asks what you want, $10.00 by default. */
  async call(body: Body<'POST /call'>, options?: CallOptions): Promise<Task> {
    return (await this.#send('POST /call', { body }, options)).task
  }

  /** What do people think of this? Several may answer, on a scale; $3.00 by default. */
  async gutCheck(body: Body<'POST /gut-check'>, options?: CallOptions): Promise<Task> {
    return (await this.#send('POST /gut-check', { body }, options)).task
  }

  /** Somebody goes there and does it, with a checklist; $15.00 by default. */
  async field(body: Body<'POST /field'>, options?: CallOptions): Promise<Task> {
    return (await this.#send('POST /field', { body }, options)).task
  }

  /** Somebody speaks with a person who needs a person, $20.00 by default. */
  async escalate(body: Body<'POST /escalate'>, options?: CallOptions): Promise<Task> {
    return (await this.#send('POST /escalate', { body }, options)).task
  }

  /** How does a place, a page or a text feel? $8.00 by default. */
  async vibe(body: Body<'POST /vibe'>, options?: CallOptions): Promise<Task> {
    return (await this.#send('POST /vibe', { body }, options)).task
  }

  /** What a task of this kind costs and how soon it is done, from what others paid and waited. */
  quote(query?: Query<'GET /quote'>, options?: CallOptions): Promise<Answer<'GET /quote'>> {
    return this.#send('GET /quote', { query }, options)
  }
}
