import { CircleCheck, CircleX, Clock, Hourglass, Send } from 'lucide-react'
import { Link } from 'wouter'
import { useText, type Text } from '../text/use-text.tsx'
import { Tag } from '../../shared/ui/card.tsx'
import type { Payout } from './queries.ts'

const LOOKS = {
  paid: { tone: 'good', icon: CircleCheck },
  pending: { tone: 'info', icon: Send },
  awaiting_account: { tone: 'warn', icon: Hourglass },
  awaiting_funds: { tone: 'info', icon: Hourglass },
  held: { tone: 'warn', icon: Clock },
  failed: { tone: 'bad', icon: CircleX },
} as const

/** A payout: amount, task, status, and if it is held, why. */
export function PayoutRow({
  payout,
  isNamed = true,
}: {
  payout: Payout
  /** Shows the title of its task. */
  isNamed?: boolean
}) {
  const text = useText()
  const { tone, icon: Icon } = LOOKS[payout.status]
  const day = text.date(payout.paid_at ?? payout.created_at, { dateStyle: 'medium' })
  return (
    <li className="flex flex-col gap-1 border-b border-border py-3 last:border-b-0">
      <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
        <span className="font-bold">{text.money(payout.amount_cents)}</span>
        <Tag tone={tone} icon={<Icon size={16} aria-hidden />}>
          {text(`payouts.status_${payout.status}`)}
        </Tag>
      </div>
      {isNamed ? (
        <Link
          href={`/earnings/${payout.task_id}`}
          className="flex min-h-11 flex-col justify-center text-sm text-muted"
        >
          <span className="line-clamp-1 text-text" dir="auto">
            {payout.title}
          </span>
          {day}
        </Link>
      ) : (
        <span className="text-sm text-muted">{day}</span>
      )}
      {payout.reason !== undefined && <p className="text-sm">{reasonOf(payout, text)}</p>}
    </li>
  )
}

/** Why it hasn't arrived, and the date on which it continues, if known. */
export function reasonOf(payout: Payout, text: Text): string {
  const why =
    payout.reason_code === undefined
      ? (payout.reason ?? '')
      : text(`payouts.reason_${payout.reason_code}`)
  const isKnown = payout.status === 'held' && payout.available_at !== null
  return isKnown
    ? text('payouts.reasonUntil', {
        why,
        when: text.date(payout.available_at!, { dateStyle: 'medium', timeStyle: 'short' }),
      })
    : why
}
