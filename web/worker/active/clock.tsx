import { Clock } from 'lucide-react'
import { type Text, useText } from '../text/use-text.tsx'
import { useNow } from '../../shared/use-now.ts'

const SECOND_MS = 1000
const SOON_MS = 60 * 60_000
const HURRY_MS = 15 * 60_000

/** `44:12`, or in words if too much time is left to count in seconds. */
export function clockText(leftMs: number, text: Text): string {
  if (leftMs >= SOON_MS) return text.duration(leftMs / 60_000)
  const seconds = Math.max(0, Math.floor(leftMs / SECOND_MS))
  const two = { minimumIntegerDigits: 2 }
  return `${text.number(Math.floor(seconds / 60), two)}:${text.number(seconds % 60, two)}`
}

/** Time left for the task. Screen readers read it on demand, not every second. */
export function TimeLeft({ until }: { until: string }) {
  const text = useText()
  const left = Date.parse(until) - useNow(SECOND_MS)
  const shown = left > 0 ? clockText(left, text) : text('active.timeOver')
  return (
    <span
      role="timer"
      aria-label={left > 0 ? text('active.timeLeft', { time: shown }) : shown}
      className={
        'inline-flex min-h-9 shrink-0 items-center gap-1.5 rounded-full px-3 text-sm font-semibold ' +
        (left > HURRY_MS ? 'bg-raised text-text' : 'bg-warn-soft text-warn')
      }
    >
      <Clock size={16} aria-hidden />
      {shown}
    </span>
  )
}
