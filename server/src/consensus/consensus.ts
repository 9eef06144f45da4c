/**
 * Agreement between the answers to one task. Pure rules, independent of the order of the votes.
 *
 * - Yes or no, a choice, an object: each answer is a category, and the one with the highest total weight wins. A vote
 *   weighs log((k − 1) · a / (1 − a)), where a is the worker's accuracy and k the number of possible answers: the
 *   log-odds of this answer against any one other. For yes or no that is log(a / (1 − a)). The answer with the highest
 *   weight is then also the likeliest, and its probability under the same model is the confidence.
 * - Free text: the same, after normalizing spelling differences.
 * - Numbers: the median.
 *
 * "Not possible" is an answer like any other. A vote without a comparable answer (only a photo) counts as received but
 * has no weight.
 */
import { z } from 'zod'
import { canonicalJson } from '../kit/canonical-json.ts'
import { named } from '../kit/named.ts'
import { type AnswerKind, answerKind } from './answer.ts'

export const METHODS = ['weighted_majority', 'median', 'exact_text'] as const

export interface Vote {
  assignmentId: string
  workerId: string
  answer: unknown
  text: string | null
  /** The probability that the worker is right, as estimated every night (fit-accuracy.ts). */
  accuracy: number
  outcome: 'done' | 'not_possible'
}

export interface Agreement {
  method: (typeof METHODS)[number]
  /** Whether the workers agree on an answer or on "not possible". Null if they disagree or nothing is comparable. */
  outcome: 'done' | 'not_possible' | null
  /** Also null in a conflict. */
  result: unknown
  /** The probability that the result, or the leading answer in a conflict, is true. Null if nothing is comparable. */
  confidence: number | null
  conflict: boolean
  /** In the order in which they were passed in. */
  votes: { assignment_id: string; worker_id: string; answer: unknown; weight: number }[]
}

const ACCURACY_LEAST = 0.5
const ACCURACY_MOST = 0.99
/** Tolerance for ties: floating-point sums of the same logarithms in another order differ in their last digits. */
const TIE = 1e-9
/** The maximum interquartile range of numeric answers, as a fraction of the scale. */
const SPREAD_MOST = 1 / 3
const NOT_POSSIBLE = 'not possible'

export function agree({ kind, votes }: { kind: AnswerKind; votes: Vote[] }): Agreement {
  return kind.kind === 'number' ? agreeOnNumber(kind, votes) : agreeOnCategory(kind, votes)
}

/** Returns a vote's category; equal answers have equal categories. Undefined for numbers and for missing answers. */
export function categoryOf(
  kind: AnswerKind,
  vote: Pick<Vote, 'answer' | 'text' | 'outcome'>,
): string | undefined {
  if (kind.kind === 'number') return undefined
  if (vote.outcome === 'not_possible') return NOT_POSSIBLE
  const answer = answerOf(kind, vote)
  if (answer === null) return undefined
  return isOpen(kind) && typeof answer === 'string'
    ? `text ${normalise(answer)}`
    : `json ${canonicalJson(answer)}`
}

/** The number of possible answers. If they aren't enumerable, the number of different answers given, at least 2. */
export function classesOf(kind: AnswerKind, categories: ReadonlySet<string>): number {
  const isImpossible = categories.has(NOT_POSSIBLE) ? 1 : 0
  if (kind.kind === 'boolean') return 2 + isImpossible
  if (kind.kind === 'enum') return new Set(kind.values).size + isImpossible
  return Math.max(2, categories.size)
}

export function clampAccuracy(accuracy: number): number {
  return Math.min(Math.max(accuracy, ACCURACY_LEAST), ACCURACY_MOST)
}

