/** Parses a scale as an agent writes it: `1-10`, `0.0-1.0`, `1 – 10`, `-5 to 5`. */

export interface ScaleBounds {
  /** A scale that is written with decimals accepts decimal answers. */
  type: 'integer' | 'number'
  minimum: number
  maximum: number
}

/** Two numbers of at most six digits, separated by any dash, dots or `to`. A minus is a hyphen or U+2212. */
const SCALE =
  /^\s*([-−+]?\d{1,6}(?:\.\d{1,6})?)\s*(?:[\p{Pd}−~]|\.{2,3}|to)\s*([-−+]?\d{1,6}(?:\.\d{1,6})?)\s*$/iu

/** Returns undefined if the text isn't a scale. The caller must check that the bounds are ascending. */
export function readScale(text: string): ScaleBounds | undefined {
  const [, from, to] = SCALE.exec(text.normalize('NFKC')) ?? []
  if (from === undefined || to === undefined) return undefined
  const number = (written: string) => Number(written.replace('−', '-'))
  return {
    type: `${from}${to}`.includes('.') ? 'number' : 'integer',
    minimum: number(from),
    maximum: number(to),
  }
}
