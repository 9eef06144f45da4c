const UNITS_MS = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** A duration: `90s`, `30m`, `2h`, `1d`, or a number of milliseconds. */
export type Duration = number | `${number}${keyof typeof UNITS_MS}`

export function toMs(duration: Duration): number {
  if (typeof duration === 'number') return duration
  const [, count, unit] = /^(\d+(?:\.\d+)?)([smhd])$/.exec(duration) ?? []
  if (count === undefined)
    throw new TypeError(`${duration} is not a duration; write 90s, 30m, 2h or 1d`)
  return Number(count) * UNITS_MS[unit as keyof typeof UNITS_MS]
}
