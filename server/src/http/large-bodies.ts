/**
 * Limits how many large bodies a process holds in memory at once, in total and per caller. Further callers wait for a
 * slot before any of their body is read. Test mode, which anyone can use, gets at most half of the slots.
 */
import type { Config } from '../config.ts'
import type { Mode } from '../kit/endpoint.ts'
import { rateLimited, unavailable } from '../kit/errors.ts'
import type { Metrics } from '../kit/metrics.ts'

/** Bodies above this size need a slot. Only bodies that contain files are larger. */
export const LARGE_BODY_BYTES = 524_288
const WAIT_MS_MAX = 5000
const WAITING_MAX = 64
const RETRY_AFTER_SECONDS = 2

interface Caller {
  id: string
  mode: Mode
}

interface Turn {
  caller: Caller
  begin(giveBack: () => void): void
}

export type LargeBodies = ReturnType<typeof openLargeBodies>

export function openLargeBodies(
  config: Pick<Config, 'LARGE_BODIES' | 'LARGE_BODIES_PER_CALLER'>,
  metrics: Pick<Metrics, 'largeBodies' | 'largeBodiesMax'>,
) {
  metrics.largeBodiesMax.set(config.LARGE_BODIES)
  const taken = { live: 0, test: 0 }
  /** Slots that a caller holds or waits for. */
  const ofCaller = new Map<string, number>()
  const waiting: Turn[] = []

  const isFree = (mode: Mode) =>
    taken.live + taken.test < config.LARGE_BODIES &&
    (mode === 'live' || taken.test < Math.ceil(config.LARGE_BODIES / 2))

  function count({ id, mode }: Caller, change: 1 | -1): void {
    taken[mode] += change
    metrics.largeBodies.set(taken.live + taken.test)
    if (change === -1) forget(id)
  }

  function forget(id: string): void {
    const left = (ofCaller.get(id) ?? 1) - 1
    if (left === 0) ofCaller.delete(id)
    else ofCaller.set(id, left)
  }

  function letIn(): void {
    const index = waiting.findIndex(({ caller }) => isFree(caller.mode))
    if (index === -1) return
    const { caller, begin } = waiting.splice(index, 1)[0]!
    begin(takePlace(caller))
  }

  function takePlace(caller: Caller): () => void {
    count(caller, 1)
    let isTaken = true
    return () => {
      if (!isTaken) return
      isTaken = false
      count(caller, -1)
      letIn()
    }
  }

  return {
    /** Resolves with the function that releases the slot. */
    async take(caller: Caller): Promise<() => void> {
      const own = ofCaller.get(caller.id) ?? 0
      if (own >= config.LARGE_BODIES_PER_CALLER)
        throw rateLimited({ limit: 'large_bodies', retry_after_seconds: RETRY_AFTER_SECONDS })
      ofCaller.set(caller.id, own + 1)
      if (isFree(caller.mode)) return takePlace(caller)
      const giveBack = waiting.length < WAITING_MAX ? await waitFor(caller) : undefined
      if (giveBack !== undefined) return giveBack
      forget(caller.id)
      throw unavailable({ retry_after_seconds: RETRY_AFTER_SECONDS })
    },
  }

  function waitFor(caller: Caller): Promise<(() => void) | undefined> {
    return new Promise((resolve) => {
      const turn: Turn = {
        caller,
        begin(giveBack) {
          clearTimeout(timer)
          resolve(giveBack)
        },
      }
      const timer = setTimeout(() => {
        waiting.splice(waiting.indexOf(turn), 1)
        resolve(undefined)
      }, WAIT_MS_MAX)
      waiting.push(turn)
    })
  }
}
