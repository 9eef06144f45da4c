/** Text helpers for output and messages that people read. */

/** `1 payout`, `2 payouts`, `1 delivery`. */
export const counted = (count: number, things: string) =>
  `${count} ${count === 1 ? things.replace(/ies$/, 'ys').replace(/s$/, '') : things}`

export function ageOf(ms: number): string {
  const minutes = Math.max(0, Math.floor(ms / 60_000))
  if (minutes < 120) return `${minutes} min`
  const hours = Math.floor(minutes / 60)
  return hours < 48 ? `${hours} h` : `${Math.floor(hours / 24)} days`
}

/** A heading with indented lines below it. */
export const section = (title: string, lines: string[]) => [
  lines.length === 0 ? `${title}: none` : `${title}:`,
  ...lines.map((line) => `  ${line}`),
  '',
]

/** Makes untrusted text safe for a terminal: one line, without control characters. */
export const plain = (text: string) => text.replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, ' ').trim()

const TITLE_MAX = 120

/** The title of a text that has none: its first sentence, cut at a word boundary if too long. */
export function titleOf(text: string): string {
  const sentence = /^.+?(?:[.!?…](?=\s|$)|\n|$)/s.exec(text.trim())?.[0].trim() ?? ''
  if (sentence.length <= TITLE_MAX) return sentence
  const word = sentence.slice(0, TITLE_MAX).lastIndexOf(' ')
  // Don't cut a surrogate pair in half.
  const cut = sentence
    .slice(0, word > TITLE_MAX / 2 ? word : TITLE_MAX - 1)
    .replace(/[\uD800-\uDBFF]$/, '')
  return `${cut.trimEnd()}…`
}
