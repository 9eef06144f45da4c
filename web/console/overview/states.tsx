import { Link } from 'wouter'
import { count } from '../../shared/desk/figures.ts'
import { STATUS_NAMES, STATUSES } from '../words.ts'

/** The number of tasks in each state, in lifecycle order; each links to its list. */
export function States({ byStatus }: { byStatus: Record<string, number> }) {
  const most = Math.max(1, ...STATUS_NAMES.map((status) => byStatus[status] ?? 0))
  return (
    <ul className="grid grid-cols-2 gap-2 min-[30rem]:grid-cols-4 wide:grid-cols-7">
      {STATUS_NAMES.map((status) => {
        const number = byStatus[status] ?? 0
        return (
          <li key={status} className="flex">
            <Link
              href={`/tasks?status=${status}`}
              className="flex min-w-0 flex-1 flex-col gap-1 rounded-field bg-raised p-3 hover:outline-2 hover:outline-border"
            >
              <span className="text-lg leading-tight font-semibold">{count(number)}</span>
              <span className="text-sm text-muted">{STATUSES[status].label}</span>
              <span aria-hidden className="mt-auto flex h-1.5 rounded-full bg-surface">
                <span
                  className="rounded-full bg-brand"
                  style={{ width: `${(100 * number) / most}%` }}
                />
              </span>
            </Link>
          </li>
        )
      })}
    </ul>
  )
}
