import { useText } from '../text/use-text.tsx'

/** How many there are, read aloud when it changes, and as of when, if that is not now. */
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
