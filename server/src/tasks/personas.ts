/**
 * The scripted workers of test tasks. `context.sim` selects a persona by name, or is an object with the name, custom
 * delays and a custom answer. Live tasks have no script and ignore `context.sim`.
 */
import { z } from 'zod'
import { checkAnswer } from '../consensus/answer.ts'
import { invalidField } from '../kit/errors.ts'
import { type Ruling, RULINGS } from './dispute-view.ts'

const DAY_S = 86_400
const LONGEST_S = 90 * DAY_S

/** How long each persona waits before accepting, and how long it works. Null for personas without a script. */
export const PERSONAS = {
  happy: { accept_after_s: 2, proof_after_s: 5 },
  slow: { accept_after_s: 30, proof_after_s: 120 },
  nobody: null,
  blurry: { accept_after_s: 2, proof_after_s: 5 },
  far: { accept_after_s: 2, proof_after_s: 5 },
  late: { accept_after_s: 2, proof_after_s: 5 },
  hand_back: { accept_after_s: 2, proof_after_s: 5 },
  disagree: { accept_after_s: 2, proof_after_s: 5 },
  appeal: { accept_after_s: 2, proof_after_s: 5 },
  injection: { accept_after_s: 2, proof_after_s: 5 },
  me: null,
} as const
export type Persona = keyof typeof PERSONAS

/** What becomes of the task at its screening, in place of an operator. */
export const SCREENINGS = ['refused', 'cleared', 'not_allowed', 'lapsed'] as const
const NAMES = Object.keys(PERSONAS) as Persona[]

/** The script settings as stored with the task. */
export interface Rehearsal {
  persona: Persona
  accept_after_s: number
  proof_after_s: number
  /** Overrides the persona's own answer. */
  answer?: unknown
  /** The ruling on an appeal to which the agent has replied. Defaults to `upheld`. */
  ruling?: Ruling
  /** After `accept_after_s`, this ends the task's wait for its screening; `refused` refuses it at once. */
  screening?: (typeof SCREENINGS)[number]
}

const seconds = z
  .number({ error: 'must be a number of seconds' })
  .min(0)
  .max(LONGEST_S, `must be at most ${LONGEST_S} (90 days)`)
const Sim = z.object({
  persona: z.enum(NAMES, { error: `must be one of ${NAMES.join(', ')}` }).default('happy'),
  accept_after_s: seconds.optional(),
  proof_after_s: seconds.optional(),
  answer: z.unknown().optional(),
  ruling: z.enum(RULINGS, { error: `must be one of ${RULINGS.join(', ')}` }).optional(),
  screening: z.enum(SCREENINGS, { error: `must be one of ${SCREENINGS.join(', ')}` }).optional(),
})

/** Parses `context.sim`. Unknown values are rejected, because the agent's test would silently test something else. */
export function readSim(
  sim: unknown,
  { answer_schema, location }: { answer_schema: unknown; location: unknown },
): Rehearsal {
  const read = Sim.safeParse(typeof sim === 'string' ? { persona: sim } : (sim ?? {}))
  if (!read.success) {
    const { path, message } = read.error.issues[0]!
    const isName = typeof sim !== 'object' || path.length === 0
    throw isName
      ? invalidField('context.sim', `must be one of ${NAMES.join(', ')}, or an object that has one`)
      : invalidField(['context.sim', ...path].join('.'), message)
  }
  const { persona, answer, ruling, screening } = read.data
  if (persona === 'far' && (typeof location !== 'object' || location === null))
    throw invalidField('context.sim', 'far requires a task whose location has lat and lng')
  const misfit = answer === undefined ? undefined : checkAnswer(answer_schema, answer)
  if (misfit !== undefined) throw invalidField('context.sim.answer', misfit)
  const usual = PERSONAS[persona] ?? PERSONAS.happy
  return {
    persona,
    accept_after_s: read.data.accept_after_s ?? usual.accept_after_s,
    proof_after_s: read.data.proof_after_s ?? usual.proof_after_s,
    ...(answer === undefined ? {} : { answer }),
    ...(ruling === undefined ? {} : { ruling }),
    ...(screening === undefined ? {} : { screening }),
  }
}

/** Whether a script plays the worker. Otherwise nothing happens unless the task's creator acts as the worker. */
export const isPlayed = ({ persona }: Pick<Rehearsal, 'persona'>) => PERSONAS[persona] !== null

/** Whether the script has a first step. */
export const isScripted = (rehearsal: Rehearsal) =>
  isPlayed(rehearsal) || rehearsal.screening !== undefined
