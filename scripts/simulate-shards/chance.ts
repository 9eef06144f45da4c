/** Random numbers that are the same in every run. */
export type Chance = () => number

/** Mulberry32: 32 bits of state are plenty for a simulation of some minutes. */
export function seeded(seed: number): Chance {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** How many arrive in a step if `mean` do on average. */
export function poisson(mean: number, chance: Chance): number {
  if (mean > 30) {
    const [a, b] = [chance(), chance()]
    const normal = Math.sqrt(-2 * Math.log(1 - a)) * Math.cos(2 * Math.PI * b)
    return Math.max(0, Math.round(mean + Math.sqrt(mean) * normal))
  }
  const limit = Math.exp(-mean)
  let count = -1
  for (let product = 1; product > limit; product *= chance()) count += 1
  return count
}

/** Shares of `count` sizes by Zipf's law; they sum to one. */
export function zipf(count: number, exponent: number): number[] {
  const sizes = Array.from({ length: count }, (_, i) => (i + 1) ** -exponent)
  const sum = sizes.reduce((total, size) => total + size, 0)
  return sizes.map((size) => size / sum)
}
