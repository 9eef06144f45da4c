/** Where the lines of a chart are: round numbers, from nothing to no less than the largest. Pure rules. */

const LINES_MAX = 4

/** `least` is the smallest step: half a dollar on an axis of dollars would be written as a dollar. */
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

/** Every how many-th label can be written, so that none touches the next one. */
export const labelStep = (labelWidth: number, slotWidth: number): number =>
  Math.max(1, Math.ceil(labelWidth / slotWidth))
