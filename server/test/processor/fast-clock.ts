/** A clock that runs many times as fast as the machine's, the same in every process that knows its start time. */
export function fastClock({ beganAt, speed }: { beganAt: number; speed: number }) {
  let leaptMs = 0
  return {
    now: () => new Date(beganAt + (Date.now() - beganAt) * speed + leaptMs),
    /** Skips this much time. */
    advance(ms: number) {
      leaptMs += ms
    },
  }
}
