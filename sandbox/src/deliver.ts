/**
 * Sends the events that events.ts has stored. A delivery is retried until it gets a 2xx response or its retries are
 * used up. A delivery in flight when the sandbox was killed is sent again, so delivery is at least once.
 */
import { bodyOf } from './events.ts'
import { openPoster } from './post.ts'
import { seededRandom, shuffled } from './random.ts'
import { readSetting } from './settings.ts'
import { signatureHeader } from './signature.ts'
import type { Store } from './store.ts'

const AT_ONCE = 8
const LOOKED_AT = 64
const FLUSH_MAX_MS = 60_000
const RETRY_DELAYS_MS = [1_000, 5_000, 30_000, 300_000, 1_800_000, 7_200_000, 21_600_000]

interface Waiting {
  id: number
  event_id: string
  endpoint_id: string
  tries: number
}

type Outcome = 'delivered' | 'refused' | 'unreachable' | 'dropped'

export interface Released {
  /** The number of requests, by result. */
  sent: number
  delivered: number
  failed: number
  dropped: number
}

export interface Deliveries {
  /** Signals that a delivery may be due. */
  wake(): void
  /** Waits until nothing is due or in flight, for at most a minute. */
  flush(): Promise<void>
  /** Sends all waiting deliveries in this order, and waits until each was tried. */
  release(options: {
    order: 'fifo' | 'lifo' | 'shuffle'
    times: number
    drop: number
    seed: number
  }): Promise<Released>
  /** Reseeds the random generator of the delivery policy. */
  seed(seed: number): void
  stop(): Promise<void>
}

