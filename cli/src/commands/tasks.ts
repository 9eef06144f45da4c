/** `tasks`: lists the agent's tasks, newest first. */
import { command } from '../command.ts'
import { EXIT } from '../exit.ts'
import { short } from '../print.ts'
import { dollars, readCount, span } from '../words.ts'

const LIMIT = '20'

export const tasks = command({
  name: 'tasks',
  takes: '',
  summary: 'List your tasks, newest first',
  details: [
    '--status STATUS  pending, in_progress, proof_submitted, completed, disputed, expired, cancelled',
    '--type TYPE      only tasks of this type',
    `--limit N        how many (default: ${LIMIT})`,
  ],
  options: {
    status: { type: 'string' },
    type: { type: 'string' },
    limit: { type: 'string', default: LIMIT },
  },
  words: [0, 0],

  async run({ values, print, legwork }) {
    const page = await legwork().tasks.list({
      limit: readCount(values.limit, '--limit'),
      ...(values.status === undefined ? {} : { status: values.status as never }),
      ...(values.type === undefined ? {} : { type: values.type as never }),
    })

    for (const task of page.tasks) {
      const age = span(Date.now() - Date.parse(task.created_at))
      const money = dollars(task.budget_cents)
      print.step(
        { type: 'task', task },
        [
          task.id,
          task.status.padEnd(15),
          money.padStart(9),
          `${age} ago`.padEnd(13),
          short(task.title ?? task.description, 50),
        ].join('  '),
      )
    }
    if (page.tasks.length === 0)
      print.note(values.status ? `No tasks with status ${values.status}.` : 'No tasks yet.')
    else if (page.total > page.tasks.length)
      print.note(`${page.tasks.length} of ${page.total}. Use --limit to see more.`)
    if (page.tasks[0] === undefined) print.next('Post one with', 'ask "…" --wait')
    else print.next('View one with', `task ${page.tasks[0].id}`)
    return EXIT.done
  },
})