function agreeOnCategory(kind: AnswerKind, votes: Vote[]): Agreement {
  const method = isOpen(kind) ? 'exact_text' : 'weighted_majority'
  const chosen = votes.map((vote) => categoryOf(kind, vote))
  const categories = new Set(chosen.filter((category) => category !== undefined))
  const classes = Math.max(2, classesOf(kind, categories))
  const weights = votes.map(({ accuracy }, i) =>
    chosen[i] === undefined ? 0 : weightOf(accuracy, classes),
  )
  const shown = view(kind, votes, weights)
  if (categories.size === 0)
    return { method, outcome: null, result: null, confidence: null, conflict: false, votes: shown }

  const sums = [...categories]
    .map((category) => ({
      category,
      weight: sum(weights.filter((_, i) => chosen[i] === category)),
    }))
    .sort((a, b) => b.weight - a.weight || (a.category < b.category ? -1 : 1))
  const [first] = sums
  const total = sum(weights)
  const conflict = sums.length > 1 && 2 * first!.weight <= total + TIE * Math.max(1, total)
  const likelihood = ({ weight }: { weight: number }) => Math.exp(weight - first!.weight)
  const silent = (classes - sums.length) * likelihood({ weight: 0 })
  const agreed = {
    method,
    confidence: 1 / (sum(sums.map(likelihood)) + silent),
    conflict,
    votes: shown,
  } as const
  if (conflict) return { ...agreed, outcome: null, result: null }
  if (first!.category === NOT_POSSIBLE) return { ...agreed, outcome: 'not_possible', result: null }
  const winners = votes.filter((_, i) => chosen[i] === first!.category)
  const result = commonest(winners.map((vote) => answerOf(kind, vote)))
  return { ...agreed, outcome: 'done', result }
}

type NumberKind = Extract<AnswerKind, { kind: 'number' }>

function agreeOnNumber(kind: NumberKind, votes: Vote[]): Agreement {
  const impossible = votes.filter(({ outcome }) => outcome === 'not_possible')
  const answered = votes.filter(
    ({ outcome, answer }) => outcome === 'done' && typeof answer === 'number',
  )
  const isCounted = (vote: Vote) => impossible.includes(vote) || answered.includes(vote)
  const shown = view(
    kind,
    votes,
    votes.map((vote) => (isCounted(vote) ? 1 : 0)),
  )
  const of = { method: 'median', votes: shown } as const
  const counted = impossible.length + answered.length
  if (counted === 0)
    return { ...of, outcome: null, result: null, confidence: null, conflict: false }

  const sureness = (side: Vote[]) =>
    (side.length / counted) *
    (1 - sorted(side.map(({ accuracy }) => 1 - clampAccuracy(accuracy))).reduce((p, q) => p * q, 1))
  if (impossible.length >= answered.length) {
    const conflict = impossible.length === answered.length
    const outcome = conflict ? null : 'not_possible'
    return { ...of, outcome, result: null, confidence: sureness(impossible), conflict }
  }

  const numbers = sorted(answered.map(({ answer }) => answer as number))
  const median = quantile(numbers, 0.5)
  const spread = spreadOf(numbers, rangeOf(kind, median))
  const conflict = spread > SPREAD_MOST + TIE
  return {
    ...of,
    outcome: conflict ? null : 'done',
    // The median of two integers may be a fraction, which isn't a valid answer.
    result: conflict ? null : kind.isInteger ? Math.floor(median) : median,
    confidence: sureness(answered) * (1 - Math.min(1, spread)),
    conflict,
  }
}

/** The length of the scale. If it is unbounded, the magnitude of the answers. */
const rangeOf = ({ minimum, maximum }: NumberKind, median: number) =>
  minimum === undefined || maximum === undefined ? Math.abs(median) : maximum - minimum

/** The interquartile range as a fraction of the scale. */
function spreadOf(numbers: number[], range: number): number {
  const apart = quantile(numbers, 0.75) - quantile(numbers, 0.25)
  return apart === 0 ? 0 : apart / range
}

/** Interpolates linearly between neighbors, like most spreadsheets. */
function quantile(numbers: number[], part: number): number {
  const at = (numbers.length - 1) * part
  const [below, above] = [numbers[Math.floor(at)]!, numbers[Math.ceil(at)]!]
  const between = below + (above - below) * (at - Math.floor(at))
  // Removes floating-point noise: the midpoint of 0.1 and 0.2 must be 0.15, not 0.15000000000000002.
  return Math.min(above, Math.max(below, Number(between.toPrecision(12))))
}

function weightOf(accuracy: number, classes: number): number {
  const a = clampAccuracy(accuracy)
  return Math.log(((classes - 1) * a) / (1 - a))
}

const isOpen = ({ kind }: AnswerKind) => kind === 'text' || kind === 'free'

/** Without a schema, the text is the answer unless the worker gave one explicitly. */
function answerOf(kind: AnswerKind, vote: Pick<Vote, 'answer' | 'text' | 'outcome'>): unknown {
  if (vote.outcome === 'not_possible') return null
  if (vote.answer !== null && vote.answer !== undefined) return vote.answer
  const text = isOpen(kind) ? vote.text?.trim() : undefined
  return text === undefined || text === '' ? null : text
}

