/** The text of an operator's answer. */
import { TEXT_MAX } from '../questions/questions.ts'
import { Misunderstood } from './command.ts'

/** Unlike `sentenceOf`, refuses a text that is too long: half an answer would confuse whoever asked. */
export function answerText(words: string[]): string {
  const text = words.join(' ').trim()
  if (text === '') throw new Misunderstood('Give a text for the worker or agent')
  if (text.length > TEXT_MAX)
    throw new Misunderstood(`The text has ${text.length} characters; at most ${TEXT_MAX} fit`)
  return text
}
