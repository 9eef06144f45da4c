/** The server's only clock. Tests advance it; no other code reads the machine's time. */
import { uptime } from 'node:os'

export interface Clock {
  now(): Date
  /**
   * Why this clock can't be used for decisions right now; undefined while it is trusted. Test clocks don't have this
   * method: they are always trusted.
   */
  doubt?(): ClockDoubt | undefined
}

export interface ClockDoubt {
  reason: 'wall_clock' | 'database_jumped' | 'suspended' | 'stale'
  /** How far the suspect clock is ahead of ours, in milliseconds; 0 if nothing was compared. */
  differenceMs: number
  /** One sentence for the log and /readyz. */
  message: string
}

/** This machine's clocks, in milliseconds. Tests inject others. */
interface Machine {
  /** Can be set to any time at any moment. */
  wall(): number
  /** Never steps. Excludes time while the machine was suspended. */
  monotonic(): number
  /** Never steps. Includes time while the machine was suspended, if the system reports it. */
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

/** Without a measurement for this long the clock is not trusted, so a frozen process checks the time before it acts. */
const STALE_MS = 60_000
/** The system rounds its uptime; differences up to this are noise. */
const SUSPENDED_MS = 1_000

/**
 * A clock that shows the database's time and is immune to steps of the wall clock. It reads the database's time once
 * and continues with the machine's monotonic clock; `follow` corrects it regularly.
 *
 * It compares three clocks and reports a doubt if they disagree by more than `toleranceMs`:
 * - This machine's wall clock was stepped: `now()` stays correct, and the doubt ends when the wall clock is correct.
 * - The database's time jumped: `follow` does not adopt it, because every deadline would be due at once. The doubt
 *   ends when the database's clock is correct again, or when an operator confirms the new time by a restart.
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

  /** Never goes backwards: after a correction it stays at the same time until the corrected time catches up. */
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
        message:
          `this machine was suspended for ${seconds(suspended)} s and has not read the ` +
          "database's time since",
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
        message: `the database's time has not been read for ${seconds(age)} s`,
      }
    return undefined
  }

  /** Asks the database for the time. Ignores a slow response, because its exact time is unknown. */
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
