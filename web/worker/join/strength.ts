/** A rough estimate of password strength, by length and unpredictability. There are no other rules. */
export type Strength = 'short' | 'weak' | 'fair' | 'good'

export const LENGTH_MIN = 8
const FAIR_BITS = 40
const GOOD_BITS = 60

/** `known`: public details of the person, such as their name, which attackers try first. */
export function strengthOf(password: string, known: readonly string[] = []): Strength {
  if (Array.from(password).length < LENGTH_MIN) return 'short'
  const bits = bitsOf(without(password, known))
  if (bits >= GOOD_BITS) return 'good'
  return bits >= FAIR_BITS ? 'fair' : 'weak'
}

function without(password: string, known: readonly string[]): string {
  return known
    .flatMap((text) => [text, text.split('@')[0]!])
    .filter((text) => text.length > 2)
    .sort((a, b) => b.length - a.length)
    .reduce((rest, text) => rest.toLowerCase().replaceAll(text.toLowerCase(), ''), password)
}

/** A letter that repeats the previous one, or follows it in the alphabet, adds no entropy. */
function bitsOf(text: string): number {
  const codes = Array.from(text, (letter) => letter.codePointAt(0)!)
  const surprising = codes.filter((code, at) => Math.abs(code - (codes[at - 1] ?? -9)) > 1)
  return Math.min(surprising.length * Math.log2(poolOf(text)), new Set(codes).size * 8)
}

const POOLS: [RegExp, number][] = [
  [/[a-z]/, 26],
  [/[A-Z]/, 26],
  [/\d/, 10],
  [/[^a-zA-Z\d]/, 30],
]

const poolOf = (text: string) =>
  Math.max(
    2,
    POOLS.reduce((sum, [kind, size]) => (kind.test(text) ? sum + size : sum), 0),
  )
