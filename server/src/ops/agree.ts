/** Agree to a colleague's decision, which is then carried out. */
import { agree as agreeTo } from '../decisions/agree.ts'
import { DECISION_KINDS } from '../decisions/kinds.ts'
import { command, named } from './command.ts'
import { inWords } from './decide.ts'

export const agree = command({
  name: 'agree',
  takes: 'DECISION',
  does: 'agree to a colleague’s decision; needs the right of its kind',
  right: 'view',
  async run(background, { words: [word], by }) {
    const decisionId = named(word, 'a decision')
    const made = await inWords(agreeTo(background, DECISION_KINDS, { decisionId, by }))
    return { data: { decision_id: made.decision_id, state: made.state, result: made.result } }
  },
})
