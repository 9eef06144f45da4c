/** Rule on an appeal. */
import { ruleOnAppeal } from '../disputes/rule-on-appeal.ts'
import { RULINGS } from '../tasks/dispute-view.ts'
import { command, Misunderstood, named, sentenceOf } from './command.ts'

export const appeal = command({
  name: 'appeal',
  takes: 'APPEAL | TASK upheld | overturned | split NOTE',
  does: 'decide an appeal; the worker sees the note',
  right: 'rule',
  async run({ db, clock, config }, { words: [word, verdict, ...words], operator }) {
    const id = named(word, 'an appeal or its task')
    const ruling = RULINGS.find((known) => known === verdict)
    if (ruling === undefined)
      throw new Misunderstood(`The ruling must be one of ${RULINGS.join(', ')}`)
    const note = sentenceOf(words, 'a note for the worker')
    const ruled = await db.shards
      .at(id)
      .transaction((tx) =>
        ruleOnAppeal(tx, { id, ruling, note, operator, config, now: clock.now() }),
      )
    return { data: { appeal_id: ruled.appeal.id, task_id: ruled.task.id, ruling } }
  },
})
