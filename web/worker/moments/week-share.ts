/** How much of this week's pay one payment is. Pure rules. */
export interface Week {
  from: string
  to: string
  net_cents: number
}

export interface WeekShare {
  weekCents: number
  /** 0 to 1. */
  share: number
  isFirst: boolean
}

/** Null if the payment belongs to another week, or the sum doesn't include it yet. */
export function weekShareOf(week: Week, cents: number, at: string): WeekShare | null {
  const day = dayOf(new Date(at))
  if (day < week.from || day > week.to || cents <= 0 || week.net_cents < cents) return null
  return {
    weekCents: week.net_cents,
    share: cents / week.net_cents,
    isFirst: week.net_cents === cents,
  }
}

/** The date on this phone, as the server writes it: `2026-11-17`. */
function dayOf(at: Date): string {
  const two = (value: number) => String(value).padStart(2, '0')
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`
}
