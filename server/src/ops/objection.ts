/** Reply to the objection of a suspended or closed worker. */
import { answerObjection } from '../decisions/kinds/answer-objection.ts'
import { command, Misunderstood, named, sentenceOf } from './command.ts'
import { decideNow } from './decide.ts'

const REPLIES = { uphold: 'upheld', reinstate: 'reinstated' } as const

export const objection = command({
  name: 'objection',
  takes: 'WORKER | DECISION uphold | reinstate NOTE',
  does: 'reply to an objection; the worker sees the note',
  right: 'rule',
  async run(background, { words: [id, verdict = '', ...note], by }) {
    const subject = named(id, 'a worker or a decision')
    if (verdict !== 'uphold' && verdict !== 'reinstate')
      throw new Misunderstood('The decision must be `uphold` or `reinstate`')
    const data = await decideNow(background, answerObjection, {
      subject,
      input: { reply: REPLIES[verdict] },
      reason: sentenceOf(note, 'a note for the worker'),
      by,
    })
    return { data }
  },
})
