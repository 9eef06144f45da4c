/**
 * Asks a classifier about a task that the rules leave in doubt: any server with OpenAI’s chat completions. Its answer
 * is one of three words and a section. Everything else (slow, too long, no JSON, an unknown word, an error) is
 * `unsure`, and a person decides.
 */
import { z } from 'zod'
import type { Config } from '../config.ts'
import { SECTIONS } from './policy.ts'
import { promptFor } from './prompt.ts'

const ANSWER_BYTES_MAX = 65_536
const ANSWER_TOKENS_MAX = 2000

const Answer = z.strictObject({
  verdict: z.enum(['allowed', 'not_allowed', 'unsure']),
  section: z.enum(SECTIONS).nullable(),
})
const Completion = z.object({
  choices: z.array(z.object({ message: z.object({ content: z.string() }) })).min(1),
})

/** `why` is for the log: it never contains what the classifier wrote. Without an answer, asking again may help. */
export type Opinion =
  | { verdict: 'allowed' }
  | { verdict: 'not_allowed'; section: (typeof SECTIONS)[number] }
  | { verdict: 'unsure'; why: string; isAnswer: boolean }

type ClassifierConfig = Pick<
  Config,
  'CLASSIFIER_URL' | 'CLASSIFIER_KEY' | 'CLASSIFIER_MODEL' | 'CLASSIFIER_TIMEOUT_MS'
>

/** Never throws. */
export async function classify(config: ClassifierConfig, task: unknown): Promise<Opinion> {
  try {
    return readAnswer(await ask(config, task))
  } catch (error) {
    const why = error instanceof Error ? error.message : 'no answer'
    return { verdict: 'unsure', why, isAnswer: false }
  }
}

async function ask(config: ClassifierConfig, task: unknown): Promise<string> {
  const { CLASSIFIER_URL: url, CLASSIFIER_KEY: key, CLASSIFIER_MODEL: model } = config
  if (url === undefined) throw new Error('no classifier is set')
  const response = await fetch(`${url.replace(/\/$/, '')}/chat/completions`, {
    method: 'POST',
    redirect: 'error',
    signal: AbortSignal.timeout(config.CLASSIFIER_TIMEOUT_MS),
    headers: {
      'content-type': 'application/json',
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
    },
    body: JSON.stringify({
      model,
      temperature: 0,
      max_completion_tokens: ANSWER_TOKENS_MAX,
      messages: promptFor(task),
      response_format: {
        type: 'json_schema',
        json_schema: { name: 'verdict', strict: true, schema: z.toJSONSchema(Answer) },
      },
    }),
  })
  if (response.status === 200) return readShort(response)
  await response.body?.cancel()
  throw new Error(`status ${response.status}`)
}

/** The time limit covers the body as well, because the signal does. */
async function readShort(response: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength
    if (size > ANSWER_BYTES_MAX) throw new Error('the answer is too long')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function readAnswer(text: string): Opinion {
  const completion = Completion.safeParse(parse(text))
  if (!completion.success) return { verdict: 'unsure', why: 'not a completion', isAnswer: false }
  const answer = Answer.safeParse(parse(completion.data.choices[0]!.message.content))
  if (!answer.success) return { verdict: 'unsure', why: 'not one of the answers', isAnswer: true }
  const { verdict, section } = answer.data
  if (verdict === 'allowed') return { verdict }
  if (verdict === 'unsure') return { verdict, why: 'the classifier is unsure', isAnswer: true }
  if (section === null) return { verdict: 'unsure', why: 'no section', isAnswer: true }
  return { verdict, section }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
