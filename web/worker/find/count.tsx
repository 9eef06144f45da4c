import { useText } from '../text/use-text.tsx'

/** The number of tasks, announced when it changes, and its time if it is stale. */
export function Count({
  count,
  hasMore,
  staleSince,
}: {
  count: number
  hasMore: boolean
  staleSince: number | undefined
}) {
  const text = useText()
  return (
    <p role="status" className="flex flex-wrap gap-x-2 text-sm text-muted">
      <span>{text(hasMore ? 'find.countMore' : 'find.count', { count })}</span>
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
