/**
 * Trains the wording score of the screening (server/src/screening/wording.ts) on the labelled practice tasks and on the
 * half `tune` of the labelled set: a logistic regression by stochastic gradient descent with AdaGrad. The same tasks
 * always give the same files; `--check` compares instead of writing.
 *
 * The thresholds come from cross-validation: each fifth of the tasks is scored by a model that was trained on the rest.
 * At the threshold, 3 % of the benign tasks close to the line wait; at that of agents that have paid, 1 %.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import {
  eachOnce,
  type Fields,
  MODEL_FILE,
  type Model,
  scaleOf,
  slotsOf,
  WEIGHTS,
  WEIGHTS_FILE,
  windowsOf,
} from '../server/src/screening/wording.ts'
import { type PracticeTask, practiceTasks } from '../server/test/screening/practice-tasks.ts'

const EPOCHS = 10
const RATE = 0.2
const L2 = 0.0003
const FOLDS = 5
const WAITING_SHARE = 0.03
const WAITING_SHARE_PAID = 0.01

interface Example {
  isAbuse: boolean
  isOrdinary: boolean
  /** The features of the whole task, from which the weights are learned. */
  slots: Int32Array
  /** Those of each part that the server scores. */
  windows: Int32Array[]
}

const exampleOf = ({ label, isOrdinary, fields }: PracticeTask): Example => ({
  isAbuse: label === 'abuse',
  isOrdinary,
  slots: differentSlots(fields),
  windows: windowsOf(fields).map(differentSlots),
})

function differentSlots(fields: Fields): Int32Array {
  const slots: number[] = []
  eachOnce(fields.map(slotsOf), (slot) => slots.push(slot))
  return Int32Array.from(slots)
}

/** Without a bias: words that no practice task has must not count as abuse. */
function train(examples: readonly Example[]): Float64Array {
  const weights = new Float64Array(WEIGHTS)
  const squares = new Float64Array(WEIGHTS).fill(1e-6)
  const random = randomOf(7)
  const order = examples.map((_, i) => i)
  for (let epoch = 0; epoch < EPOCHS; epoch += 1) {
    shuffle(order, random)
    for (const i of order) {
      const { slots, isAbuse } = examples[i]!
      const scale = scaleOf(slots.length)
      let score = 0
      for (const slot of slots) score += weights[slot]! * scale
      const error = 1 / (1 + Math.exp(-score)) - (isAbuse ? 1 : 0)
      for (const slot of slots) {
        const slope = error * scale + L2 * weights[slot]!
        squares[slot]! += slope * slope
        weights[slot]! -= (RATE * slope) / Math.sqrt(squares[slot]!)
      }
    }
  }
  return weights
}

const scoreOf = (weights: Float64Array, { windows }: Example) =>
  Math.max(
    ...windows.map(
      (slots) => slots.reduce((sum, slot) => sum + weights[slot]!, 0) * scaleOf(slots.length),
    ),
  )

function shuffle(order: number[], random: () => number): void {
  for (let i = order.length - 1; i > 0; i -= 1) {
    const other = Math.floor(random() * (i + 1))
    ;[order[i], order[other]] = [order[other]!, order[i]!]
  }
}

/** A linear congruential generator, so that every run shuffles alike. */
function randomOf(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff
    return state / 0x80000000
  }
}

/** Pairs of tasks follow each other, and stay in one fold: their words are nearly the same. */
function crossValidate(examples: readonly Example[]) {
  const isIn = (fold: number, i: number) => Math.floor(i / 2) % FOLDS === fold
  return Array.from({ length: FOLDS }, (_, fold) => {
    const weights = train(examples.filter((_, i) => !isIn(fold, i)))
    return examples
      .filter((_, i) => isIn(fold, i))
      .map((example) => ({ ...example, score: scoreOf(weights, example) }))
  }).flat()
}

const examples = practiceTasks().map(exampleOf)
const scored = crossValidate(examples)
const isNear = ({ isAbuse, isOrdinary }: Example) => !isAbuse && !isOrdinary
/** The score that this share of the benign tasks close to the line exceeds. */
const exceededBy = (share: number) => {
  const scores = scored
    .filter(isNear)
    .map(({ score }) => score)
    .sort((a, b) => b - a)
  return scores[Math.floor(share * scores.length)]!
}
const round = (value: number) => Math.round(value * 1000) / 1000
const threshold = round(exceededBy(WAITING_SHARE))
const thresholdPaid = round(exceededBy(WAITING_SHARE_PAID))
const weights = train(examples)
const unit = weights.reduce((most, weight) => Math.max(most, Math.abs(weight)), 0) / 127
const model: Model = {
  trained_on: examples.length,
  unit: Number(unit.toPrecision(6)),
  threshold,
  threshold_paid: thresholdPaid,
}
const bytes = Buffer.from(Int8Array.from(weights, (weight) => Math.round(weight / unit)).buffer)
const json = `${JSON.stringify(model, null, 2)}\n`

const percent = (some: { score: number }[], limit: number) =>
  `${((100 * some.filter(({ score }) => score > limit).length) / some.length).toFixed(1)} %`
for (const [name, limit] of [
  ['unproven', threshold],
  ['paid', thresholdPaid],
] as const)
  console.log(
    `${name}, above ${limit}: abuse ${percent(
      scored.filter(({ isAbuse }) => isAbuse),
      limit,
    )}, ` +
      `benign close to the line ${percent(scored.filter(isNear), limit)}, ` +
      `ordinary ${percent(
        scored.filter(({ isOrdinary }) => isOrdinary),
        limit,
      )}`,
  )
console.log(`${examples.length} tasks; each fifth scored by a model of the others`)

if (process.argv.includes('--check')) {
  const isSame =
    existsSync(WEIGHTS_FILE) &&
    readFileSync(WEIGHTS_FILE).equals(bytes) &&
    readFileSync(MODEL_FILE, 'utf8') === json
  if (!isSame) {
    console.error(
      'server/src/screening/wording.* are not those of the practice tasks: npm run train:wording',
    )
    process.exitCode = 1
  }
} else {
  writeFileSync(WEIGHTS_FILE, bytes)
  writeFileSync(MODEL_FILE, json)
}
