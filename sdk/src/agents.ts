import type { CallOptions } from './call-options.ts'
import type { Requests } from './request.ts'
import type { Answer, Body, Query } from './routes.ts'

/** An API key in a list: its scopes, caps and spend, without the key itself. */
export type Key = Answer<'GET /agents/keys'>['keys'][number]
/** A new API key, including the key itself. It is shown only once. */
export type NewKey = Answer<'POST /agents/keys'>['key']

export class Agents {
  readonly #requests: Requests

  constructor(requests: Requests) {
    this.#requests = requests
  }

  /** Registers an agent. Returns a live key, a test key and a webhook secret; they are shown only once. */
  async register(
    body: Body<'POST /agents/register'>,
    options?: CallOptions,
  ): Promise<Answer<'POST /agents/register'>['agent']> {
    return (await this.#requests.send('POST /agents/register', { body }, options)).agent
  }

  /**
   * Emails a link to a new key to the agent's registered address. The response is the same whether or not an agent has
   * that address. Existing keys keep working until the link is used.
   */
  async recover(body: Body<'POST /agents/recover'>, options?: CallOptions): Promise<void> {
    await this.#requests.send('POST /agents/recover', { body }, options)
  }

  /**
   * Uses the token from the recovery email. Returns a new live key and a new test key, shown only once, and revokes all
   * other keys and console sessions of the agent.
   */
  confirmRecovery(
    body: Body<'POST /agents/recover/confirm'>,
    options?: CallOptions,
  ): Promise<Answer<'POST /agents/recover/confirm'>> {
    return this.#requests.send('POST /agents/recover/confirm', { body }, options)
  }

  /** Confirms your email address with the token from the registration email. */
  async verifyEmail(
    body: Body<'POST /agents/verify'>,
    options?: CallOptions,
  ): Promise<Answer<'POST /agents/verify'>['agent']> {
    return (await this.#requests.send('POST /agents/verify', { body }, options)).agent
  }

  /** Sends the email that confirms your address again. */
  resendVerification(options?: CallOptions): Promise<Answer<'POST /agents/verify/resend'>> {
    return this.#requests.send('POST /agents/verify/resend', {}, options)
  }

  /** Your agent, and the scopes and caps of the key in use. */
  me(options?: CallOptions): Promise<Answer<'GET /agents/me'>> {
    return this.#requests.send('GET /agents/me', {}, options)
  }

  /** Changes your name, webhook settings, or the balance below which you get an email. */
  async update(
    body: Body<'PATCH /agents/me'>,
    options?: CallOptions,
  ): Promise<Answer<'PATCH /agents/me'>['agent']> {
    return (await this.#requests.send('PATCH /agents/me', { body }, options)).agent
  }

  /** The steps left before you go live. */
  checklist(options?: CallOptions): Promise<Answer<'GET /agents/me/checklist'>> {
    return this.#requests.send('GET /agents/me/checklist', {}, options)
  }
}

export class Keys {
  readonly #requests: Requests

  constructor(requests: Requests) {
    this.#requests = requests
  }

  /** Lists your keys. A limited key sees only the keys below it. */
  async list(options?: CallOptions): Promise<Key[]> {
    return (await this.#requests.send('GET /agents/keys', {}, options)).keys
  }

  /** Creates a key. A key created by a limited key is its child and can't exceed its limits. */
  async create(body: Body<'POST /agents/keys'>, options?: CallOptions): Promise<NewKey> {
    return (await this.#requests.send('POST /agents/keys', { body }, options)).key
  }

  /** Changes a key's name and caps. */
  async update(
    id: string,
    body: Body<'PATCH /agents/keys/{id}'>,
    options?: CallOptions,
  ): Promise<Key> {
    return (await this.#requests.send('PATCH /agents/keys/{id}', { id, body }, options)).key
  }

  /** Replaces a key with a new one. The old key stays valid until `old_expires_at`. */
  rotate(id: string, options?: CallOptions): Promise<Answer<'POST /agents/keys/{id}/rotate'>> {
    return this.#requests.send('POST /agents/keys/{id}/rotate', { id }, options)
  }

  /** Revokes a key and all keys below it, immediately. */
  async delete(
    id: string,
    options?: CallOptions,
  ): Promise<Answer<'DELETE /agents/keys/{id}'>['key']> {
    return (await this.#requests.send('DELETE /agents/keys/{id}', { id }, options)).key
  }
}

/** The console's cookie session: the browser uses a key without storing it. */
export class ConsoleSession {
  readonly #requests: Requests

  constructor(requests: Requests) {
    this.#requests = requests
  }

  /** Starts a session: exchanges a key for a cookie. */
  create(
    body: Body<'POST /console/session'>,
    options?: CallOptions,
  ): Promise<Answer<'POST /console/session'>> {
    return this.#requests.send('POST /console/session', { body }, options)
  }

  /** The agent of the current session. */
  get(options?: CallOptions): Promise<Answer<'GET /console/session'>> {
    return this.#requests.send('GET /console/session', {}, options)
  }

  /** Switches a person's session between live and test mode. */
  update(
    body: Body<'PATCH /console/session'>,
    options?: CallOptions,
  ): Promise<Answer<'PATCH /console/session'>> {
    return this.#requests.send('PATCH /console/session', { body }, options)
  }

  /** Ends the session. */
  async delete(options?: CallOptions): Promise<void> {
    await this.#requests.send('DELETE /console/session', {}, options)
  }
}

/** The people of an agent, for a browser in which one of them is logged in to the console. */
export class People {
  readonly #requests: Requests

  constructor(requests: Requests) {
    this.#requests = requests
  }

  /** Emails a link that logs a person in. The response is the same if nobody has the email. */
  requestLink(
    body: Body<'POST /console/people/log-in-links'>,
    options?: CallOptions,
  ): Promise<Answer<'POST /console/people/log-in-links'>> {
    return this.#requests.send('POST /console/people/log-in-links', { body }, options)
  }

  /** Starts a session: exchanges the token of an emailed link for a cookie. */
  logIn(
    body: Body<'POST /console/people/session'>,
    options?: CallOptions,
  ): Promise<Answer<'POST /console/people/session'>> {
    return this.#requests.send('POST /console/people/session', { body }, options)
  }

  /** Everyone who is a member or invited. */
  async list(options?: CallOptions): Promise<Answer<'GET /console/people'>['people']> {
    return (await this.#requests.send('GET /console/people', {}, options)).people
  }

  /** Invites a person, or invites them again. */
  async invite(
    body: Body<'POST /console/people'>,
    options?: CallOptions,
  ): Promise<Answer<'POST /console/people'>['person']> {
    return (await this.#requests.send('POST /console/people', { body }, options)).person
  }

  /** Changes the role or the name of a person. */
  async update(
    id: string,
    body: Body<'PATCH /console/people/{id}'>,
    options?: CallOptions,
  ): Promise<Answer<'PATCH /console/people/{id}'>['person']> {
    return (await this.#requests.send('PATCH /console/people/{id}', { id, body }, options)).person
  }

  /** Removes a person, whose sessions end at once. */
  async remove(
    id: string,
    options?: CallOptions,
  ): Promise<Answer<'DELETE /console/people/{id}'>['person']> {
    return (await this.#requests.send('DELETE /console/people/{id}', { id }, options)).person
  }

  /** Leaves the agent. All sessions of the calling person end at once. */
  async leave(options?: CallOptions): Promise<Answer<'DELETE /console/people/me'>['person']> {
    return (await this.#requests.send('DELETE /console/people/me', {}, options)).person
  }

  /** The actions of the people, newest first. */
  actions(
    query?: Query<'GET /console/actions'>,
    options?: CallOptions,
  ): Promise<Answer<'GET /console/actions'>> {
    return this.#requests.send('GET /console/actions', { query }, options)
  }
}
