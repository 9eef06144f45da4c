/** A command for the terminal: arguments in, lines of text out. */
import type { OperatorBackground } from '../kit/operator-background.ts'
import type { ShellOperator } from '../operators/find-shell-operator.ts'
import { type Command, CommandRefused, Misunderstood, named } from './command.ts'

export interface Said {
  lines: string[]
  isBad?: boolean
  about?: string | undefined
}

export interface TextCommand
  extends Pick<
    Command<unknown>,
    'name' | 'takes' | 'does' | 'right' | 'isLook' | 'isRecorded' | 'printsSecret'
  > {
  run(background: OperatorBackground, words: string[], operator: ShellOperator): Promise<Said>
}

/**
 * Combines a command with the text rendering of its data. Every command takes `--json`, which prints the data
 * unchanged.
 */
export function inText<Data, Option extends string>(
  { options = [], flags = [], run, ...shown }: Command<Data, Option>,
  render: (data: Data) => string[],
): TextCommand {
  return {
    ...shown,
    async run(background, words, by) {
      const { isJson, ...request } = readWords(words, { options, flags })
      const result = await run(background, { ...request, operator: by.id, by }).catch(
        (error: unknown) => {
          if (error instanceof CommandRefused) return error.message
          throw error
        },
      )
      if (typeof result === 'string') return { lines: [result], isBad: true }
      const { data, isBad = false, about } = result
      return { lines: isJson ? [JSON.stringify(data, null, 2)] : render(data), isBad, about }
    },
  }
}

/** Options may appear anywhere among the words, but not after a lone `--`. */
function readWords<Option extends string>(
  said: string[],
  known: { options: readonly Option[]; flags: readonly string[] },
) {
  const words: string[] = []
  const options: Partial<Record<Option, string>> = {}
  const flags = new Set<string>()
  let isJson = false
  const left = [...said]
  for (let word = left.shift(); word !== undefined; word = left.shift()) {
    const option = known.options.find((name) => name === word)
    if (word === '--') words.push(...left.splice(0))
    else if (word === '--json') isJson = true
    else if (option !== undefined) options[option] = named(left.shift(), `a value after ${option}`)
    else if (known.flags.includes(word)) flags.add(word)
    else if (word.startsWith('--')) throw new Misunderstood(`Unknown option ${word}`)
    else words.push(word)
  }
  return { words, options, flags, isJson }
}
