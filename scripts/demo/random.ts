/** Seeded random choices: every run of the demo makes the same world. */
export type Random = ReturnType<typeof seeded>

/** Mulberry32: small, fast, and good enough for a made-up city. */
export function seeded(seed: number) {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const between = (from: number, to: number) => from + next() * (to - from)
  return {
    between,
    /** An integer in this range, both ends included. */
    integer: (from: number, to: number) => Math.floor(between(from, to + 1)),
    pick: <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)]!,
    /** True in this many of 100 cases. */
    percent: (chance: number) => next() * 100 < chance,
  }
}
