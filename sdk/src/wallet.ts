import type { CallOptions } from './call-options.ts'
import { pagesOf } from './pages.ts'
import type { Requests } from './request.ts'
import type { Answer, Body, Query } from './routes.ts'
import type { components } from './types.ts'

export class Wallet {
  readonly #requests: Requests

  constructor(requests: Requests) {
    this.#requests = requests
  }

  /** Your balance, and what has moved it, newest first. */
  get(query?: Query<'GET /wallet'>, options?: CallOptions): Promise<Answer<'GET /wallet'>> {
    return this.#requests.send('GET /wallet', { query }, options)
  }

  /** What has moved your balance, page by page. */
  pages(
    query: NonNullable<Query<'GET /wallet'>> = {},
    options?: CallOptions,
  ): AsyncGenerator<components['schemas']['Transaction'][], void, undefined> {
    return pagesOf(query.cursor, async (cursor) => {
      const page = await this.get({ limit: 100, ...query, ...(cursor ? { cursor } : {}) }, options)
      // The query takes as a number what the answer has as text.
      const next = page.next_cursor === null ? null : Number(page.next_cursor)
      return { items: page.transactions, next }
    })
  }

  /** Opens a page on which a person pays money in. It is there when the processor says so, not before. */
  deposit(
    body: Body<'POST /wallet/deposit'>,
    options?: CallOptions,
  ): Promise<Answer<'POST /wallet/deposit'>> {
    return this.#requests.send('POST /wallet/deposit', { body }, options)
  }
}

export class Stats {
  readonly #requests: Requests

  constructor(requests: Requests) {
    this.#requests = requests
  }

  /** Your tasks, what they cost, how long they took, and who did them. */
  get(options?: CallOptions): Promise<Answer<'GET /stats'>> {
    return this.#requests.send('GET /stats', {}, options)
  }

  /** What you spent by day and type, and how long the balance lasts at this pace. */
  spend(
    query?: Query<'GET /stats/spend'>,
    options?: CallOptions,
  ): Promise<Answer<'GET /stats/spend'>> {
    return this.#requests.send('GET /stats/spend', { query }, options)
  }
}
