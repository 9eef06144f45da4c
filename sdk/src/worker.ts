/**
 * The other side of the API, for whoever builds an app for workers or plays one in test mode: `@legwork/sdk/worker`.
 *
 *     const worker = new LegworkWorker({ token })
 *     await worker.tasks.accept(taskId)
 *     await worker.tasks.proof(taskId, { text: 'It is open' })
 */
import type { CallOptions } from './call-options.ts'
import { type ClientOptions, openRequests, type Requests, type Send } from './request.ts'
import type { Answer, Body, Query, Route } from './routes.ts'

const OPEN: Route[] = [
  'POST /worker/register',
  'GET /worker/verify',
  'POST /worker/verify',
  'POST /worker/verify/resend',
  'POST /worker/login',
  'POST /worker/password/forgot',
  'POST /worker/password/reset',
  'GET /worker/objections',
  'POST /worker/objections',
  'POST /worker/objections/payout-account',
  'POST /worker/objections/appeal',
  'POST /worker/session',
  'POST /worker/session/play',
  'GET /worker/session',
  'DELETE /worker/session',
  'GET /worker/app',
  'GET /worker/preview',
  'GET /worker/{id}/public',
]

export interface LegworkWorkerOptions extends ClientOptions {
  /** From `login`, or from `test.createWorker` of an agent. */
  token?: string | undefined
}

/** A worker's client. Every method's last argument may be `{ idempotencyKey, signal, timeoutMs }`. */
export class LegworkWorker {
  /** The tasks that one can take. */
  readonly feed: Feed
  /** The tasks that one has taken. */
  readonly tasks: WorkerTasks
  /** Files that are too big for the proof itself. */
  readonly uploads: Uploads
  /** How one can be told of new tasks. */
  readonly push: Push
  /** Which new tasks one is told of. */
  readonly alert: Alert
  /** The account at the payment processor. */
  readonly stripe: PayoutAccount
  /** A session by cookie, in a browser. */
  readonly session: Session
  readonly #send: Send
  #token: string | undefined

