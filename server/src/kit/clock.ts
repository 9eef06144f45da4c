/** The one clock of the server. Tests advance it; nothing else in the server asks the machine for the time. */
import { uptime } from 'node:os'

export interface Clock {
  now(): Date
  /**
   * Why nothing may be decided by this clock at the moment; undefined while it can be trusted. Clocks of tests have no
   * such method: they are always trusted.
   */
  doubt?(): ClockDoubt | undefined
}

export interface ClockDoubt {
  reason: 'wall_clock' | 'database_jumped' | 'suspended' | 'stale'
  /** How far the doubted clock is ahead of ours, in milliseconds; 0 where nothing was compared. */
  differenceMs: number
  /** One sentence for the log and for /readyz. */
  message: string
}

/** The clocks of this machine, in milliseconds. Tests bring others. */
interface Machine {
  /** Can be set by anybody, at any time, to anything. */
  wall(): number
  /** Never steps. Does not count the time during which the machine was suspended. */
  monotonic(): number
  /** Never steps. Counts the time during which the machine was suspended, where the system can tell. */
  uptime(): number
}

const THIS_MACHINE: Machine = {
  wall: () => Date.now(),
  monotonic: () => performance.now(),
  uptime() {
    try {
      return uptime() * 1000
    } catch {
      return Number.NaN
    }
  },
}

/** Without a measurement for so long, the clock is not trusted: a process that was frozen looks before it decides. */
const STALE_MS = 60_000
/** The system rounds its uptime; a difference up to this is noise. */
const SUSPENDED_MS = 1_000

/**
 * A clock that shows the database's time and that no step of a wall clock moves. It takes the database's time once and
 * counts on from there by the machine's monotonic clock; `follow` corrects it regularly.
 *
 * It compares three clocks and reports a doubt when they disagree by more than `toleranceMs`:
 * - The wall clock of this machine was stepped: `now()` stays right, and the doubt ends when the wall clock is right.
 * - The database's time jumped: `follow` does not take it over, because every deadline would be due at once. The doubt
 *   ends when the database's clock is right again, or when an operator confirms the new time by a restart.
 */
export function databaseClock({
  toleranceMs = 2_000,
  machine = THIS_MACHINE,
}: {
  toleranceMs?: number
  machine?: Machine
} = {}) {
  let anchor: { time: number; monotonic: number; uptime: number } | undefined
  let jumpedMs: number | undefined
  let latest = Number.NEGATIVE_INFINITY

  const elapsed = (from: { monotonic: number }) => machine.monotonic() - from.monotonic
  const counted = () => (anchor ? anchor.time + elapsed(anchor) : machine.wall())
  const suspendedMs = () => {
    if (!anchor) return 0
    const ms = machine.uptime() - anchor.uptime - elapsed(anchor)
    return ms > SUSPENDED_MS ? ms : 0
  }

  /** Never goes backwards: after a correction it stands still until the corrected time has caught up. */
  function now(): Date {
    latest = Math.max(latest, counted())
    return new Date(latest)
  }

  function doubt(): ClockDoubt | undefined {
    if (!anchor) return undefined
    const suspended = suspendedMs()
    if (suspended > 0)
      return {
        reason: 'suspended',
        differenceMs: 0,
        message: `this machine was suspended for ${seconds(suspended)} s and has not asked for the time since`,
      }
    if (jumpedMs !== undefined)
      return {
        reason: 'database_jumped',
        differenceMs: Math.round(jumpedMs),
        message: `the database's clock jumped by ${seconds(jumpedMs)} s`,
      }
    const offMs = machine.wall() - counted()
    if (Math.abs(offMs) > toleranceMs)
      return {
        reason: 'wall_clock',
        differenceMs: Math.round(offMs),
        message: `the wall clock of this machine differs from the database's by ${seconds(offMs)} s`,
      }
    const age = elapsed(anchor)
    if (age > STALE_MS)
      return {
        reason: 'stale',
        differenceMs: 0,
        message: `the database has not told the time for ${seconds(age)} s`,
      }
    return undefined
  }

  /** Asks the database for the time. An answer that took too long is not used: nobody knows when it was given. */
  async function follow(askDatabase: () => Promise<Date>): Promise<void> {
    const sent = machine.monotonic()
    const answer = (await askDatabase()).getTime()
    const halfTripMs = (machine.monotonic() - sent) / 2
    const time = answer + halfTripMs
    const found = { time, monotonic: machine.monotonic(), uptime: machine.uptime() }
    if (!anchor) {
      anchor = found
      return
    }
    const aheadMs = time - counted()
    const allowedMs = toleranceMs + halfTripMs
    const isExpected =
      Math.abs(aheadMs) <= allowedMs || Math.abs(aheadMs - suspendedMs()) <= allowedMs
    jumpedMs = isExpected ? undefined : aheadMs
    if (isExpected && 2 * halfTripMs <= toleranceMs) anchor = found
  }

  return {
    now,
    doubt,
    follow,
    /** How far the wall clock is ahead of this clock. */
    offMs: () => machine.wall() - counted(),
  }
}

export type DatabaseClock = ReturnType<typeof databaseClock>

const seconds = (ms: number) => (ms / 1000).toFixed(1)

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
