import type { CallOptions } from './call-options.ts'
import { type Duration, toMs } from './duration.ts'
import type { Requests } from './request.ts'
import type { Answer, Body } from './routes.ts'

/** What a test key can do beyond a live one. */
export class TestMode {
  readonly #requests: Requests

  constructor(requests: Requests) {
    this.#requests = requests
  }

  /** Moves your own time on, and with it all that is due until then: `24h` brings an approval by itself. */
  advanceClock(by: Duration, options?: CallOptions): Promise<Answer<'POST /test/clock/advance'>> {
    return this.#requests.send(
      'POST /test/clock/advance',
      { body: { by: `${Math.ceil(toMs(by) / 1000)}s` } },
      options,
    )
  }

  /** How far your time has been moved, and what comes next. */
  clock(options?: CallOptions): Promise<Answer<'GET /test/clock'>> {
    return this.#requests.send('GET /test/clock', {}, options)
  }

  /** A worker for you to play, who sees your tasks of the persona `me` or `nobody`; `LegworkWorker` takes its token. */
  createWorker(
    body: Body<'POST /test/workers'> = {},
    options?: CallOptions,
  ): Promise<Answer<'POST /test/workers'>> {
    return this.#requests.send('POST /test/workers', { body }, options)
  }
}
