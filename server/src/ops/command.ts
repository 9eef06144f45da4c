/**
 * An operator command: its arguments and the data that it returns. It renders nothing, so that a terminal and a web
 * page can show the same data.
 */
import type { OperatorBackground } from '../kit/operator-background.ts'
import type { Right } from '../kit/rights.ts'
import type { ShellOperator } from '../operators/find-shell-operator.ts'

export const SENTENCE_MAX = 500

/** The words after a command, without its options: `--days 3` is `options['--days'] === '3'`. */
export interface Request<Option extends string> {
  words: string[]
  flags: ReadonlySet<string>
  options: Partial<Record<Option, string>>
  /** The id of the operator. */
  operator: string
  by: ShellOperator
}

interface Result<Data> {
  data: Data
  /** Someone has to act, or the command was not carried out: the process exits with 1. */
  isBad?: boolean
  /** The id of the record that a logged look-up showed. */
  about?: string
}

export interface Command<Data, Option extends string = never> {
  name: string
  /** The words that follow the name. */
  takes: string
  does: string
  /** What the operator's role must allow. */
  right: Right
  /** The command is read-only and not logged in `operator_actions`. */
  isLook?: boolean
  /** A look-up of a person's record: logs who looked at whom, but not what was shown. */
  isRecorded?: boolean
  /** The output contains a secret, such as a link, so `operator_actions` must not keep it. */
  printsSecret?: boolean
  /** Options that are followed by a value. */
  options?: readonly Option[]
  /** Options without a value. */
  flags?: readonly string[]
  run(background: OperatorBackground, request: Request<Option>): Promise<Result<Data>>
}

/** Declares a command; its types follow from `options` and from what `run` returns. */
export const command = <Data, Option extends string = never>(declared: Command<Data, Option>) =>
  declared

/** The data that a command returns. */
export type DataOf<C extends { run(...given: never[]): Promise<{ data: unknown }> }> = Awaited<
  ReturnType<C['run']>
>['data']

/** The arguments are invalid or incomplete. */
export class Misunderstood extends Error {}

/** The command can't be carried out. Only its message is printed, and the process exits with 1. */
export class CommandRefused extends Error {}

export function named(word: string | undefined, what: string): string {
  if (word === undefined || word === '') throw new Misunderstood(`Give ${what}`)
  return word
}

export function sentenceOf(words: string[], what: string): string {
  const sentence = words.join(' ').trim()
  if (sentence === '') throw new Misunderstood(`Give ${what}`)
  return sentence.slice(0, SENTENCE_MAX)
}

/** Parses an integer from an option or argument, within bounds. */
export function wholeOf(
  word: string,
  what: string,
  { min = 1, max }: { min?: number; max: number },
) {
  const whole = /^\d{1,9}$/.test(word) ? Number(word) : Number.NaN
  if (!(whole >= min && whole <= max))
    throw new Misunderstood(`Give ${what} as a number from ${min} to ${max}`)
  return whole
}

export function centsOf(word: string | undefined): number {
  const cents = /^\d{1,12}$/.test(word ?? '') ? Number(word) : 0
  if (cents < 1)
    throw new Misunderstood('The amount must be in whole cents, such as 1250 for $12.50')
  return cents
}
