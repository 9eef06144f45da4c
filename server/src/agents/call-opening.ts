/** How a worker introduces an agent on a call, so that whoever answers knows who is calling and why. Pure rules. */
import { z } from 'zod'
import type { TaskType } from './fields.ts'

const PURPOSE_MAX = 140
/** `POST /call` adds the script to the description like this. */
const SCRIPT = /(?:^|\n)Say: /

export const CallOpening = z.object({
  opening_line: z
    .string()
    .describe('Say this first, before the script: who is calling, and why. In English'),
  purpose: z
    .string()
    .nullable()
    .describe(
      'Its reason, to say the same in another language: the title, or the first sentence of the ' +
        `description, at most ${PURPOSE_MAX} characters. Null if the task has only a script`,
    ),
})

interface Call {
  type: z.output<typeof TaskType>
  title: string | null
  description: string
}

/** Null if the task is not a call. */
export function viewCallOpening(
  task: Call,
  agent: { name: string },
): z.output<typeof CallOpening> | null {
  if (task.type !== 'voice_proxy') return null
  const purpose = purposeOf(task)
  const caller = `Hello, I’m calling on behalf of ${agent.name}, through Legwork.`
  return {
    opening_line: purpose === null ? caller : `${caller} I’m calling about: ${purpose}`,
    purpose,
  }
}

function purposeOf({ title, description }: Call): string | null {
  const reason = (title ?? firstSentence(description.split(SCRIPT)[0]!)).trim()
  if (reason === '') return null
  return shortened(withPeriod(reason.replaceAll(/\s+/g, ' ')))
}

const firstSentence = (text: string) =>
  /^.+?(?:[.!?…؟。](?=\s|$)|\n|$)/s.exec(text.trim())?.[0] ?? ''

const withPeriod = (line: string) => (/[.!?…؟。]$/.test(line) ? line : `${line}.`)

function shortened(line: string): string {
  const letters = Array.from(line)
  if (letters.length <= PURPOSE_MAX) return line
  const space = letters.lastIndexOf(' ', PURPOSE_MAX - 1)
  const end = space > PURPOSE_MAX / 2 ? space : PURPOSE_MAX - 1
  return `${letters.slice(0, end).join('')}…`
}
