/** `dispute ID --reason "…"`: rejects the work; the money is refunded and the worker sees the reason. */
import { command } from '../command.ts'
import { EXIT, usage } from '../exit.ts'
import { taskIdOf } from '../task-words.ts'
import { dollars } from '../words.ts'

export const dispute = command({
  name: 'dispute',
  takes: 'ID --reason "…"',
  summary: 'Dispute the work and get a refund; the worker sees the reason and can appeal',
  details: ['--reason "…"  what is wrong; the worker sees it'],
  options: { reason: { type: 'string' } },
  words: [1, 1],

  async run({ values: { reason }, words, print, legwork, folder }) {
    if (reason === undefined)
      throw usage('A reason is required; the worker sees it', 'Add --reason "…".')
    const id = taskIdOf(words[0]!, folder)
    const { task, refunded_cents } = await legwork().tasks.dispute(id, { reason })
    print.step(
      { type: 'disputed', task, refunded_cents },
      `Disputed ${task.id}. ${dollars(refunded_cents)} refunded to your wallet. The worker can appeal within 72 h.`,
    )
    print.next('View it with', `task ${task.id}`)
    return EXIT.done
  },
})
