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
/** Fewer words say too little, and their score would be chance. */
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
  let highest = Number.NEGATIVE_INFINITY
  for (const window of windowsOf(fields)) {
    const score = scoreOf(window)
    if (score > highest) highest = score
  }
  return highest
}

function scoreOf(fields: Fields): number {
  if (lengthOf(fields) < WORDS_MIN) return Number.NEGATIVE_INFINITY
  let sum = 0
  const count = eachFeature(fields, (slot) => {
    sum += weights[slot]!
  })
  return model.unit * sum * scaleOf(count)
}

const EVIDENCE_MAX = 3
const EVIDENCE_WORDS = 3

/** The phrases that raise the score most, so that an operator sees why a task waits. They contain no numbers. */
export function wordingEvidence(fields: Fields): string[] {
  const words = fields.flat()
  const shares = words.map(() => 0)
  eachFeature(fields, (slot, at) => {
    shares[at]! += weights[slot]!
  })
  const chosen: number[] = []
  for (const [at, share] of [...shares.entries()].sort((a, b) => b[1] - a[1])) {
    if (chosen.length === EVIDENCE_MAX || share <= 0) break
    if (chosen.every((other) => Math.abs(other - at) >= EVIDENCE_WORDS)) chosen.push(at)
  }
  return chosen.map((at) =>
    words
      .slice(Math.max(0, at + 1 - EVIDENCE_WORDS), at + 1)
      .filter((word) => !isDigit(word.charCodeAt(0)))
      .join(' '),
  )
}

/** A text with few features says little either way, so its score stays near 0. */
export const scaleOf = (count: number) => 1 / Math.sqrt(Math.max(count, FEATURES_MIN))

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

/** For each weight, the last window in which a feature had it. */
const lastSeen = new Uint32Array(WEIGHTS)
let window = 0

/**
 * Calls `visit` once for every feature, with the word at which it ends, and returns their number. Words that begin with
 * a digit are left out: they identify, not describe.
 */
export function eachFeature(fields: Fields, visit: (slot: number, at: number) => void): number {
  window += 1
  let count = 0
  let at = -1
  const add = (hash: number) => {
    const slot = (hash ^ (hash >>> 17)) & (WEIGHTS - 1)
    if (lastSeen[slot] === window) return
    lastSeen[slot] = window
    count += 1
    visit(slot, at)
  }
  for (const words of fields) {
    let before = 0
    let twoBefore = 0
    for (const word of words) {
      at += 1
      if (isDigit(word.charCodeAt(0))) continue
      const stem = hashOf(word, 0, Math.min(word.length, STEM_LETTERS))
      add(mix(stem, 1))
      if (before !== 0) add(mix(mix(stem, before), 2))
      if (twoBefore !== 0) {
        add(mix(mix(stem, twoBefore), 3))
        add(mix(mix(mix(stem, before), twoBefore), 4))
      }
      // The word with a mark at both ends, in all parts of this length.
      const marked = `^${word}$`
      for (let from = 0; from + PART_LETTERS <= marked.length; from += 1)
        add(mix(hashOf(marked, from, from + PART_LETTERS), 5))
      twoBefore = before
      before = stem
    }
  }
  return count
}

function hashOf(text: string, from: number, to: number): number {
  let hash = 0x811c9dc5
  for (let i = from; i < to; i += 1) hash = mix(hash, text.charCodeAt(i))
  return hash
}

function mix(hash: number, value: number): number {
  const next = Math.imul(hash ^ value, 0x01000193)
  return next ^ (next >>> 15)
}

const isDigit = (code: number) => code >= 0x30 && code <= 0x39
