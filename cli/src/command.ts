/** Defines a command as data: its name, options and help text, plus the function that runs it. */
import { type ParseArgsConfig, parseArgs } from 'node:util'
import type { Legwork } from '@legwork/sdk'
import { type ExitCode, usage } from './exit.ts'
import type { Print } from './print.ts'
import { isSpan } from './words.ts'

type Options = NonNullable<ParseArgsConfig['options']>

interface Spec<O extends Options> {
  name: string
  /** Arguments after the name, as shown in help. */
  takes: string
  summary: string
  /** Extra help lines, printed below the usage. */
  details?: string[]
  options: O
  /** Options whose value is optional, with the default value: `--wait` means `--wait=30m`. */
  alone?: { [name in keyof O]?: string }
  /** Minimum and maximum number of positional arguments; anything else is a usage error. */
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

/** Everything a command has access to. */
export interface Surroundings {
  print: Print
  /** Created on first use, because not every command needs a key. */
  legwork(): Legwork
  folder: string
  baseUrl: string | undefined
  apiKey: string | undefined
  environment: Record<string, string | undefined>
  stdin: NodeJS.ReadStream
  /** Aborted on Ctrl-C, so that long-running commands can exit cleanly. */
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
          `${stray.option} ${stray.word} is not a valid duration`,
          `Use ${stray.option} ${/^\d+$/.test(stray.word) ? `${stray.word}s, ` : '90s, '}30m or 2h.`,
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
    // The first sentence names the option; the rest explains parseArgs.
    const said = error instanceof Error ? error.message.split('. ')[0]! : String(error)
    throw usage(said, `See ${spec.name} --help.`)
  }
}

/** Finds a word after an option with an optional value that wasn't taken as the value because it isn't a duration. */
function strayBehind(args: string[], alone: Record<string, string | undefined>) {
  for (const [i, option] of args.entries()) {
    const word = args[i + 1]
    if (!option.startsWith('--') || alone[option.slice(2)] === undefined) continue
    if (word !== undefined && /^[^\s-]\S*$/.test(word) && !isSpan(word)) return { option, word }
  }
  return undefined
}

/** `45`, `10min`: probably meant as a duration, not as a question or an id. */
const isAlmostSpan = (word: string) => /^\d+[a-z]*$/i.test(word)

/** parseArgs supports options with or without a value, but not with an optional one. */
function withAlone(args: string[], alone: Record<string, string | undefined>): string[] {
  return args.map((arg, i) => {
    const value = alone[arg.replace(/^--/, '')]
    if (!arg.startsWith('--') || value === undefined) return arg
    const next = args[i + 1]
    return next !== undefined && isSpan(next) ? arg : `${arg}=${value}`
  })
}
