/** `cancel ID`: cancels a task. A worker who has already started gets a partial payment. */
import { command } from '../command.ts'
import { EXIT } from '../exit.ts'
import { taskIdOf } from '../task-words.ts'
import { dollars } from '../words.ts'

export const cancel = command({
  name: 'cancel',
  takes: 'ID',
  summary: 'Cancel a task; a worker who has already accepted it gets part of the pay',
  options: {},
  words: [1, 1],

  async run({ words, print, legwork, folder }) {
    const { task, refunded_cents } = await legwork().tasks.cancel(taskIdOf(words[0]!, folder))
    print.step(
      { type: 'cancelled', task, refunded_cents },
      `Canceled ${task.id}. ${dollars(refunded_cents)} refunded to your wallet.`,
    )
    print.next('Post another task', 'ask "…" --wait')
    return EXIT.done
  },
})
