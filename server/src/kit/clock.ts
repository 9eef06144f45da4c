/** The one clock of the server. Tests advance it; nothing else in the server asks the machine for the time. */
export interface Clock {
  now(): Date
}

/**
 * A clock that agrees with the database's, however wrong this machine's own is: deadlines set by one process are
 * kept by another. `follow` measures the difference, halving the round trip.
 */
export function databaseClock() {
  let offsetMs = 0
  return {
    now: () => new Date(Date.now() + offsetMs),
    async follow(askDatabase: () => Promise<Date>): Promise<number> {
      const sent = Date.now()
      const answer = await askDatabase()
      const received = Date.now()
      offsetMs = Math.round(answer.getTime() - (sent + received) / 2)
      return offsetMs
    },
  }
}

/** A clock that stands still until it is told to move. For tests. */
export function steppedClock(start = new Date()) {
  let at = start.getTime()
  return {
    now: () => new Date(at),
    advance(ms: number) {
      at += ms
    },
  }
}
