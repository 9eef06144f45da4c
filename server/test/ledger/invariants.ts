import {
  CLEARED,
  OF_AGENTS,
  OF_DEPOSITS,
  OF_LINES,
  OF_MATCHES,
  OF_PAYOUTS,
  OF_REFUNDS,
  OF_TASKS,
  OF_TRANSITS,
  OF_WORKERS,
  UNCHANGED,
} from '../../src/ledger/invariants.ts'

/** The names of all invariants, in the order of docs/ledger.md. */
export const INVARIANTS: readonly string[] = [
  ...new Set([
    ...[
      OF_AGENTS,
      OF_WORKERS,
      OF_TRANSITS,
      OF_LINES,
      OF_TASKS,
      OF_DEPOSITS,
      OF_REFUNDS,
      OF_PAYOUTS,
      OF_MATCHES,
    ].flatMap(Object.keys),
    UNCHANGED,
    CLEARED,
  ]),
]
