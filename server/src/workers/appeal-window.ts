import type { Config } from '../config.ts'

const HOUR_MS = 3_600_000

type Setting = Pick<Config, 'APPEAL_HOURS'>

/** Until when a worker can appeal a dispute: appeals, pending trust and screens all ask here. */
export const windowCloses = (openedAt: Date, { APPEAL_HOURS }: Setting) =>
  new Date(openedAt.getTime() + APPEAL_HOURS * HOUR_MS)

/** The same, looking back: a window that opened at this time or earlier has closed. */
export const closedIfOpenedBy = (now: Date, { APPEAL_HOURS }: Setting) =>
  new Date(now.getTime() - APPEAL_HOURS * HOUR_MS)
