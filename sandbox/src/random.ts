/** Unguessable ids, and repeatable random numbers. */
import { randomBytes } from 'node:crypto'

/** In sort order. */
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

const STAMP_LENGTH = 8
let lastStamp = 0

/** Ids start with the time, so that new ones are adjacent in every index, and end with random characters. */
export function newId(prefix: string, length = 24): string {
  lastStamp = Math.max(lastStamp + 1, Date.now() * 64)
  let stamp = ''
  for (let rest = lastStamp; stamp.length < STAMP_LENGTH; rest = Math.floor(rest / ALPHABET.length))
    stamp = ALPHABET[rest % ALPHABET.length] + stamp
  return `${prefix}_${stamp}${secret(length - STAMP_LENGTH)}`
}

export function secret(length: number): string {
  let chosen = ''
  for (const byte of randomBytes(length)) chosen += ALPHABET[byte % ALPHABET.length]
  return chosen
}

/** Random numbers from 0 to 1 that are the same for the same seed (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

export function shuffled<T>(items: readonly T[], random: () => number): T[] {
  const mixed = [...items]
  for (let last = mixed.length - 1; last > 0; last--) {
    const other = Math.floor(random() * (last + 1))
    const kept = mixed[last]!
    mixed[last] = mixed[other]!
    mixed[other] = kept
  }
  return mixed
}
