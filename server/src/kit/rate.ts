/** A share or a typical time of fewer cases would mislead: after one dispute, an agent would “pay 0%”. */
export const RATE_CASES_MIN = 5

/** A share as a number from 0 to 1; null while there are too few cases to tell. Show their number instead. */
export const rateOf = (part: number, cases: number): number | null =>
  cases < RATE_CASES_MIN ? null : part / cases

/** A median or an average; null while there are too few cases to tell. */
export const typicalOf = (value: number | null, cases: number): number | null =>
  cases < RATE_CASES_MIN ? null : value
