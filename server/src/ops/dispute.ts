/** Decide a held dispute: `ops dispute`. */
import { decideHeldDispute } from '../disputes/decide-held-dispute.ts'
import type { Dispute } from '../tasks/dispute-view.ts'
import type { Task } from '../tasks/queries.ts'
import { command, Misunderstood, named, sentenceOf } from './command.ts'

interface Decided {
  dispute: Pick<Dispute, 'id' | 'status'>
  task: Pick<Task, 'id' | 'status'>
}

export const dispute = command<Decided>({
  name: 'dispute',
  takes: 'TASK | DISPUTE uphold | reject NOTE',
  does: 'decide a held dispute; the worker and the agent see the note',
  right: 'rule',
  async run({ db, clock, config }, { words: [word, verdict, ...rest], operator }) {
    const id = named(word, 'a dispute or its task')
    if (verdict !== 'uphold' && verdict !== 'reject')
      throw new Misunderstood('The decision must be `uphold` or `reject`')
    const note = sentenceOf(rest, 'a note for the worker and the agent')
    const decided = await db.shards
      .at(id)
      .transaction((tx) =>
        decideHeldDispute(tx, { id, verdict, note, operator, config, now: clock.now() }),
      )
    return {
      data: {
        dispute: { id: decided.dispute.id, status: decided.dispute.status },
        task: { id: decided.task.id, status: decided.task.status },
      },
    }
  },
})
