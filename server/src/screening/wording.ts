/**
 * Scores how much a task is worded like tasks that the policy doesn't allow: a linear model over stems, their neighbors
 * and parts of words. `scripts/train-wording.ts` trains it on labelled practice tasks and writes the two files. A score
 * above a threshold makes a task doubtful; it never refuses one.
 *
 * Phrases that people chose caught a quarter of the practice tasks that they were not written for; this catches most.
 */
import { readFileSync } from 'node:fs'
import { z } from 'zod'

/** The number of weights. A feature's weight is found by its hash, so two features may share one. */
export const WEIGHTS = 1 << 20
const STEM_LETTERS = 4
const PART_LETTERS = 5
/** Longer texts are read in overlapping windows, so that a harmful sentence can't hide in a harmless text. */
const WINDOW_WORDS = 150
const ALONE_WORDS = 15
const WORDS_MIN = 5
const FEATURES_MIN = 100

const Model = z.strictObject({
  /** The number of practice tasks behind the weights. */
  trained_on: z.int(),
  /** The factor by which the integer weights in the other file are multiplied. */
  unit: z.number(),
  /** Above it a task of an unproven agent waits, and above the second one a task of an agent that has paid. */
  threshold: z.number(),
  threshold_paid: z.number(),
})
export type Model = z.output<typeof Model>

export const MODEL_FILE = new URL('./wording.json', import.meta.url)
export const WEIGHTS_FILE = new URL('./wording.weights', import.meta.url)

const model = Model.parse(JSON.parse(readFileSync(MODEL_FILE, 'utf8')))
const weights = new Int8Array(readFileSync(WEIGHTS_FILE))

export const { threshold: THRESHOLD, threshold_paid: THRESHOLD_PAID } = model

/** The fields of a task as `wordsOf` reads them. */
export type Fields = readonly (readonly string[])[]

/** The score of the worst window of the task: 0 means that abuse is as likely as not among the practice tasks. */
export function wordingScore(fields: Fields): number {
  // A short field is in two windows, and finding its features takes most of the time.
  const found = new Map<readonly string[], readonly number[]>()
  for (const words of fields) found.set(words, slotsOf(words))
  let highest = Number.NEGATIVE_INFINITY
  for (const window of windowsOf(fields)) {
    const score = scoreOf(window, found)
    if (score > highest) highest = score
  }
  return highest
}

function scoreOf(window: Fields, found: ReadonlyMap<readonly string[], readonly number[]>): number {
  if (!saysEnough(window)) return Number.NEGATIVE_INFINITY
  let sum = 0
  const count = eachOnce(
    window.map((words) => found.get(words) ?? slotsOf(words)),
    (slot) => {
      sum += weights[slot]!
    },
  )
  return model.unit * sum * scaleOf(count)
}

const EVIDENCE_MAX = 3
const EVIDENCE_WORDS = 3

/** The phrases that raise the score most, so that an operator sees why a task waits. They contain no numbers. */
export function wordingEvidence(fields: Fields): string[] {
  const words = fields.flat()
  const shares = words.map(() => 0)
  const counted = new Set<number>()
  let start = 0
  for (const field of fields) {
    eachFeature(field, (slot, at) => {
      if (!counted.has(slot)) shares[start + at]! += weights[slot]!
      counted.add(slot)
    })
    start += field.length
  }
  const chosen: number[] = []
  for (const [at, share] of [...shares.entries()].sort((a, b) => b[1] - a[1])) {
    if (chosen.length === EVIDENCE_MAX || share <= 0) break
    if (chosen.every((other) => Math.abs(other - at) >= EVIDENCE_WORDS)) chosen.push(at)
  }
  return chosen.map((at) =>
    words
      .slice(Math.max(0, at + 1 - EVIDENCE_WORDS), at + 1)
      .filter((word) => !hasDigit(word))
      .join(' '),
  )
}

/** A text with few features says little either way, so its score stays near 0. */
export const scaleOf = (count: number) => 1 / Math.sqrt(Math.max(count, FEATURES_MIN))

