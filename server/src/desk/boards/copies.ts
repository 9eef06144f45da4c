/**
 * Copies of what boards have read, so that looking at a board costs the database little, however many operators look
 * and however large it is. A copy that has become old is shown once more while a new one is read.
 */
import type { Shards } from '../../kit/db.ts'
import type { Background } from '../../kit/job.ts'

/** Reading takes at most a twentieth of the time. */
const AGE_PER_COST = 20
/** An older copy is not shown any more. */
const STALE_FACTOR = 10

interface Copy {
  at: Date
  data: unknown
  readAtMs: number
  tookMs: number
}

interface Held {
  copy?: Copy
  reading?: Promise<Copy> | undefined
}

const held = new WeakMap<Shards, Map<string, Held>>()

export async function copyOf<Data>(
  { db: { shards }, config, clock, log }: Background,
  key: string,
  read: (now: Date) => Promise<Data>,
): Promise<{ at: Date; data: Data }> {
  const copies = held.get(shards) ?? new Map<string, Held>()
  held.set(shards, copies)
  const one = copies.get(key) ?? {}
  copies.set(key, one)

  async function readAnew(): Promise<Copy> {
    const readAtMs = performance.now()
    const at = clock.now()
    const data = await read(at)
    one.copy = { at, data, readAtMs, tookMs: performance.now() - readAtMs }
    return one.copy
  }
  const readOnce = () => (one.reading ??= readAnew().finally(() => (one.reading = undefined)))

  const trustMs = Math.max(
    config.BOARD_CACHE_SECONDS * 1000,
    config.BOARD_CACHE_SECONDS > 0 ? (one.copy?.tookMs ?? 0) * AGE_PER_COST : 0,
  )
  const ageMs = one.copy === undefined ? Infinity : performance.now() - one.copy.readAtMs
  if (ageMs >= trustMs * STALE_FACTOR) return (await readOnce()) as { at: Date; data: Data }
  if (ageMs >= trustMs)
    readOnce().catch((error: unknown) => log.warn({ error }, 'could not read a board again'))
  return one.copy as { at: Date; data: Data }
}
