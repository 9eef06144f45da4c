/**
 * Makes a decision on the command line, as the desk does. One that needs a second operator is recorded and not carried
 * out.
 */
import { randomUUID } from 'node:crypto'
import type { z } from 'zod'
import { decide } from '../decisions/decide.ts'
import type { DecisionKind } from '../decisions/decision.ts'
import { ApiError } from '../kit/errors.ts'
import type { OperatorBackground } from '../kit/operator-background.ts'
import type { ShellOperator } from '../operators/find-shell-operator.ts'
import { CommandRefused, SENTENCE_MAX } from './command.ts'

export async function decideNow<Schema extends z.ZodType, Result>(
  background: OperatorBackground,
  kind: DecisionKind<Schema, Result>,
  given: { subject: string; input: z.output<Schema>; reason: string; by: ShellOperator },
): Promise<Result> {
  const made = await inWords(decide(background, kind, { ...given, requestKey: randomUUID() }))
  if (made.state !== 'waiting') return made.result!
  throw new CommandRefused(
    `Recorded as ${made.decision_id}. A second operator must agree by ${made.expires_at!.toISOString()}: ` +
      `ops agree ${made.decision_id}`,
  )
}

/** A refusal that says why in words is an answer, not an error. */
export async function inWords<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (error instanceof ApiError && error.code === 'decision_refused')
      throw new CommandRefused(String(error.extra.why))
    throw error
  }
}

/** The reason, where a command can be given without one. */
export const reasonOr = (words: string[]): string =>
  words.join(' ').trim().slice(0, SENTENCE_MAX) || 'no reason given'
