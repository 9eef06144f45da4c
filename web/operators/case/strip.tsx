/** The other cases of the queue, beside the open one. */
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { money } from '../../shared/desk/figures.ts'
import { addressOf } from '../addresses.ts'
import type { QueueRow } from '../api.ts'
import { Due } from '../due.tsx'
import { queueQuery } from '../queries.ts'

export interface Neighbors {
  rows: QueueRow[]
  title: string | undefined
  before: string | undefined
  after: string | undefined
}

const NO_QUEUE = ''

/** The rows of the case's queue, and the addresses of the cases before and after it. */
export function useNeighbors(caseId: string, queue: string | undefined): Neighbors {
  const { data } = useInfiniteQuery({
    ...queueQuery(queue ?? NO_QUEUE),
    enabled: queue !== undefined,
  })
  const rows = data?.pages.flatMap((page) => page.rows) ?? []
  const at = rows.findIndex(({ id }) => id === caseId)
  const hrefAt = (index: number) => {
    const row = rows[index]
    return row && addressOf(row, queue)
  }
  return {
    rows,
    title: data?.pages[0]?.queue.title,
    before: at > 0 ? hrefAt(at - 1) : undefined,
    // Once the case has left its queue, the first one is next.
    after: at === -1 ? hrefAt(0) : hrefAt(at + 1),
  }
}

export function Strip({
  neighbors: { rows, title },
  caseId,
  queue,
}: {
  neighbors: Neighbors
  caseId: string
  queue: string
}) {
  return (
    <nav aria-label={title ?? 'Queue'} className="hidden broad:block">
      <ul className="flex flex-col gap-2">
        {rows.map((row) => (
          <li key={row.id}>
            <Link
              href={addressOf(row, queue)}
              aria-current={row.id === caseId ? 'true' : undefined}
              className="flex flex-col gap-0.5 rounded-field border border-border bg-surface p-2.5 text-sm aria-[current]:border-brand aria-[current]:bg-brand-soft"
            >
              <span className="line-clamp-2 font-medium" dir="auto">
                {row.title}
              </span>
              <span className="flex flex-wrap justify-between gap-x-2">
                {row.due_at !== null && <Due at={row.due_at} />}
                {row.amount_cents !== null && (
                  <span className="font-medium tabular-nums">{money(row.amount_cents)}</span>
                )}
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}
