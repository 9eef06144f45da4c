import type { CallOptions } from './call-options.ts'
import { type Duration, toMs } from './duration.ts'
import type { Requests } from './request.ts'
import type { Answer, Body } from './routes.ts'

/** Calls that only test keys can make. */
export class TestMode {
  readonly #requests: Requests

  constructor(requests: Requests) {
    this.#requests = requests
  }

  /** Moves your test clock forward and runs all that is due: `24h` triggers automatic approval. */
  advanceClock(by: Duration, options?: CallOptions): Promise<Answer<'POST /test/clock/advance'>> {
    return this.#requests.send(
      'POST /test/clock/advance',
      { body: { by: `${Math.ceil(toMs(by) / 1000)}s` } },
      options,
    )
  }

  /** How far your test clock has been moved, and what happens next. */
  clock(options?: CallOptions): Promise<Answer<'GET /test/clock'>> {
    return this.#requests.send('GET /test/clock', {}, options)
  }

  /** Creates a worker for you to play. It sees tasks with persona `me` or `nobody`. `LegworkWorker` takes its token. */
  createWorker(
    body: Body<'POST /test/workers'> = {},
    options?: CallOptions,
  ): Promise<Answer<'POST /test/workers'>> {
    return this.#requests.send('POST /test/workers', { body }, options)
  }
}
