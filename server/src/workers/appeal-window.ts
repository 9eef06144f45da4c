import type { Config } from '../config.ts'

const HOUR_MS = 3_600_000

type Setting = Pick<Config, 'APPEAL_HOURS'>

/** When the appeal window of a dispute closes. The single source for appeals, pending trust and screens. */
export const windowCloses = (openedAt: Date, { APPEAL_HOURS }: Setting) =>
  new Date(openedAt.getTime() + APPEAL_HOURS * HOUR_MS)

/** The inverse: windows that opened at this time or earlier have closed. */
export const closedIfOpenedBy = (now: Date, { APPEAL_HOURS }: Setting) =>
  new Date(now.getTime() - APPEAL_HOURS * HOUR_MS)
