import { formatCents } from '../../kit/money.ts'
import { counted } from '../../kit/words.ts'
import type { DataOf } from '../command.ts'
import type { payouts } from '../payouts.ts'
import { minute, waits } from './text.ts'

export const renderPayouts = ({ at, total, payouts: listed }: DataOf<typeof payouts>): string[] =>
  listed.length === 0
    ? ['No payouts are waiting.']
    : [
        `${counted(total.count, 'payouts')}, ${formatCents(total.amount_cents)}` +
          (total.count > listed.length ? `; the first ${listed.length} are listed` : ''),
        '',
        ...listed.flatMap(({ wait, since, worker_id, task_id }) =>
          wait === null
            ? []
            : [
                ...waits([wait], at).slice(1, -1),
                `    since: ${minute(since)} UTC, ${worker_id}, ${task_id}`,
              ],
        ),
      ]
