/** `dispute ID --reason "…"`: rejects the work; the money is refunded and the worker sees the reason. */
import { command } from '../command.ts'
import { EXIT, usage } from '../exit.ts'
import { taskIdOf } from '../task-words.ts'
import { dollars } from '../words.ts'

export const dispute = command({
  name: 'dispute',
  takes: 'ID --reason "…"',
  summary: 'Dispute the work: refunds you; the worker reads the reason and may appeal',
  details: ['--reason "…"  what is wrong with it; the worker reads it'],
  options: { reason: { type: 'string' } },
  words: [1, 1],

  async run({ values: { reason }, words, print, legwork, folder }) {
    if (reason === undefined)
      throw usage('A dispute needs a reason, which the worker reads', 'Add --reason "…".')
    const id = taskIdOf(words[0]!, folder)
    const { task, refunded_cents } = await legwork().tasks.dispute(id, { reason })
    print.step(
      { type: 'disputed', task, refunded_cents },
      `Disputed ${task.id}: ${dollars(refunded_cents)} back in your wallet. The worker may appeal within 72 h.`,
    )
    print.next('See it with', `task ${task.id}`)
    return EXIT.done
  },
})
