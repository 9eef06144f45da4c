/** Close a question with a last message. */
import { answerQuestion } from '../questions/answer.ts'
import { command, named } from './command.ts'
import { answerText } from './question-text.ts'

export const questionClose = command({
  name: 'question close',
  takes: 'QUESTION TEXT',
  does: 'answer a question and close it; the worker or agent can only ask a new one',
  right: 'answer',
  async run({ db, clock, config }, { words: [word, ...words], operator }) {
    const id = named(word, 'a question')
    const request = { id, text: answerText(words), closes: true, operator, config }
    const data = await db.shards
      .at(id)
      .transaction((tx) => answerQuestion(tx, { ...request, now: clock.now() }))
    return { data, isBad: 'refusal' in data }
  },
})