  constructor({ token, ...options }: LegworkWorkerOptions = {}) {
    this.#token = token
    const requests = openRequests(options, {
      what: 'token',
      read: () => this.#token,
      isNeeded: (route) => !OPEN.includes(route),
    })
    this.#send = requests.send
    this.feed = new Feed(requests.send)
    this.tasks = new WorkerTasks(requests.send)
    this.uploads = new Uploads(requests, () => this.#token)
    this.push = new Push(requests.send)
    this.alert = new Alert(requests.send)
    this.stripe = new PayoutAccount(requests.send)
    this.session = new Session(requests.send)
  }

  /** Registers a worker; a mail with a link to confirm the address goes out. */
  async register(
    body: Body<'POST /worker/register'>,
    options?: CallOptions,
  ): Promise<Answer<'POST /worker/register'>['worker']> {
    return (await this.#send('POST /worker/register', { body }, options)).worker
  }

  /** Confirms an address by the token of the mailed link. */
  async verify(
    body: Body<'POST /worker/verify'>,
    options?: CallOptions,
  ): Promise<Answer<'POST /worker/verify'>['worker']> {
    return (await this.#send('POST /worker/verify', { body }, options)).worker
  }

  /** The same by GET, as the link itself does. */
  async openVerifyLink(
    query: Query<'GET /worker/verify'>,
    options?: CallOptions,
  ): Promise<Answer<'GET /worker/verify'>['worker']> {
    return (await this.#send('GET /worker/verify', { query }, options)).worker
  }

  /** Sends the link once more. */
  resendVerification(
    body: Body<'POST /worker/verify/resend'>,
    options?: CallOptions,
  ): Promise<Answer<'POST /worker/verify/resend'>> {
    return this.#send('POST /worker/verify/resend', { body }, options)
  }

  /** Logs in; this client then uses the token, which is valid for seven days. */
  async login(
    body: Body<'POST /worker/login'>,
    options?: CallOptions,
  ): Promise<Answer<'POST /worker/login'>> {
    const answer = await this.#send('POST /worker/login', { body }, options)
    this.#token = answer.token
    return answer
  }

  /** Mails a link with which to choose a new password. */
  forgotPassword(
    body: Body<'POST /worker/password/forgot'>,
    options?: CallOptions,
  ): Promise<Answer<'POST /worker/password/forgot'>> {
    return this.#send('POST /worker/password/forgot', { body }, options)
  }

  /** Chooses a new password by the token of that link. */
  resetPassword(
    body: Body<'POST /worker/password/reset'>,
    options?: CallOptions,
  ): Promise<Answer<'POST /worker/password/reset'>> {
    return this.#send('POST /worker/password/reset', { body }, options)
  }

  /** The decision by which the account is suspended or closed, by the token of the mailed link. */
  async decision(
    query: Query<'GET /worker/objections'>,
    options?: CallOptions,
  ): Promise<Answer<'GET /worker/objections'>['decision']> {
    return (await this.#send('GET /worker/objections', { query }, options)).decision
  }

  /** That decision with the unpaid money, the payout account's status and the disputes. */
  shutOut(
    query: Query<'GET /worker/objections'>,
    options?: CallOptions,
  ): Promise<Answer<'GET /worker/objections'>> {
    return this.#send('GET /worker/objections', { query }, options)
  }

  /** A link to set up the payouts of a suspended or closed account. */
  connectByLink(
    body: Body<'POST /worker/objections/payout-account'>,
    options?: CallOptions,
  ): Promise<Answer<'POST /worker/objections/payout-account'>> {
    return this.#send('POST /worker/objections/payout-account', { body }, options)
  }

  /** Appeals a dispute of a suspended or closed worker's work. */
  async appealByLink(
    body: Body<'POST /worker/objections/appeal'>,
    options?: CallOptions,
  ): Promise<Answer<'POST /worker/objections/appeal'>['dispute']> {
    return (await this.#send('POST /worker/objections/appeal', { body }, options)).dispute
  }

  /** Objects to that decision, once; a person replies by email. */
  async object(
    body: Body<'POST /worker/objections'>,
    options?: CallOptions,
  ): Promise<Answer<'POST /worker/objections'>['decision']> {
    return (await this.#send('POST /worker/objections', { body }, options)).decision
  }

  /** Logs out everywhere. */
  endSessions(options?: CallOptions): Promise<Answer<'DELETE /worker/sessions'>> {
    return this.#send('DELETE /worker/sessions', {}, options)
  }

  /** What an app needs to know of the server. */
  app(options?: CallOptions): Promise<Answer<'GET /worker/app'>> {
    return this.#send('GET /worker/app', {}, options)
  }

  /** A few open tasks, for who has no account yet. */
  async preview(
    query?: Query<'GET /worker/preview'>,
    options?: CallOptions,
  ): Promise<Answer<'GET /worker/preview'>['tasks']> {
    return (await this.#send('GET /worker/preview', { query }, options)).tasks
  }

  async profile(options?: CallOptions): Promise<Answer<'GET /worker/profile'>['worker']> {
    return (await this.#send('GET /worker/profile', {}, options)).worker
  }

  async updateProfile(
    body: Body<'PUT /worker/profile'>,
    options?: CallOptions,
  ): Promise<Answer<'PUT /worker/profile'>['worker']> {
    return (await this.#send('PUT /worker/profile', { body }, options)).worker
  }

  /** What anybody may know of a worker. */
  async publicProfile(
    id: string,
    options?: CallOptions,
  ): Promise<Answer<'GET /worker/{id}/public'>['worker']> {
    return (await this.#send('GET /worker/{id}/public', { id }, options)).worker
  }

  /** The score, and every change of it with its cause. */
  trust(options?: CallOptions): Promise<Answer<'GET /worker/trust'>> {
    return this.#send('GET /worker/trust', {}, options)
  }

  earnings(
    query?: Query<'GET /worker/earnings'>,
    options?: CallOptions,
  ): Promise<Answer<'GET /worker/earnings'>> {
    return this.#send('GET /worker/earnings', { query }, options)
  }

  /** What the earnings are made of. */
  earningsItems(
    query?: Query<'GET /worker/earnings/items'>,
    options?: CallOptions,
  ): Promise<Answer<'GET /worker/earnings/items'>> {
    return this.#send('GET /worker/earnings/items', { query }, options)
  }

  payouts(
    query?: Query<'GET /worker/payouts'>,
    options?: CallOptions,
  ): Promise<Answer<'GET /worker/payouts'>> {
    return this.#send('GET /worker/payouts', { query }, options)
  }

  notices(
    query?: Query<'GET /worker/notices'>,
    options?: CallOptions,
  ): Promise<Answer<'GET /worker/notices'>> {
    return this.#send('GET /worker/notices', { query }, options)
  }

  /** Marks all notices up to one as read. */
  readNotices(
    body: Body<'POST /worker/notices/read'>,
    options?: CallOptions,
  ): Promise<Answer<'POST /worker/notices/read'>> {
    return this.#send('POST /worker/notices/read', { body }, options)
  }

  leaderboard(
    query?: Query<'GET /worker/leaderboard'>,
    options?: CallOptions,
  ): Promise<Answer<'GET /worker/leaderboard'>> {
    return this.#send('GET /worker/leaderboard', { query }, options)
  }
}

class Feed {
  readonly #send: Send

  constructor(send: Send) {
    this.#send = send
  }

  list(
    query?: Query<'GET /worker/feed'>,
    options?: CallOptions,
  ): Promise<Answer<'GET /worker/feed'>> {
    return this.#send('GET /worker/feed', { query }, options)
  }

  get(
    id: string,
    query?: Query<'GET /worker/feed/{id}'>,
    options?: CallOptions,
  ): Promise<Answer<'GET /worker/feed/{id}'>> {
    return this.#send('GET /worker/feed/{id}', { id, query }, options)
  }
}

class WorkerTasks {
  readonly #send: Send

  constructor(send: Send) {
    this.#send = send
  }

  list(
    query?: Query<'GET /worker/tasks'>,
    options?: CallOptions,
  ): Promise<Answer<'GET /worker/tasks'>> {
    return this.#send('GET /worker/tasks', { query }, options)
  }

  /** With the whole brief, and the exact address. */
  get(id: string, options?: CallOptions): Promise<Answer<'GET /worker/tasks/{id}'>> {
    return this.#send('GET /worker/tasks/{id}', { id }, options)
  }

  accept(id: string, options?: CallOptions): Promise<Answer<'POST /worker/tasks/{id}/accept'>> {
    return this.#send('POST /worker/tasks/{id}/accept', { id }, options)
  }

  proof(
    id: string,
    body: Body<'POST /worker/tasks/{id}/proof'>,
    options?: CallOptions,
  ): Promise<Answer<'POST /worker/tasks/{id}/proof'>> {
    return this.#send('POST /worker/tasks/{id}/proof', { id, body }, options)
  }

  /** Hands a task back. */
  async release(
    id: string,
    body: Body<'POST /worker/tasks/{id}/release'> = {},
    options?: CallOptions,
  ): Promise<Answer<'POST /worker/tasks/{id}/release'>['assignment']> {
    return (await this.#send('POST /worker/tasks/{id}/release', { id, body }, options)).assignment
  }

  /** Contests a dispute, once, within 72 hours. */
  async appeal(
    id: string,
    body: Body<'POST /worker/tasks/{id}/appeal'>,
    options?: CallOptions,
  ): Promise<Answer<'POST /worker/tasks/{id}/appeal'>['dispute']> {
    return (await this.#send('POST /worker/tasks/{id}/appeal', { id, body }, options)).dispute
  }

  /** Tells us that a task is dangerous, illegal or not what it says. */
  report(
    id: string,
    body: Body<'POST /worker/tasks/{id}/report'>,
    options?: CallOptions,
  ): Promise<Answer<'POST /worker/tasks/{id}/report'>> {
    return this.#send('POST /worker/tasks/{id}/report', { id, body }, options)
  }
}

class Uploads {
  readonly #requests: Requests
  readonly #token: () => string | undefined

  constructor(requests: Requests, token: () => string | undefined) {
    this.#requests = requests
    this.#token = token
  }

  /** Says what will come; the answer says how to send it. */
  begin(
    body: Body<'POST /worker/uploads'>,
    options?: CallOptions,
  ): Promise<Answer<'POST /worker/uploads'>> {
    return this.#requests.send('POST /worker/uploads', { body }, options)
  }

  /** How much of it has arrived. */
  async offset(id: string, options?: CallOptions): Promise<number> {
    return offsetOf(await this.#requests.raw({ method: 'HEAD', ...this.#call(id) }, options))
  }

  /** Sends it from `offset` on, and tells how much has arrived. When a connection breaks, ask `offset` and go on. */
  async send(
    id: string,
    { offset = 0, bytes }: { offset?: number; bytes: Uint8Array<ArrayBuffer> | Blob },
    options?: CallOptions,
  ): Promise<number> {
    const { url, headers } = this.#call(id)
    const response = await this.#requests.raw(
      {
        method: 'PATCH',
        url,
        headers: {
          ...headers,
          'content-type': 'application/offset+octet-stream',
          'upload-offset': String(offset),
        },
        body: bytes,
        // A part may have arrived: the same bytes at the same place would be refused.
        isRepeatable: false,
      },
      options,
    )
    return offsetOf(response)
  }

  #call(id: string) {
    return {
      url: `${this.#requests.baseUrl}/worker/uploads/${encodeURIComponent(id)}`,
      headers: { authorization: `Bearer ${this.#token() ?? ''}` },
    }
  }
}

const offsetOf = (response: Response) => Number(response.headers.get('upload-offset') ?? 0)

class Push {
  readonly #send: Send

  constructor(send: Send) {
    this.#send = send
  }

  get(options?: CallOptions): Promise<Answer<'GET /worker/push'>> {
    return this.#send('GET /worker/push', {}, options)
  }

  async subscribe(
    body: Body<'POST /worker/push'>,
    options?: CallOptions,
  ): Promise<Answer<'POST /worker/push'>['subscription']> {
    return (await this.#send('POST /worker/push', { body }, options)).subscription
  }

  delete(id: string, options?: CallOptions): Promise<Answer<'DELETE /worker/push/{id}'>> {
    return this.#send('DELETE /worker/push/{id}', { id }, options)
  }

  test(id: string, options?: CallOptions): Promise<Answer<'POST /worker/push/{id}/test'>> {
    return this.#send('POST /worker/push/{id}/test', { id }, options)
  }
}

class Alert {
  readonly #send: Send

  constructor(send: Send) {
    this.#send = send
  }

  async get(options?: CallOptions): Promise<Answer<'GET /worker/alert'>['alert']> {
    return (await this.#send('GET /worker/alert', {}, options)).alert
  }

  async set(
    body: Body<'PUT /worker/alert'>,
    options?: CallOptions,
  ): Promise<Answer<'PUT /worker/alert'>['alert']> {
    return (await this.#send('PUT /worker/alert', { body }, options)).alert
  }

  delete(options?: CallOptions): Promise<Answer<'DELETE /worker/alert'>> {
    return this.#send('DELETE /worker/alert', {}, options)
  }
}

class PayoutAccount {
  readonly #send: Send

  constructor(send: Send) {
    this.#send = send
  }

  /** A page on which the worker opens the account, or goes on opening it. */
  connect(
    body: Body<'POST /worker/stripe/connect'> = {},
    options?: CallOptions,
  ): Promise<Answer<'POST /worker/stripe/connect'>> {
    return this.#send('POST /worker/stripe/connect', { body }, options)
  }

  dashboard(options?: CallOptions): Promise<Answer<'POST /worker/stripe/dashboard'>> {
    return this.#send('POST /worker/stripe/dashboard', {}, options)
  }

  status(options?: CallOptions): Promise<Answer<'GET /worker/stripe/status'>> {
    return this.#send('GET /worker/stripe/status', {}, options)
  }

  /** Asks the processor anew. */
  refresh(options?: CallOptions): Promise<Answer<'POST /worker/stripe/refresh'>> {
    return this.#send('POST /worker/stripe/refresh', {}, options)
  }
}

class Session {
  readonly #send: Send

  constructor(send: Send) {
    this.#send = send
  }

  create(
    body: Body<'POST /worker/session'>,
    options?: CallOptions,
  ): Promise<Answer<'POST /worker/session'>> {
    return this.#send('POST /worker/session', { body }, options)
  }

  /** Begins one as a worker of test mode, by the token that `test.createWorker` gave. */
  play(
    body: Body<'POST /worker/session/play'>,
    options?: CallOptions,
  ): Promise<Answer<'POST /worker/session/play'>> {
    return this.#send('POST /worker/session/play', { body }, options)
  }

  get(options?: CallOptions): Promise<Answer<'GET /worker/session'>> {
    return this.#send('GET /worker/session', {}, options)
  }

  delete(options?: CallOptions): Promise<Answer<'DELETE /worker/session'>> {
    return this.#send('DELETE /worker/session', {}, options)
  }
}
