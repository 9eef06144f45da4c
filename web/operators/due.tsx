import { Clock, TriangleAlert } from 'lucide-react'
import { minute, span } from '../shared/desk/figures.ts'
import { useNow } from '../shared/use-now.ts'

const SOON_MS = 4 * 3_600_000

/** How much time is left until a deadline, or how long it has passed. */
export function Due({ at }: { at: string }) {
  const now = useNow(10_000)
  const left = Date.parse(at) - now
  const isOverdue = left < 0
  const tone = isOverdue ? 'font-medium text-danger' : left < SOON_MS ? 'text-warn' : ''
  const Icon = isOverdue ? TriangleAlert : Clock
  return (
    <time
      dateTime={at}
      title={minute(at)}
      className={`inline-flex items-center gap-1 wide:whitespace-nowrap ${tone}`}
    >
      <Icon size={14} aria-hidden />
      {isOverdue ? `overdue ${coarse(left)}` : `${coarse(left)} left`}
    </time>
  )
}

const coarse = (ms: number) => span(Math.max(60, Math.round(Math.abs(ms) / 60_000) * 60))
