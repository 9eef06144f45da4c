/** Rule on an appeal. */
import { ruleAppeal } from '../decisions/kinds/rule-on-appeal.ts'
import { findAppeal } from '../disputes/rule-on-appeal.ts'
import { RULINGS } from '../tasks/dispute-view.ts'
import { command, Misunderstood, named, sentenceOf } from './command.ts'
import { decideNow } from './decide.ts'

export const appeal = command({
  name: 'appeal',
  takes: 'APPEAL | TASK upheld | overturned | split NOTE',
  does: 'decide an appeal; the worker sees the note',
  right: 'rule',
  async run(background, { words: [word, verdict, ...words], by }) {
    const id = named(word, 'an appeal or its task')
    const ruling = RULINGS.find((known) => known === verdict)
    if (ruling === undefined)
      throw new Misunderstood(`The ruling must be one of ${RULINGS.join(', ')}`)
    const reason = sentenceOf(words, 'a note for the worker')
    const known = await findAppeal(background.db.shards.at(id).reader, id)
    const data = await decideNow(background, ruleAppeal, {
      subject: known?.id ?? id,
      input: { ruling },
      reason,
      by,
    })
    return { data }
  },
})
