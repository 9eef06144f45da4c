/** Reply to the objection of a suspended or closed worker. */
import { replyToObjection } from '../workers/reply-to-objection.ts'
import { command, Misunderstood, named, sentenceOf } from './command.ts'

const REPLIES = { uphold: 'upheld', reinstate: 'reinstated' } as const

export const objection = command({
  name: 'objection',
  takes: 'WORKER | DECISION uphold | reinstate NOTE',
  does: 'reply to an objection; the worker sees the note',
  right: 'rule',
  async run({ db, clock }, { words: [id, verdict = '', ...note], operator }) {
    const decision = named(id, 'a worker or a decision')
    if (verdict !== 'uphold' && verdict !== 'reinstate')
      throw new Misunderstood('The decision must be `uphold` or `reinstate`')
    const request = {
      id: decision,
      reply: REPLIES[verdict],
      note: sentenceOf(note, 'a note for the worker'),
      operator,
      now: clock.now(),
    }
    const data = await db.shards.at(decision).transaction((tx) => replyToObjection(tx, request))
    return { data, isBad: 'refusal' in data }
  },
})
