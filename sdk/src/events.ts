import type { CallOptions } from './call-options.ts'
import { isPassing } from './errors.ts'
import { pause, pauseMs, type Requests } from './request.ts'
import type { Answer, Body, Query } from './routes.ts'
import type { WebhookEvent } from './webhooks.ts'

const HOLD_S = 50
const SHORT_HOLD_S = 20

export interface FollowOptions extends Pick<CallOptions, 'signal' | 'timeoutMs'> {
  /** The id of the last event you have processed. The default, `latest`, starts now. */
  after?: string | undefined
  /** Only events of this type. */
  type?: WebhookEvent['type'] | undefined
  /** Only events of this task. */
  task_id?: string | undefined
  /** Called when the server can't be reached. Events from that time are delivered later. */
  onFailure?: ((error: Error) => void) | undefined
}

export class Events {
  readonly #requests: Requests

  constructor(requests: Requests) {
    this.#requests = requests
  }

  /** A page of the last 30 days' events, oldest first. */
  list(query: Query<'GET /events'> = {}, options?: CallOptions): Promise<Answer<'GET /events'>> {
    return this.#requests.send('GET /events', { query, holdS: query.wait }, options)
  }

  /**
   * Yields every event once and in order, without a public webhook address: `for await (const event of
   * legwork.events.follow())`. To resume later, pass the last event's `id` as `after`. It retries temporary failures,
   * and ends when you leave the loop or abort `signal`.
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
      // Resolve `latest` to a cursor first, so that no event is missed.
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

  /** Redelivers an event to your webhook. */
  async redeliver(
    id: string,
    options?: CallOptions,
  ): Promise<Answer<'POST /events/{id}/redeliver'>['delivery']> {
    return (await this.#requests.send('POST /events/{id}/redeliver', { id }, options)).delivery
  }

  /** Redelivers the events of a time span, or only those that failed. */
  replay(
    body: Body<'POST /events/replay'> = {},
    options?: CallOptions,
  ): Promise<Answer<'POST /events/replay'>> {
    return this.#requests.send('POST /events/replay', { body }, options)
  }
}
