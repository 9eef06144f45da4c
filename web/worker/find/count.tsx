import { useText } from '../text/use-text.tsx'

const WORDS = {
  all: 'find.count',
  more: 'find.countMore',
  'in-sight': 'find.countInSight',
} as const

/** The number of tasks, announced when it changes, and its time if it is stale. */
export function Count({
  count,
  of,
  staleSince,
}: {
  count: number
  of: 'all' | 'more' | 'in-sight'
  staleSince: number | undefined
}) {
  const text = useText()
  return (
    <p role="status" className="flex flex-wrap gap-x-2 text-sm text-muted">
      <span>{text(WORDS[of], { count })}</span>
      {staleSince !== undefined && (
        <span className="text-warn">
          {text('find.stale', { time: text.date(new Date(staleSince), timeOf(staleSince)) })}
        </span>
      )}
    </p>
  )
}

const timeOf = (at: number): Intl.DateTimeFormatOptions =>
  new Date(at).toDateString() === new Date().toDateString()
    ? { timeStyle: 'short' }
    : { dateStyle: 'medium', timeStyle: 'short' }
