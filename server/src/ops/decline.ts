/** Decline a colleague's decision. */
import { decline as declineIt } from '../decisions/decline.ts'
import { DECISION_KINDS } from '../decisions/kinds.ts'
import { command, named, sentenceOf } from './command.ts'

export const decline = command({
  name: 'decline',
  takes: 'DECISION REASON',
  does: 'decline a colleague’s decision; needs the right of its kind',
  right: 'view',
  async run(background, { words: [word, ...words], by }) {
    const decisionId = named(word, 'a decision')
    const reason = sentenceOf(words, 'a reason')
    await declineIt(background, DECISION_KINDS, { decisionId, by, reason })
    return { data: { decision_id: decisionId, state: 'declined' } }
  },
})
