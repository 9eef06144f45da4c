/** Grid lines of a chart: round numbers from 0 to at least the largest value. Pure rules. */

const LINES_MAX = 4

/** `least` is the smallest step: on a dollar axis, half a dollar would be rounded to a dollar. */
export function ticksUpTo(largest: number, { least = 1 } = {}): number[] {
  const step = Math.max(least, roundUp(largest / LINES_MAX))
  const count = Math.max(1, Math.ceil(largest / step))
  return Array.from({ length: count + 1 }, (_, at) => at * step)
}

/** The next of 1, 2, 5, 10, 20, 50, … */
function roundUp(value: number): number {
  if (value <= 0) return 0
  const power = 10 ** Math.floor(Math.log10(value))
  const factor = [1, 2, 5, 10].find((one) => one * power >= value)!
  return factor * power
}

/** Shows every n-th label, so that labels don't touch. */
export const labelStep = (labelWidth: number, slotWidth: number): number =>
  Math.max(1, Math.ceil(labelWidth / slotWidth))
