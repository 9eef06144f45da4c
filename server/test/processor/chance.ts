/** Reproducible choices from a seed, whatever else runs concurrently. */
export type Chance = ReturnType<typeof chanceOf>

export function chanceOf(seed: string) {
  let state = 2166136261
  for (const letter of seed) state = Math.imul(state ^ letter.charCodeAt(0), 16777619)

  /** From 0 up to 1, exclusive (mulberry32). */
  function next(): number {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }

  /** Both ends are inclusive. */
  const integer = (from: number, to: number) => from + Math.floor(next() * (to - from + 1))

  function shuffled<T>(items: readonly T[]): T[] {
    const mixed = [...items]
    for (let last = mixed.length - 1; last > 0; last -= 1) {
      const other = integer(0, last)
      ;[mixed[last], mixed[other]] = [mixed[other]!, mixed[last]!]
    }
    return mixed
  }

  return {
    integer,
    shuffled,
    happens: (probability: number) => next() < probability,
    pick: <T>(items: readonly T[]) => items[integer(0, items.length - 1)]!,
    /** One of the names, with a probability proportional to its weight. */
    weighted<Name extends string>(weights: Record<Name, number>): Name {
      const entries = Object.entries(weights) as [Name, number][]
      let left = next() * entries.reduce((sum, [, weight]) => sum + weight, 0)
      for (const [name, weight] of entries) {
        left -= weight
        if (left < 0) return name
      }
      return entries.at(-1)![0]
    },
  }
}
