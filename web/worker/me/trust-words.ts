/** Names the range of a trust score. Pure rules. */

/** The first threshold that the score reaches applies. A low score is never shown as something good. */
const WORDS = [
  [90, 'excellent', 'good'],
  [80, 'veryGood', 'good'],
  [70, 'good', 'good'],
  [60, 'fair', 'warn'],
  [0, 'low', 'bad'],
] as const

export function meaningOf(score: number) {
  const [, word, tone] = WORDS.find(([least]) => score >= least) ?? WORDS.at(-1)!
  return { word, tone }
}
