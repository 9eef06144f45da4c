/**
 * The workers' side of the API, for apps and for playing a worker in test mode: `@legwork/sdk/worker`.
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
  'POST /worker/email/confirm',
  'POST /worker/email/undo',
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
  /** The token from `login`, or from an agent's `test.createWorker`. */
  token?: string | undefined
}

/** A client for workers. The last argument of every method takes `{ idempotencyKey, signal, timeoutMs }`. */
export class LegworkWorker {
  /** Open tasks. */
  readonly feed: Feed
  /** The worker's own tasks. */
  readonly tasks: WorkerTasks
  /** Resumable uploads, for files too large for the proof itself. */
  readonly uploads: Uploads
  /** Push subscriptions. */
  readonly push: Push
  /** The alert for new tasks. */
  readonly alert: Alert
  /** The payout account. */
  readonly stripe: PayoutAccount
  /** The cookie session of a browser. */
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

  /** Registers a worker, and emails a link that confirms the address. */
  async register(
    body: Body<'POST /worker/register'>,
    options?: CallOptions,
  ): Promise<Answer<'POST /worker/register'>['worker']> {
    return (await this.#send('POST /worker/register', { body }, options)).worker
  }

  /** Confirms an email address with the token from the email. */
  async verify(
    body: Body<'POST /worker/verify'>,
    options?: CallOptions,
  ): Promise<Answer<'POST /worker/verify'>['worker']> {
    return (await this.#send('POST /worker/verify', { body }, options)).worker
  }

  /** Confirms an email address by GET, as the link in the email does. */
  async openVerifyLink(
    query: Query<'GET /worker/verify'>,
    options?: CallOptions,
  ): Promise<Answer<'GET /worker/verify'>['worker']> {
    return (await this.#send('GET /worker/verify', { query }, options)).worker
  }

  /** Sends the confirmation email again. */
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

  /** Emails a link to reset the password. */
  forgotPassword(
    body: Body<'POST /worker/password/forgot'>,
    options?: CallOptions,
  ): Promise<Answer<'POST /worker/password/forgot'>> {
    return this.#send('POST /worker/password/forgot', { body }, options)
  }

  /** Sets a new password with the token from the email. */
  resetPassword(
    body: Body<'POST /worker/password/reset'>,
    options?: CallOptions,
  ): Promise<Answer<'POST /worker/password/reset'>> {
    return this.#send('POST /worker/password/reset', { body }, options)
  }

  /** Returns the decision that suspended or closed the account, with the token from the email. */
  async decision(
    query: Query<'GET /worker/objections'>,
    options?: CallOptions,
  ): Promise<Answer<'GET /worker/objections'>['decision']> {
    return (await this.#send('GET /worker/objections', { query }, options)).decision
  }

  /** Returns the decision with unpaid earnings, payout account status and disputes. */
  shutOut(
    query: Query<'GET /worker/objections'>,
    options?: CallOptions,
  ): Promise<Answer<'GET /worker/objections'>> {
    return this.#send('GET /worker/objections', { query }, options)
  }

  /** Returns a link to set up payouts for a suspended or closed account. */
  connectByLink(
    body: Body<'POST /worker/objections/payout-account'>,
    options?: CallOptions,
  ): Promise<Answer<'POST /worker/objections/payout-account'>> {
    return this.#send('POST /worker/objections/payout-account', { body }, options)
  }

  /** Appeals a dispute from a suspended or closed account. */
  async appealByLink(
    body: Body<'POST /worker/objections/appeal'>,
    options?: CallOptions,
  ): Promise<Answer<'POST /worker/objections/appeal'>['dispute']> {
    return (await this.#send('POST /worker/objections/appeal', { body }, options)).dispute
  }

  /** Objects to the decision, once. A person replies by email. */
  async object(
    body: Body<'POST /worker/objections'>,
    options?: CallOptions,
  ): Promise<Answer<'POST /worker/objections'>['decision']> {
    return (await this.#send('POST /worker/objections', { body }, options)).decision
  }

  /** Lists the devices on which the worker is logged in. */
  async sessions(options?: CallOptions): Promise<Answer<'GET /worker/sessions'>['sessions']> {
    return (await this.#send('GET /worker/sessions', {}, options)).sessions
  }

  /** Logs out one device. */
  endDevice(id: string, options?: CallOptions): Promise<Answer<'DELETE /worker/sessions/{id}'>> {
    return this.#send('DELETE /worker/sessions/{id}', { id }, options)
  }

  /** Logs out everywhere. */
  endSessions(options?: CallOptions): Promise<Answer<'DELETE /worker/sessions'>> {
    return this.#send('DELETE /worker/sessions', {}, options)
  }

  /** Logs out everywhere but here. */
  endOtherSessions(options?: CallOptions): Promise<Answer<'DELETE /worker/sessions'>> {
    return this.#send('DELETE /worker/sessions', { query: { keep: 'current' } }, options)
  }

  /** Returns the worker's email, and a change that is not confirmed yet. */
  email(options?: CallOptions): Promise<Answer<'GET /worker/email'>> {
    return this.#send('GET /worker/email', {}, options)
  }

  /** Asks to change the email: we mail a link to the new address. */
  async changeEmail(
    body: Body<'POST /worker/email'>,
    options?: CallOptions,
  ): Promise<Answer<'POST /worker/email'>['change']> {
    return (await this.#send('POST /worker/email', { body }, options)).change
  }

  /** Cancels a change of the email that is not confirmed yet. */
  cancelEmailChange(options?: CallOptions): Promise<Answer<'DELETE /worker/email'>> {
    return this.#send('DELETE /worker/email', {}, options)
  }

  /** Confirms the new email with the token that was mailed to it. */
  confirmEmailChange(
    body: Body<'POST /worker/email/confirm'>,
    options?: CallOptions,
  ): Promise<Answer<'POST /worker/email/confirm'>> {
    return this.#send('POST /worker/email/confirm', { body }, options)
  }

  /** Undoes a change of the email with the token that was mailed to the old address. */
  undoEmailChange(
    body: Body<'POST /worker/email/undo'>,
    options?: CallOptions,
  ): Promise<Answer<'POST /worker/email/undo'>> {
    return this.#send('POST /worker/email/undo', { body }, options)
  }

  /** Downloads all data of the worker; at most five times an hour. */
  exportData(options?: CallOptions): Promise<Answer<'GET /worker/export'>> {
    return this.#send('GET /worker/export', {}, options)
  }

  /** Shows whether the account is being closed, and what is still open. */
  async closing(options?: CallOptions): Promise<Answer<'GET /worker/close'>['closing']> {
    return (await this.#send('GET /worker/close', {}, options)).closing
  }

  /** Asks to close the account. It is closed after two weeks, once all money is paid; until then `keep` keeps it. */
  async close(
    body: Body<'POST /worker/close'>,
    options?: CallOptions,
  ): Promise<Answer<'POST /worker/close'>['closing']> {
    return (await this.#send('POST /worker/close', { body }, options)).closing
  }

  /** Keeps an account that is being closed. */
  async keep(options?: CallOptions): Promise<Answer<'DELETE /worker/close'>['closing']> {
    return (await this.#send('DELETE /worker/close', {}, options)).closing
  }

  /** Chooses a new password and logs out all other devices. */
  changePassword(
    body: Body<'POST /worker/password'>,
    options?: CallOptions,
  ): Promise<Answer<'POST /worker/password'>> {
    return this.#send('POST /worker/password', { body }, options)
  }

  /** Returns the server settings that a worker app needs. */
  app(options?: CallOptions): Promise<Answer<'GET /worker/app'>> {
    return this.#send('GET /worker/app', {}, options)
  }

  /** Returns a few open tasks near a place. Needs no account. */
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

  /** The public profile of a worker. */
  async publicProfile(
    id: string,
    options?: CallOptions,
  ): Promise<Answer<'GET /worker/{id}/public'>['worker']> {
    return (await this.#send('GET /worker/{id}/public', { id }, options)).worker
  }

  /** The trust score, and every change with its cause. */
  trust(options?: CallOptions): Promise<Answer<'GET /worker/trust'>> {
    return this.#send('GET /worker/trust', {}, options)
  }

  earnings(
    query?: Query<'GET /worker/earnings'>,
    options?: CallOptions,
  ): Promise<Answer<'GET /worker/earnings'>> {
    return this.#send('GET /worker/earnings', { query }, options)
  }

  /** The payments behind the earnings. */
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

  /** Marks all notices up to this one as read. */
  readNotices(
    body: Body<'POST /worker/notices/read'>,
    options?: CallOptions,
  ): Promise<Answer<'POST /worker/notices/read'>> {
    return this.#send('POST /worker/notices/read', { body }, options)
  }

  /** Asks the operators a question, about anything or about a task. */
  async ask(
    body: Body<'POST /worker/questions'>,
    options?: CallOptions,
  ): Promise<Answer<'POST /worker/questions'>['question']> {
    return (await this.#send('POST /worker/questions', { body }, options)).question
  }

  questions(
    query?: Query<'GET /worker/questions'>,
    options?: CallOptions,
  ): Promise<Answer<'GET /worker/questions'>> {
    return this.#send('GET /worker/questions', { query }, options)
  }

  /** A question with its messages. */
  async question(
    id: string,
    options?: CallOptions,
  ): Promise<Answer<'GET /worker/questions/{id}'>['question']> {
    return (await this.#send('GET /worker/questions/{id}', { id }, options)).question
  }

  /** Adds a message to a question; after an answer, it is open again. */
  async replyToQuestion(
    id: string,
    body: Body<'POST /worker/questions/{id}/replies'>,
    options?: CallOptions,
  ): Promise<Answer<'POST /worker/questions/{id}/replies'>['question']> {
    return (await this.#send('POST /worker/questions/{id}/replies', { id, body }, options)).question
  }

  async closeQuestion(
    id: string,
    options?: CallOptions,
  ): Promise<Answer<'POST /worker/questions/{id}/close'>['question']> {
    return (await this.#send('POST /worker/questions/{id}/close', { id }, options)).question
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

  /** Returns a task with its full brief and exact address. */
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

  /** Releases a task that you can't complete. */
  async release(
    id: string,
    body: Body<'POST /worker/tasks/{id}/release'> = {},
    options?: CallOptions,
  ): Promise<Answer<'POST /worker/tasks/{id}/release'>['assignment']> {
    return (await this.#send('POST /worker/tasks/{id}/release', { id, body }, options)).assignment
  }

  /** Leaves an unsafe place: ends the assignment as `not_possible`, without affecting trust. */
  async unsafe(
    id: string,
    body: Body<'POST /worker/tasks/{id}/unsafe'> = {},
    options?: CallOptions,
  ): Promise<Answer<'POST /worker/tasks/{id}/unsafe'>['assignment']> {
    return (await this.#send('POST /worker/tasks/{id}/unsafe', { id, body }, options)).assignment
  }

  /** Returns your check-in, or null. */
  async checkIn(options?: CallOptions): Promise<Answer<'GET /worker/check-in'>['check_in']> {
    return (await this.#send('GET /worker/check-in', {}, options)).check_in
  }

  /** Asks to be checked on at a time while you do a task. */
  async setCheckIn(
    id: string,
    body: Body<'POST /worker/tasks/{id}/check-in'>,
    options?: CallOptions,
  ): Promise<Answer<'POST /worker/tasks/{id}/check-in'>['check_in']> {
    return (await this.#send('POST /worker/tasks/{id}/check-in', { id, body }, options)).check_in
  }

  /** Says that you are fine. */
  async answerCheckIn(id: string, options?: CallOptions): Promise<void> {
    await this.#send('POST /worker/tasks/{id}/check-in/ok', { id }, options)
  }

  /** Appeals a dispute, once, within 72 hours. */
  async appeal(
    id: string,
    body: Body<'POST /worker/tasks/{id}/appeal'>,
    options?: CallOptions,
  ): Promise<Answer<'POST /worker/tasks/{id}/appeal'>['dispute']> {
    return (await this.#send('POST /worker/tasks/{id}/appeal', { id, body }, options)).dispute
  }

  /** Reports a task that is dangerous, illegal or misleading. */
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

  /** Starts an upload. The response says how to send the bytes. */
  begin(
    body: Body<'POST /worker/uploads'>,
    options?: CallOptions,
  ): Promise<Answer<'POST /worker/uploads'>> {
    return this.#requests.send('POST /worker/uploads', { body }, options)
  }

  /** Returns the number of bytes received. */
  async offset(id: string, options?: CallOptions): Promise<number> {
    return offsetOf(await this.#requests.raw({ method: 'HEAD', ...this.#call(id) }, options))
  }

  /** Sends bytes from `offset` and returns the number received. After a broken connection, continue at `offset`. */
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
        // Some bytes may have arrived, and the server rejects bytes that it already has.
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

  /** Returns a page where the worker opens the payout account or continues. */
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

  /** Refreshes the status from the payment processor. */
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

  /** Starts a session as a test worker, with the token from `test.createWorker`. */
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
