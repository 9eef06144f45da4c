import type { CallOptions } from './call-options.ts'
import type { Requests } from './request.ts'
import type { Answer, Body } from './routes.ts'

/** An API key as lists have it: what it may do, and what it has spent. */
export type Key = Answer<'GET /agents/keys'>['keys'][number]
/** A key that was just made, with the key itself, which is shown this once. */
export type NewKey = Answer<'POST /agents/keys'>['key']

export class Agents {
  readonly #requests: Requests

  constructor(requests: Requests) {
    this.#requests = requests
  }

  /** Registers an agent: a live key, a test key and a webhook secret, shown this once. */
  async register(
    body: Body<'POST /agents/register'>,
    options?: CallOptions,
  ): Promise<Answer<'POST /agents/register'>['agent']> {
    return (await this.#requests.send('POST /agents/register', { body }, options)).agent
  }

  /**
   * Mails a link to a new key to the address that the agent was registered with. It never says whether an agent has the
   * address. All keys keep working until the link is used.
   */
  async recover(body: Body<'POST /agents/recover'>, options?: CallOptions): Promise<void> {
    await this.#requests.send('POST /agents/recover', { body }, options)
  }

  /**
   * Uses the token of that link: a new live key and a new test key, shown this once. All other keys of the agent and
   * all console sessions end.
   */
  confirmRecovery(
    body: Body<'POST /agents/recover/confirm'>,
    options?: CallOptions,
  ): Promise<Answer<'POST /agents/recover/confirm'>> {
    return this.#requests.send('POST /agents/recover/confirm', { body }, options)
  }

  /** Confirms your e-mail address by the token of the link that was mailed at registration. */
  async verifyEmail(
    body: Body<'POST /agents/verify'>,
    options?: CallOptions,
  ): Promise<Answer<'POST /agents/verify'>['agent']> {
    return (await this.#requests.send('POST /agents/verify', { body }, options)).agent
  }

  /** Sends the link that confirms your e-mail address once more. */
  resendVerification(options?: CallOptions): Promise<Answer<'POST /agents/verify/resend'>> {
    return this.#requests.send('POST /agents/verify/resend', {}, options)
  }

  /** Who you are, and what the key in use may do. */
  me(options?: CallOptions): Promise<Answer<'GET /agents/me'>> {
    return this.#requests.send('GET /agents/me', {}, options)
  }

  /** Changes your name, where your events go and which, and below which balance you get a mail. */
  async update(
    body: Body<'PATCH /agents/me'>,
    options?: CallOptions,
  ): Promise<Answer<'PATCH /agents/me'>['agent']> {
    return (await this.#requests.send('PATCH /agents/me', { body }, options)).agent
  }

  /** What is left to do before you go live. */
  checklist(options?: CallOptions): Promise<Answer<'GET /agents/me/checklist'>> {
    return this.#requests.send('GET /agents/me/checklist', {}, options)
  }
}

export class Keys {
  readonly #requests: Requests

  constructor(requests: Requests) {
    this.#requests = requests
  }

  /** Your keys, or those below the key in use. */
  async list(options?: CallOptions): Promise<Key[]> {
    return (await this.#requests.send('GET /agents/keys', {}, options)).keys
  }

  /** Makes a key. One made by a limited key is its child, and may do no more than it. */
  async create(body: Body<'POST /agents/keys'>, options?: CallOptions): Promise<NewKey> {
    return (await this.#requests.send('POST /agents/keys', { body }, options)).key
  }

  /** Changes the name and the caps of a key. */
  async update(
    id: string,
    body: Body<'PATCH /agents/keys/{id}'>,
    options?: CallOptions,
  ): Promise<Key> {
    return (await this.#requests.send('PATCH /agents/keys/{id}', { id, body }, options)).key
  }

  /** Makes a key that takes the place of another; the old one is valid until `old_expires_at`. */
  rotate(id: string, options?: CallOptions): Promise<Answer<'POST /agents/keys/{id}/rotate'>> {
    return this.#requests.send('POST /agents/keys/{id}/rotate', { id }, options)
  }

  /** Revokes a key and all below it, at once. */
  async delete(
    id: string,
    options?: CallOptions,
  ): Promise<Answer<'DELETE /agents/keys/{id}'>['key']> {
    return (await this.#requests.send('DELETE /agents/keys/{id}', { id }, options)).key
  }
}

/** A session by cookie, in which a page of the server's own uses a key without holding it. */
export class ConsoleSession {
  readonly #requests: Requests

  constructor(requests: Requests) {
    this.#requests = requests
  }

  /** Exchanges a key for the cookie. */
  create(
    body: Body<'POST /console/session'>,
    options?: CallOptions,
  ): Promise<Answer<'POST /console/session'>> {
    return this.#requests.send('POST /console/session', { body }, options)
  }

  /** Whose session it is. */
  get(options?: CallOptions): Promise<Answer<'GET /console/session'>> {
    return this.#requests.send('GET /console/session', {}, options)
  }

  /** Ends it. */
  async delete(options?: CallOptions): Promise<void> {
    await this.#requests.send('DELETE /console/session', {}, options)
  }
}
