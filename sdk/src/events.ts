import type { CallOptions } from './call-options.ts'
import { isPassing } from './errors.ts'
import { pause, pauseMs, type Requests } from './request.ts'
import type { Answer, Body, Query } from './routes.ts'
import type { WebhookEvent } from './webhooks.ts'

const HOLD_S = 50
const SHORT_HOLD_S = 20

export interface FollowOptions extends Pick<CallOptions, 'signal' | 'timeoutMs'> {
  /** The id of the last event that you have dealt with; `latest`, which is the default, is from now on. */
  after?: string | undefined
  /** Only events of this type. */
  type?: WebhookEvent['type'] | undefined
  /** Only events of this task. */
  task_id?: string | undefined
  /** Called when the server could not be reached; the events that came meanwhile follow afterwards. */
  onFailure?: ((error: Error) => void) | undefined
}

export class Events {
  readonly #requests: Requests

  constructor(requests: Requests) {
    this.#requests = requests
  }

  /** A page of what has happened in the last 30 days, oldest first. */
  list(query: Query<'GET /events'> = {}, options?: CallOptions): Promise<Answer<'GET /events'>> {
    return this.#requests.send('GET /events', { query, holdS: query.wait }, options)
  }

  /**
   * Every event as it comes, each once and in order, without a public address: `for await (const event of
   * legwork.events.follow())`. Keep the `id` of the last one and pass it as `after` to go on where you were. It goes on
   * through failures in passing, and ends when you leave the loop or abort `signal`.
   */
  async *follow({
    after = 'latest',
    type,
    task_id,
    onFailure,
    ...call
  }: FollowOptions = {}): AsyncGenerator<WebhookEvent, void, undefined> {
    const filter = { ...(type && { type }), ...(task_id && { task_id }) }
    let place: string | null = after
    for (let failures = 0; ; ) {
      // Where `latest` is must be known before anything can be missed.
      const wait = place === 'latest' ? 0 : failures > 0 ? SHORT_HOLD_S : HOLD_S
      const query = { ...filter, ...(place === null ? {} : { after: place }), wait, limit: 100 }
      let page: Answer<'GET /events'>
      try {
        page = await this.list(query, call)
      } catch (error) {
        if (!isPassing(error)) throw error
        onFailure?.(error)
        await pause(pauseMs(failures, error.retryAfterS), call.signal)
        failures += 1
        continue
      }
      failures = 0
      yield* page.events as WebhookEvent[]
      place = page.next_after
    }
  }

  /** Sends an event once more to your webhook. */
  async redeliver(
    id: string,
    options?: CallOptions,
  ): Promise<Answer<'POST /events/{id}/redeliver'>['delivery']> {
    return (await this.#requests.send('POST /events/{id}/redeliver', { id }, options)).delivery
  }

  /** Sends many once more: those of a time, or those that never arrived. */
  replay(
    body: Body<'POST /events/replay'> = {},
    options?: CallOptions,
  ): Promise<Answer<'POST /events/replay'>> {
    return this.#requests.send('POST /events/replay', { body }, options)
  }
}
