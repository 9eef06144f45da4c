/** `wallet`: shows the balance and the latest transactions. */
import { command } from '../command.ts'
import { EXIT } from '../exit.ts'
import { dollars, plural, readCount } from '../words.ts'

const LIMIT = '10'

export const wallet = command({
  name: 'wallet',
  takes: '',
  summary: 'Show your balance and latest transactions',
  details: [`--limit N  how many transactions (default: ${LIMIT})`],
  options: { limit: { type: 'string', default: LIMIT } },
  words: [0, 0],

  async run({ values, print, legwork, apiKey }) {
    const found = await legwork().wallet.get({ limit: readCount(values.limit, '--limit') })
    const { balance_cents, free_tasks_remaining, transactions } = found
    const free = plural(free_tasks_remaining, 'free task')
    const mode = apiKey?.startsWith('lw_test_') ? ' (play money)' : ''
    print.step(
      { type: 'wallet', ...found },
      `${print.style('bold', dollars(balance_cents))} available${mode} · ${free} left`,
      ...transactions.map(({ type, amount_cents, created_at, task_id }) =>
        [
          created_at.slice(0, 16).replace('T', ' '),
          type.padEnd(18),
          dollars(amount_cents).padStart(11),
          task_id ?? '',
        ]
          .join('  ')
          .trimEnd(),
      ),
    )
    print.next('Add money with', 'deposit 20.00')
    return EXIT.done
  },
})
