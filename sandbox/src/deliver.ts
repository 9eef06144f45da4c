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

interface ReleasePlan {
  order: 'fifo' | 'lifo' | 'shuffle'
  times: number
  /** The probability that a delivery is dropped. */
  drop: number
  seed: number
}

export interface Deliveries {
  /** Signals that a delivery may be due. */
  wake(): void
  /** Waits until nothing is due or in flight, for at most a minute. */
  flush(): Promise<void>
  /** Sends all waiting deliveries in this order, and waits until each was tried. */
  release(plan: ReleasePlan): Promise<Released>
  /** Reseeds the random generator of the delivery policy. */
  seed(seed: number): void
  stop(): Promise<void>
}

interface DeliveriesOptions {
  store: Store
  /** The receiver's time, which goes into the signature: the clock without the control API's offset. */
  now: () => number
  retryDelaysMs?: readonly number[] | undefined
}

export function startDeliveries({
  store,
  now,
  retryDelaysMs = RETRY_DELAYS_MS,
}: DeliveriesOptions): Deliveries {
  const underWay = new Map<number, Promise<void>>()
  let isStopped = false
  let timer: NodeJS.Timeout | undefined
  let isReleasing = false
  let random = seededRandom(readSetting(store, 'delivery_policy').seed)

  const attempts = openAttempts({ store, now, retryDelaysMs, isStopped: () => isStopped })

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
    if (times === 0) return attempts.drop(delivery)
    for (let time = 0; time < times; time++) await attempts.send(delivery)
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

    async release(plan) {
      isReleasing = true
      try {
        await Promise.all(underWay.values())
        return await sendAll(plan, { store, attempts, isStopped: () => isStopped })
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
      attempts.stop()
      await Promise.all(underWay.values())
    },
  }
}

async function sendAll(
  { order, times, drop, seed }: ReleasePlan,
  { store, attempts, isStopped }: { store: Store; attempts: Attempts; isStopped: () => boolean },
): Promise<Released> {
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
    if (isStopped()) return result
    if (chance() < drop) {
      result.dropped++
      continue
    }
    result.sent++
    if (await attempts.send(delivery)) result.delivered++
    else result.failed++
  }
  for (const delivery of waiting) attempts.giveUpIfLost(delivery)
  return result
}

type Attempts = ReturnType<typeof openAttempts>

/** Sends single deliveries and records each attempt with its response. */
function openAttempts({
  store,
  now,
  retryDelaysMs,
  isStopped,
}: {
  store: Store
  now: () => number
  retryDelaysMs: readonly number[]
  isStopped: () => boolean
}) {
  const poster = openPoster()

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
    if (isStopped()) return false
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

  /** A delivery whose copies were all dropped is lost. */
  function giveUpIfLost(delivery: Waiting): void {
    const tried = store.one('select 1 from attempts where delivery_id = ? limit 1', delivery.id)
    if (tried === undefined) drop(delivery)
  }

  return { send, drop, giveUpIfLost, stop: () => poster.stop() }
}

const isTaken = (status: number) => status >= 200 && status < 300