export function startDeliveries({
  store,
  now,
  retryDelaysMs = RETRY_DELAYS_MS,
}: {
  store: Store
  /** The receiver's time, which goes into the signature: the clock without the control API's offset. */
  now: () => number
  retryDelaysMs?: readonly number[] | undefined
}): Deliveries {
  const underWay = new Map<number, Promise<void>>()
  const poster = openPoster()
  let isStopped = false
  let timer: NodeJS.Timeout | undefined
  let isReleasing = false
  let random = seededRandom(readSetting(store, 'delivery_policy').seed)

  const isHeld = () => isStopped || isReleasing || readSetting(store, 'hold_deliveries')

  function pump(): void {
    clearTimeout(timer)
    if (isHeld()) return
    const policy = readSetting(store, 'delivery_policy')
    while (underWay.size < AT_ONCE) {
      // One more than can be in flight, so that at least one of them isn't.
      const due = dueNow(policy.shuffle ? LOOKED_AT : AT_ONCE + 1).filter(
        ({ id }) => !underWay.has(id),
      )
      const next = policy.shuffle ? due[Math.floor(random() * due.length)] : due[0]
      if (next === undefined) break
      const isDropped = policy.drop > 0 && random() < policy.drop
      const times = policy.duplicate > 0 && random() < policy.duplicate ? 2 : 1
      const sending = sendTimes(next, isDropped ? 0 : times).finally(() => {
        underWay.delete(next.id)
        pump()
      })
      underWay.set(next.id, sending)
    }
    if (underWay.size === 0) waitForNext()
  }

  const dueNow = (limit: number) =>
    store.all<Waiting>(
      `select id, event_id, endpoint_id, tries from deliveries indexed by deliveries_waiting
         where state = 'waiting' and due_at <= ? order by due_at, id limit ?`,
      Date.now(),
      limit,
    )

  function waitForNext(): void {
    const next = store.one<{ due_at: number }>(
      `select due_at from deliveries indexed by deliveries_waiting
         where state = 'waiting' order by due_at limit 1`,
    )
    if (next === undefined) return
    timer = setTimeout(pump, Math.min(Math.max(next.due_at - Date.now(), 1), 60_000))
    timer.unref()
  }

  async function sendTimes(delivery: Waiting, times: number): Promise<void> {
    if (times === 0) return drop(delivery)
    for (let time = 0; time < times; time++) await send(delivery)
  }

  /** Makes one attempt; returns true if it was accepted. */
  async function send(delivery: Waiting): Promise<boolean> {
    const row = store.one<{
      shape: 'snapshot' | 'thin'
      json: string
      url: string
      secret: string
    }>(
      `select shape, events.json, url, secret from events, endpoints
         where events.id = ? and endpoints.id = ?`,
      delivery.event_id,
      delivery.endpoint_id,
    )
    // The endpoint was removed, or everything was reset.
    if (row === undefined) {
      store.run('delete from deliveries where id = ?', delivery.id)
      return false
    }
    const body = bodyOf(row.shape, row.json)
    const began = performance.now()
    const { status, answer } = await poster.post(row.url, body, {
      'content-type': 'application/json; charset=utf-8',
      'user-agent': 'Stripe/1.0 (sandbox)',
      'stripe-signature': signatureHeader(row.secret, body, Math.floor(now() / 1000)),
    })
    // The database is already closed; the next start finds the delivery waiting and sends it again.
    if (isStopped) return false
    const outcome = status === null ? 'unreachable' : isTaken(status) ? 'delivered' : 'refused'
    record(delivery, { outcome, status, answer, ms: Math.round(performance.now() - began) })
    return outcome === 'delivered'
  }

  function record(
    delivery: Waiting,
    attempt: { outcome: Outcome; status: number | null; answer: string; ms: number },
  ): void {
    store.transaction(() => {
      store.run(
        'insert into attempts (delivery_id, at, outcome, status, ms, answer) values (?, ?, ?, ?, ?, ?)',
        delivery.id,
        now(),
        attempt.outcome,
        attempt.status,
        attempt.ms,
        attempt.answer,
      )
      const current = store.one<{ tries: number }>(
        'select tries from deliveries where id = ?',
        delivery.id,
      )
      const delayMs = retryDelaysMs[current?.tries ?? 0]
      const isOver = attempt.outcome === 'dropped' || delayMs === undefined
      const state = attempt.outcome === 'delivered' ? 'delivered' : isOver ? 'failed' : 'waiting'
      // A delivered event stays delivered, whatever the response to a duplicate.
      store.run(
        `update deliveries set tries = tries + 1, due_at = ?,
           state = case when state = 'delivered' then state else ? end
         where id = ?`,
        Date.now() + (delayMs ?? 0),
        state,
        delivery.id,
      )
    })
  }

  /** Simulates a lost delivery: never retried, and listed by the API as undelivered. */
  function drop(delivery: Waiting): void {
    record(delivery, {
      outcome: 'dropped',
      status: null,
      answer: 'dropped by the sandbox',
      ms: 0,
    })
  }

  return {
    wake: pump,

    async flush() {
      const until = Date.now() + FLUSH_MAX_MS
      while (Date.now() < until && !isStopped) {
        pump()
        if (underWay.size === 0) return
        await Promise.race(underWay.values())
      }
    },

    async release({ order, times, drop: dropped, seed }) {
      isReleasing = true
      try {
        await Promise.all(underWay.values())
        const chance = seededRandom(seed)
        const waiting = store.all<Waiting>(
          `select id, event_id, endpoint_id, tries from deliveries where state = 'waiting' order by id`,
        )
        const all = Array.from({ length: times }, () => waiting).flat()
        const ordered =
          order === 'lifo'
            ? all.sort((one, other) => other.id - one.id)
            : order === 'shuffle'
              ? shuffled(all, chance)
              : all.sort((one, other) => one.id - other.id)
        const result = { sent: 0, delivered: 0, failed: 0, dropped: 0 }
        for (const delivery of ordered) {
          if (isStopped) return result
          if (chance() < dropped) {
            result.dropped++
            continue
          }
          result.sent++
          if (await send(delivery)) result.delivered++
          else result.failed++
        }
        for (const delivery of waiting) giveUpIfLost(delivery)
        return result
      } finally {
        isReleasing = false
        pump()
      }
    },

    seed(seed) {
      random = seededRandom(seed)
    },

    async stop() {
      clearTimeout(timer)
      isStopped = true
      poster.stop()
      await Promise.all(underWay.values())
    },
  }

  /** A delivery whose copies were all dropped is lost. */
  function giveUpIfLost(delivery: Waiting): void {
    const tried = store.one('select 1 from attempts where delivery_id = ? limit 1', delivery.id)
    if (tried === undefined) drop(delivery)
  }
}

const isTaken = (status: number) => status >= 200 && status < 300