/**
 * Normalizes differences in typing: compatibility characters, case, punctuation and whitespace. Keeps punctuation
 * before a digit, because it is significant there: -5, 3.5, 10:30.
 */
export function normalise(text: string): string {
  // Full case folding needs lower, upper, lower: it makes ẞ, ß and SS equal.
  const folded = text.normalize('NFKC').toLowerCase().toUpperCase().toLowerCase().normalize('NFKC')
  const bare = folded.replaceAll(/\s|(?![-.,:/]\d)\p{P}/gu, ' ').replaceAll(/ +/g, ' ')
  return bare.trim() || folded.trim()
}

/** The most frequent spelling. Ties go to the first in alphabetical order. */
function commonest(answers: unknown[]): unknown {
  const spellings = [...Map.groupBy(answers, canonicalJson)].sort(
    ([a, left], [b, right]) => right.length - left.length || (a < b ? -1 : 1),
  )
  return spellings[0]![1][0]
}

const view = (kind: AnswerKind, votes: Vote[], weights: number[]): Agreement['votes'] =>
  votes.map((vote, i) => ({
    assignment_id: vote.assignmentId,
    worker_id: vote.workerId,
    answer: answerOf(kind, vote),
    weight: weights[i]!,
  }))

const sorted = (numbers: number[]) => numbers.toSorted((a, b) => a - b)
/** Sorts before adding, so floating-point rounding doesn't depend on the order of the votes. */
const sum = (numbers: number[]) => sorted(numbers).reduce((total, number) => total + number, 0)

/** Whether to ask one more worker after all previous ones have answered. */
export function wantsMore({
  min_confidence,
  consensus_max,
  received,
  confidence,
  conflict,
}: {
  min_confidence: number | null
  consensus_max: number | null
  received: number
  confidence: number | null
  conflict: boolean
}): boolean {
  if (consensus_max === null || received >= consensus_max) return false
  // Without comparable answers, more of them wouldn't increase the confidence.
  if (confidence === null) return false
  return conflict || (min_confidence !== null && confidence < min_confidence)
}

export const ConsensusView = named(
  'Consensus',
  z.object({
    needed: z.int().describe('Number of workers asked, including slots added later'),
    received: z.int(),
    complete: z.boolean(),
    incomplete: z
      .boolean()
      .describe('The deadline passed with more than half of the proofs, and no more are expected'),
    method: z.enum(METHODS),
    result: z
      .unknown()
      .describe(
        'Null until everyone has answered, during a conflict, and if they agree that it is not possible',
      ),
    confidence: z.number().min(0).max(1).nullable().describe('Probability that the result is true'),
    conflict: z.boolean().describe('The workers do not agree: approve with override_result'),
    resolved_by: z.enum(['agent', 'operator']).nullable().describe('Who overrode the result'),
    votes: z.array(
      named(
        'Vote',
        z.object({
          assignment_id: z.string(),
          worker_id: z.string(),
          answer: z.unknown().describe('Null for "not possible" and for a proof without an answer'),
          weight: z.number(),
        }),
      ),
    ),
  }),
)
export type ConsensusView = z.output<typeof ConsensusView>

/** The agreement as the agent sees it. Omits the result while it may still change. */
export function viewConsensus(
  task: { answer_schema: unknown; consensus_count: number; slots_extra: number },
  {
    votes,
    incomplete = false,
    resolved,
  }: {
    /** The votes of the valid proofs, in order of submission. */
    votes: Vote[]
    incomplete?: boolean
    resolved?: { result: unknown; by: 'agent' | 'operator' }
  },
): ConsensusView {
  const needed = task.consensus_count + task.slots_extra
  const complete = votes.length >= needed
  const agreement = agree({ kind: answerKind(task), votes })
  const isDecided = complete || incomplete
  return {
    needed,
    received: votes.length,
    complete,
    incomplete: incomplete && !complete,
    method: agreement.method,
    result: resolved ? resolved.result : isDecided ? agreement.result : null,
    confidence:
      isDecided && agreement.confidence !== null ? fourDigits(agreement.confidence) : null,
    conflict: isDecided && agreement.conflict,
    resolved_by: resolved?.by ?? null,
    votes: agreement.votes.map((vote) => ({ ...vote, weight: fourDigits(vote.weight) })),
  }
}

const fourDigits = (number: number) => Math.round(number * 10_000) / 10_000
