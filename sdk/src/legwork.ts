/**
 * The Legwork API for TypeScript: ask people to do things in the world, from code.
 *
 *     const legwork = new Legwork()
 *     const task = await legwork.verify({ question: 'Is it open?', location: 'Moorweg 12, Wedel' })
 *     const done = await legwork.tasks.wait(task.id, { timeout: '30m' })
 *     await legwork.tasks.approve(task.id)
 */
import { Agents, ConsoleSession, Keys, People } from './agents.ts'
import type { CallOptions } from './call-options.ts'
import { Connections } from './connections.ts'
import { RequestLog, Webhooks } from './deliveries.ts'
import { Events } from './events.ts'
import { Questions } from './questions.ts'
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
export type { Connection } from './connections.ts'
export type { Duration } from './duration.ts'
export type { FollowOptions } from './events.ts'
export type { CallOptions } from './call-options.ts'
export type { ClientOptions, Fetch } from './request.ts'
export type { Answer, Body, Query, Route } from './routes.ts'
export type { Proof, Task, TaskDetail, TaskStatus } from './task-types.ts'
export { readTaskType, TASK_TYPES, type TaskType } from './task-vocabulary.ts'
export type { WaitOptions } from './wait.ts'
export {
  type HeadersLike,
  type VerifyOptions,
  verifyWebhook,
  type WebhookEvent,
  WebhookVerificationError,
} from './webhooks.ts'

/** Routes that need no key. In a cookie session the server holds the key. */
const OPEN: Route[] = [
  'POST /agents/register',
  'POST /console/session',
  'GET /console/session',
  'DELETE /console/session',
  'PATCH /console/session',
  'POST /console/people/log-in-links',
  'POST /console/people/session',
  'GET /console/people',
  'POST /console/people',
  'PATCH /console/people/{id}',
  'DELETE /console/people/{id}',
  'DELETE /console/people/me',
  'GET /console/actions',
]

export interface LegworkOptions extends ClientOptions {
  /** Your API key; LEGWORK_API_KEY by default. Keys that begin with `lw_test_` use play money. */
  apiKey?: string | undefined
  /** The secret for `webhooks.verify`; LEGWORK_WEBHOOK_SECRET by default. */
  webhookSecret?: string | undefined
}

/** A client for agents. The last argument of every method takes `{ idempotencyKey, signal, timeoutMs }`. */
export class Legwork {
  /** Create tasks, wait for proof, approve or dispute. */
  readonly tasks: Tasks
  /** Balance, transactions and deposits. */
  readonly wallet: Wallet
  /** Statistics and spend. */
  readonly stats: Stats
  /** Your agent: profile, webhook settings, checklist. */
  readonly agents: Agents
  /** API keys: create, limit, rotate, revoke. */
  readonly keys: Keys
  /** Apps that you connected with OAuth: list, end. */
  readonly connections: Connections
  /** The event log: read, follow, redeliver. */
  readonly events: Events
  /** Webhook deliveries, pings, verification, secrets. */
  readonly webhooks: Webhooks
  /** Questions to the people who run the marketplace. */
  readonly questions: Questions
  /** Rejected and failed requests. */
  readonly requests: RequestLog
  /** Test mode: move the clock, play a worker. */
  readonly test: TestMode
  /** The console's cookie session. */
  readonly session: ConsoleSession
  /** The people of your agent, for a browser in which one of them is logged in. */
  readonly people: People
  /** The base URL of the API. */
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
    this.connections = new Connections(requests)
    this.events = new Events(requests)
    this.webhooks = new Webhooks(requests, { secret: webhookSecret })
    this.questions = new Questions(requests)
    this.requests = new RequestLog(requests)
    this.test = new TestMode(requests)
    this.session = new ConsoleSession(requests)
    this.people = new People(requests)
  }

  /** Creates a test agent without an account, valid for seven days. `agent.test_api_key` is its key. */
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

  /** Asks a yes-or-no question about a place, with a photo. $5.00 by default. */
  async verify(body: Body<'POST /verify'>, options?: CallOptions): Promise<Task> {
    return (await this.#send('POST /verify', { body }, options)).task
  }

  /** Has a person call a phone number and follow your script. $10.00 by default. */
  async call(body: Body<'POST /call'>, options?: CallOptions): Promise<Task> {
    return (await this.#send('POST /call', { body }, options)).task
  }

  /** Asks one or more people for an opinion, on a scale. $3.00 by default. */
  async gutCheck(body: Body<'POST /gut-check'>, options?: CallOptions): Promise<Task> {
    return (await this.#send('POST /gut-check', { body }, options)).task
  }

  /** Sends a person to a place with a checklist. $15.00 by default. */
  async field(body: Body<'POST /field'>, options?: CallOptions): Promise<Task> {
    return (await this.#send('POST /field', { body }, options)).task
  }

  /** Hands a conversation over to a person who can help. $20.00 by default. */
  async escalate(body: Body<'POST /escalate'>, options?: CallOptions): Promise<Task> {
    return (await this.#send('POST /escalate', { body }, options)).task
  }

  /** Asks how a place, a page or a text feels. $8.00 by default. */
  async vibe(body: Body<'POST /vibe'>, options?: CallOptions): Promise<Task> {
    return (await this.#send('POST /vibe', { body }, options)).task
  }

  /** Typical price and completion time of such a task, from recent tasks. */
  quote(query?: Query<'GET /quote'>, options?: CallOptions): Promise<Answer<'GET /quote'>> {
    return this.#send('GET /quote', { query }, options)
  }
}
