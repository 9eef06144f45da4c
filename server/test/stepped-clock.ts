/** A clock that only moves when told to. */
export function steppedClock(start = new Date()) {
  let at = start.getTime()
  return {
    now: () => new Date(at),
    advance(ms: number) {
      at += ms
    },
  }
}
