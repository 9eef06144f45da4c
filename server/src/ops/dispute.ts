/** Decide a held dispute: `ops dispute`. */
import { decideDispute } from '../decisions/kinds/decide-dispute.ts'
import { findHeldDispute } from '../disputes/decide-held-dispute.ts'
import { command, Misunderstood, named, sentenceOf } from './command.ts'
import { decideNow } from './decide.ts'

export const dispute = command({
  name: 'dispute',
  takes: 'TASK | DISPUTE uphold | reject NOTE',
  does: 'decide a held dispute; the worker and the agent see the note',
  right: 'rule',
  async run(background, { words: [word, verdict, ...rest], by }) {
    const id = named(word, 'a dispute or its task')
    if (verdict !== 'uphold' && verdict !== 'reject')
      throw new Misunderstood('The decision must be `uphold` or `reject`')
    const reason = sentenceOf(rest, 'a note for the worker and the agent')
    const known = await findHeldDispute(background.db.shards.at(id).reader, id)
    const data = await decideNow(background, decideDispute, {
      subject: known?.id ?? id,
      input: { verdict },
      reason,
      by,
    })
    return { data }
  },
})
