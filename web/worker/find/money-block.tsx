import { ShieldCheck } from 'lucide-react'
import { COMMISSION_SHARE } from '../../shared/commission.ts'
import { useText } from '../text/use-text.tsx'
import { Card } from '../../shared/ui/card.tsx'
import { Disclosure } from '../../shared/ui/disclosure.tsx'
import { type Card as TaskCard, centsPerHour, grossCents, minutesOf } from './wishes.ts'

/** Pay, time needed, and that the money is already in escrow. */
export function MoneyBlock({ task }: { task: TaskCard }) {
  const text = useText()
  const { work, way, whole, isWalk } = minutesOf(task)
  const gross = grossCents(task)
  const fee = gross - task.you_earn_cents
  const perHour = Math.round(centsPerHour(task) / 100) * 100
  return (
    <Card>
      <h2 className="sr-only">{text('find.money')}</h2>
      <div className="flex flex-wrap items-end justify-between gap-x-3">
        <p className="flex flex-wrap items-baseline gap-x-2">
          <strong className="text-money leading-none text-brand">
            {text.money(task.you_earn_cents)}
          </strong>
          <span className="text-muted">{text('card.youGet')}</span>
        </p>
        <p className="grow text-end text-sm leading-tight">
          <span className="block text-muted">
            {text('card.about', { time: text.duration(whole) })}
          </span>
          <strong>{text('card.perHour', { money: text.money(perHour, { isShort: true }) })}</strong>
        </p>
      </div>
      <Disclosure title={text('find.howWorkedOut')}>
        <dl className="flex flex-col gap-1 text-sm">
          <Line label={text('find.agentPays')} value={text.money(gross)} />
          <Line
            label={text('find.fee', { share: text.percent(COMMISSION_SHARE) })}
            value={text.money(-fee)}
          />
          <Line label={text('card.youGet')} value={text.money(task.you_earn_cents)} isTotal />
        </dl>
        {way > 0 && (
          <p className="mt-2 text-sm text-muted">
            {text(isWalk ? 'find.walkTime' : 'find.wayTime', {
              work: text.duration(work),
              way: text.duration(way),
            })}
          </p>
        )}
      </Disclosure>
      <p className="flex gap-2 border-t border-border pt-3 text-sm">
        <ShieldCheck size={20} aria-hidden className="shrink-0 text-brand" />
        {text('find.escrow', { time: text.duration(task.auto_approve_after / 60) })}
      </p>
    </Card>
  )
}

function Line({
  label,
  value,
  isTotal = false,
}: {
  label: string
  value: string
  isTotal?: boolean
}) {
  return (
    <div
      className={`flex flex-wrap justify-between gap-x-4 ${isTotal ? 'border-t border-border pt-1 font-semibold' : ''}`}
    >
      <dt>{label}</dt>
      <dd>{value}</dd>
    </div>
  )
}
