import type { LaneState } from './lane.ts'
import type { Sign } from './sign.ts'

/** A lane that this process holds. */
export interface HeldLane {
  readonly id: string
  readonly agentId: string
  state: LaneState
  /** Built from `secrets`, which are kept here in their stored form. */
  sign: Sign
  secrets: string
  /** Looks whether there is something to do now. */
  wake(): void
}

export type HeldLanes = ReturnType<typeof heldLanes>

export function heldLanes() {
  const lanes = new Map<string, HeldLane>()
  let whenLeft = Promise.withResolvers<void>()

  return {
    get size() {
      return lanes.size
    },
    [Symbol.iterator]: () => lanes.values(),
    get: (id: string) => lanes.get(id),

    add(lane: HeldLane): void {
      lanes.set(lane.id, lane)
    },

    remove(lane: HeldLane): void {
      // The lane may have been claimed again before its release returned.
      if (lanes.get(lane.id) === lane) lanes.delete(lane.id)
      whenLeft.resolve()
      whenLeft = Promise.withResolvers()
    },

    /** Resolves when a lane is removed, or after `withinMs`. */
    async someLeft(withinMs: number): Promise<void> {
      const { promise, resolve } = Promise.withResolvers<void>()
      const timer = setTimeout(resolve, withinMs)
      await Promise.race([promise, whenLeft.promise])
      clearTimeout(timer)
    },

    async allLeft(): Promise<void> {
      while (lanes.size > 0) await whenLeft.promise
    },
  }
}
