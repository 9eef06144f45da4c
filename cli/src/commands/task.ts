/** `task ID`: shows one task in full; with --wait, waits until there is proof to review. */
import { command } from '../command.ts'
import { EXIT } from '../exit.ts'
import { plain } from '../print.ts'
import { consensusLines, nextSteps, proofLines, stateLines, taskIdOf } from '../task-words.ts'
import { WAIT_USUAL, waitForPeople } from '../wait.ts'
import { dollars, readSpanMs } from '../words.ts'

export const task = command({
  name: 'task',
  takes: 'ID',
  summary: 'Show a task with its history and proof',
  details: [
    'ID is a task id, or last for the latest task posted from this folder.',
    `--wait [${WAIT_USUAL}]  wait until there is proof`,
    '--out FOLDER  where --wait saves photos and recordings (default: this folder)',
  ],
  options: { wait: { type: 'string' }, out: { type: 'string', default: '.' } },
  alone: { wait: WAIT_USUAL },
  words: [1, 1],

  async run({ values, words, print, legwork, folder, signal }) {
    const client = legwork()
    const id = taskIdOf(words[0]!, folder)
    if (values.wait !== undefined) {
      const timeoutMs = readSpanMs(values.wait, '--wait')
      return waitForPeople(id, { legwork: client, print, signal, timeoutMs, out: values.out })
    }

    const shown = await client.tasks.get(id, { media: 'url' })
    const { status, status_reason, type, budget_cents, mode, description, timeline } = shown
    const money = `${dollars(budget_cents)}${mode === 'test' ? ' (test)' : ''}`
    const reason = status_reason === null ? '' : ` (${status_reason})`
    print.step(
      { type: 'task', task: shown },
      `${shown.id}  ${print.style('bold', status)}${reason}  ${type}  ${money}`,
      plain(description, { indent: '  ' }),
      ...timeline.map(({ at, event }) => `● ${timeOf(at)}  ${event.replace(/^task\./, '')}`),
      ...proofLines(shown.proofs, print),
      ...consensusLines(shown, print),
      ...stateLines(shown),
    )
    nextSteps(shown, print)
    return EXIT.done
  },
})

const timeOf = (at: string) => at.slice(0, 19).replace('T', ' ')
