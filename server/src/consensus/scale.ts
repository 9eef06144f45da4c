/** A scale as an agent writes it: `1-10`, `0.0-1.0`, `1 – 10`, `-5 to 5`. */

export interface ScaleBounds {
  /** A scale written with decimals is answered with them. */
  type: 'integer' | 'number'
  minimum: number
  maximum: number
}

/** Numbers of at most six digits, apart by any dash, by dots or by `to`; a minus is a hyphen or its own character. */
const SCALE =
  /^\s*([-−+]?\d{1,6}(?:\.\d{1,6})?)\s*(?:[\p{Pd}−~]|\.{2,3}|to)\s*([-−+]?\d{1,6}(?:\.\d{1,6})?)\s*$/iu

/** Undefined for what is no scale. Whether it goes upwards is for the caller to check. */
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
