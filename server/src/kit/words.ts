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

/** What strangers wrote, for a terminal: on one line, and nothing in it that steers one. */
export const plain = (text: string) => text.replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, ' ').trim()

const TITLE_MAX = 120

/** What a text without a title is called: its first sentence, cut at a word where it is too long. */
export function titleOf(text: string): string {
  const sentence = /^.+?(?:[.!?…](?=\s|$)|\n|$)/s.exec(text.trim())?.[0].trim() ?? ''
  if (sentence.length <= TITLE_MAX) return sentence
  const word = sentence.slice(0, TITLE_MAX).lastIndexOf(' ')
  // Not through the middle of a letter that takes two units.
  const cut = sentence
    .slice(0, word > TITLE_MAX / 2 ? word : TITLE_MAX - 1)
    .replace(/[\uD800-\uDBFF]$/, '')
  return `${cut.trimEnd()}…`
}
