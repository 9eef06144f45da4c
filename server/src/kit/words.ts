/** Words for people who read what we print or write to them. */

/** `1 payout`, `2 payouts`, `1 delivery`. */
export const counted = (count: number, things: string) =>
  `${count} ${count === 1 ? things.replace(/ies$/, 'ys').replace(/s$/, '') : things}`

export function ageOf(ms: number): string {
  const minutes = Math.max(0, Math.floor(ms / 60_000))
  if (minutes < 120) return `${minutes} min`
  const hours = Math.floor(minutes / 60)
  return hours < 48 ? `${hours} h` : `${Math.floor(hours / 24)} days`
}

/** A heading and what stands under it. */
export const section = (title: string, lines: string[]) => [
  lines.length === 0 ? `${title}: none` : `${title}:`,
  ...lines.map((line) => `  ${line}`),
  '',
]
