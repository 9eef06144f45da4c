// Generated from server/src/kit/money.ts by npm run generate.

/** The commission rate of new tasks, in hundredths of a percent. */
export const COMMISSION_BASIS_POINTS = 1800
/** The same as a fraction. */
export const COMMISSION_SHARE = COMMISSION_BASIS_POINTS / 10_000
