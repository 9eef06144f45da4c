/** The shape of a command: its words and options as data, and a function that does it. */
import { type ParseArgsConfig, parseArgs } from 'node:util'
import type { Legwork } from '@legwork/sdk'
import { type ExitCode, usage } from './exit.ts'
import type { Print } from './print.ts'
import { isSpan } from './words.ts'

type Options = NonNullable<ParseArgsConfig['options']>

interface Spec<O extends Options> {
  name: string
  /** What follows the name, as help shows it. */
  takes: string
  summary: string
  /** One line each, below the usage. */
  details?: string[]
  options: O
  /** Options that may stand alone, and what they then mean: `--wait` is `--wait=30m`. */
  alone?: { [name in keyof O]?: string }
  /** How many words, at least and at most, may follow; all others are refused. */
  words: [number, number]
  run(given: Given<O>): Promise<ExitCode>
}

type Values<O extends Options> = ReturnType<
  typeof parseArgs<{ options: O; allowPositionals: true; strict: true }>
>['values']

export interface Given<O extends Options = {}> extends Surroundings {
  values: Values<O>
  words: string[]
}

/** What a command may touch. */
export interface Surroundings {
  print: Print
  /** Opened when it is first asked for: not every command needs a key. */
  legwork(): Legwork
  folder: string
  baseUrl: string | undefined
  apiKey: string | undefined
  environment: Record<string, string | undefined>
  stdin: NodeJS.ReadStream
  /** Ctrl-C: a command that goes on for long ends well by it. */
  signal: AbortSignal
}

export interface Command extends Omit<Spec<Options>, 'run' | 'alone'> {
  start(args: string[], surroundings: Surroundings): Promise<ExitCode>
}

const SHARED_OPTIONS = {
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const satisfies Options

export function command<const O extends Options>(spec: Spec<O>): Command {
  const { run, alone = {}, ...shown } = spec
  return {
    ...shown,
    start(args, surroundings) {
      const { values, positionals } = parse(spec, withAlone(args, alone))
      const [least, most] = spec.words
      const stray = strayBehind(args, alone)
      if (stray !== undefined && (isAlmostSpan(stray.word) || positionals.length > most))
        throw usage(
          `${stray.option} ${stray.word} is not a span of time`,
          `Write ${stray.option} ${/^\d+$/.test(stray.word) ? `${stray.word}s, ` : '90s, '}30m or 2h.`,
        )
      if (positionals.length < least || positionals.length > most)
        throw usage(`${spec.name} takes ${spec.takes || 'no words'}`, `See ${spec.name} --help.`)
      return run({ ...surroundings, values: values as Values<O>, words: positionals })
    },
  }
}

function parse<O extends Options>(spec: Spec<O>, args: string[]) {
  try {
    const options = { ...SHARED_OPTIONS, ...spec.options }
    return parseArgs({ args, options, allowPositionals: true, strict: true })
  } catch (error) {
    // The first sentence says which option; the rest of it explains parseArgs.
    const said = error instanceof Error ? error.message.split('. ')[0]! : String(error)
    throw usage(said, `See ${spec.name} --help.`)
  }
}

/** A word behind an option that may stand alone, for which it was left alone, since it is no span of time. */
function strayBehind(args: string[], alone: Record<string, string | undefined>) {
  for (const [i, option] of args.entries()) {
    const word = args[i + 1]
    if (!option.startsWith('--') || alone[option.slice(2)] === undefined) continue
    if (word !== undefined && /^[^\s-]\S*$/.test(word) && !isSpan(word)) return { option, word }
  }
  return undefined
}

/** `45`, `10min`: nobody's question, and no id. */
const isAlmostSpan = (word: string) => /^\d+[a-z]*$/i.test(word)

/** parseArgs knows options with a value and options without one, but none that may have one. */
function withAlone(args: string[], alone: Record<string, string | undefined>): string[] {
  return args.map((arg, i) => {
    const value = alone[arg.replace(/^--/, '')]
    if (!arg.startsWith('--') || value === undefined) return arg
    const next = args[i + 1]
    return next !== undefined && isSpan(next) ? arg : `${arg}=${value}`
  })
}
