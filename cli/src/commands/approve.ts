/** `approve ID`: approves the work and pays the worker. */
import { command } from '../command.ts'
import { EXIT } from '../exit.ts'
import { settlementLine, taskIdOf } from '../task-words.ts'
import { dollars, readCents, readJson } from '../words.ts'

export const approve = command({
  name: 'approve',
  takes: 'ID',
  summary: 'Approve the work and pay the worker from escrow',
  details: [
    '--override JSON  the result to use when answers disagree: --override true, --override \'"open"\'',
    '--tip 1.00       an extra payment from your wallet',
  ],
  options: { override: { type: 'string' }, tip: { type: 'string' } },
  words: [1, 1],

  async run({ values: { override, tip }, words, print, legwork, folder }) {
    const tipCents = tip === undefined ? undefined : readCents(tip, '--tip')
    const { task, settlement } = await legwork().tasks.approve(taskIdOf(words[0]!, folder), {
      ...(override === undefined ? {} : { override_result: readJson(override, '--override') }),
      ...(tipCents === undefined ? {} : { tip_cents: tipCents }),
    })
    const tipped = tipCents === undefined ? '' : ` · ${dollars(tipCents)} tip`
    print.step(
      { type: 'approved', task, settlement },
      `${print.style('green', 'Approved')} ${task.id}: ${settlementLine(settlement)}${tipped}`,
    )
    print.next('See your balance', 'wallet')
    return EXIT.done
  },
})