/** Fewer words say too little, and their score would be chance. */
function saysEnough(fields: Fields): boolean {
  let telling = 0
  for (const words of fields)
    for (const word of words) {
      if (!hasDigit(word)) telling += 1
      if (telling === WORDS_MIN) return true
    }
  return false
}

const lengthOf = (fields: Fields) => fields.reduce((sum, words) => sum + words.length, 0)

/**
 * The parts of a task that are scored by themselves: all fields together, or windows of a long text, each of which
 * shares half of its words with the next one; and every field that says something alone, so that a harmless
 * description doesn't outweigh a harmful script.
 */
export function windowsOf(fields: Fields): Fields[] {
  const length = lengthOf(fields)
  if (length <= WINDOW_WORDS)
    return [
      fields,
      ...fields
        .filter(({ length: own }) => own >= ALONE_WORDS && own < length)
        .map((words) => [words]),
    ]
  const windows: Fields[] = []
  for (let from = 0; from < length - WINDOW_WORDS / 2; from += WINDOW_WORDS / 2)
    windows.push(cut(fields, from, from + WINDOW_WORDS))
  return windows
}

function cut(fields: Fields, from: number, to: number): Fields {
  let at = 0
  return fields.flatMap((words) => {
    const start = at
    at += words.length
    const part = words.slice(Math.max(0, from - start), Math.max(0, to - start))
    return part.length === 0 ? [] : [part]
  })
}

/** A bit for each weight: whether `eachOnce` has met it. All are 0 between two calls. */
const met = new Int32Array(WEIGHTS / 32)

/** Calls `visit` once for every different slot, and returns their number. */
export function eachOnce(
  lists: readonly (readonly number[])[],
  visit: (slot: number) => void,
): number {
  let count = 0
  for (const slots of lists)
    for (const slot of slots) {
      const bit = 1 << (slot & 31)
      if ((met[slot >>> 5]! & bit) !== 0) continue
      met[slot >>> 5]! |= bit
      count += 1
      visit(slot)
    }
  for (const slots of lists) for (const slot of slots) met[slot >>> 5] = 0
  return count
}

/** The slots of the features of a field, some of them more than once. */
export function slotsOf(words: readonly string[]): number[] {
  const slots: number[] = []
  eachFeature(words, (slot) => slots.push(slot))
  return slots
}

/**
 * Calls `visit` for every feature of a field, with the word at which it ends. Words with digits have none: they
 * identify, not describe.
 */
function eachFeature(words: readonly string[], visit: (slot: number, at: number) => void): void {
  let before = 0
  let twoBefore = 0
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at]!
    if (hasDigit(word)) continue
    const stem = hashOf(word, 0, Math.min(word.length, STEM_LETTERS))
    visit(slotOf(mix(stem, 1)), at)
    if (before !== 0) visit(slotOf(mix(mix(stem, before), 2)), at)
    if (twoBefore !== 0) {
      visit(slotOf(mix(mix(stem, twoBefore), 3)), at)
      visit(slotOf(mix(mix(mix(stem, before), twoBefore), 4)), at)
    }
    for (let from = -1; from + PART_LETTERS <= word.length + 1; from += 1)
      visit(slotOf(mix(hashOf(word, from, from + PART_LETTERS), 5)), at)
    twoBefore = before
    before = stem
  }
}

const slotOf = (hash: number) => (hash ^ (hash >>> 17)) & (WEIGHTS - 1)

const BEFORE = '^'.charCodeAt(0)
const AFTER = '$'.charCodeAt(0)

/** The hash of a part of a word, which has a mark before its first letter and one after its last. */
function hashOf(word: string, from: number, to: number): number {
  let hash = 0x811c9dc5
  for (let i = from; i < to; i += 1)
    hash = mix(hash, i < 0 ? BEFORE : i < word.length ? word.charCodeAt(i) : AFTER)
  return hash
}

function mix(hash: number, value: number): number {
  const next = Math.imul(hash ^ value, 0x01000193)
  return next ^ (next >>> 15)
}

function hasDigit(word: string): boolean {
  for (let i = 0; i < word.length; i += 1) {
    const code = word.charCodeAt(i)
    if (code >= 0x30 && code <= 0x39) return true
  }
  return false
}
