/** Answer a question of a worker or an agent. */
import { answerQuestion } from '../questions/answer.ts'
import { command, named } from './command.ts'
import { answerText } from './question-text.ts'

export const questionAnswer = command({
  name: 'question answer',
  takes: 'QUESTION TEXT',
  does: 'answer a question; the worker or agent can write again for 14 days',
  right: 'answer',
  async run({ db, clock, config }, { words: [word, ...words], operator }) {
    const id = named(word, 'a question')
    const request = { id, text: answerText(words), closes: false, operator, config }
    const data = await db.shards
      .at(id)
      .transaction((tx) => answerQuestion(tx, { ...request, now: clock.now() }))
    return { data, isBad: 'refusal' in data }
  },
})
