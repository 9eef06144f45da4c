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

  /** Returns the balance and the latest transactions. */
  get(query?: Query<'GET /wallet'>, options?: CallOptions): Promise<Answer<'GET /wallet'>> {
    return this.#requests.send('GET /wallet', { query }, options)
  }

  /** Iterates over the pages of your transactions. */
  pages(
    query: NonNullable<Query<'GET /wallet'>> = {},
    options?: CallOptions,
  ): AsyncGenerator<components['schemas']['Transaction'][], void, undefined> {
    return pagesOf(query.cursor, async (cursor) => {
      const page = await this.get({ limit: 100, ...query, ...(cursor ? { cursor } : {}) }, options)
      // The response has the cursor as text; the query takes a number.
      const next = page.next_cursor === null ? null : Number(page.next_cursor)
      return { items: page.transactions, next }
    })
  }

  /** Creates a payment page for a deposit. The wallet is credited when the payment processor confirms it. */
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

  /** Counts, costs, times, quality and top workers of your tasks. */
  get(options?: CallOptions): Promise<Answer<'GET /stats'>> {
    return this.#requests.send('GET /stats', {}, options)
  }

  /** Spend by day and type, and how long the balance lasts at this rate. */
  spend(
    query?: Query<'GET /stats/spend'>,
    options?: CallOptions,
  ): Promise<Answer<'GET /stats/spend'>> {
    return this.#requests.send('GET /stats/spend', { query }, options)
  }
}
