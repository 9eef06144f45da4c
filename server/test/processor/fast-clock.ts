/** A clock that runs many times as fast as the machine's, the same in every process that knows when it began. */
export function fastClock({ beganAt, speed }: { beganAt: number; speed: number }) {
  let leaptMs = 0
  return {
    now: () => new Date(beganAt + (Date.now() - beganAt) * speed + leaptMs),
    /** Leaves out so much time. */
    advance(ms: number) {
      leaptMs += ms
    },
  }
}
