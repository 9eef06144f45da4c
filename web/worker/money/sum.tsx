import { useText } from '../text/use-text.tsx'
import type { EarnedItem } from './queries.ts'

/** Gross − fee = net: what the agent paid, our fee, what the worker gets. */
export function Sum({ items }: { items: EarnedItem[] }) {
  const text = useText()
  const add = (of: (item: EarnedItem) => number) => items.reduce((sum, one) => sum + of(one), 0)
  const gross = add(({ gross_cents }) => gross_cents)
  const fee = add(({ commission_cents }) => commission_cents)
  const share = text.number(gross === 0 ? 0 : fee / gross, {
    style: 'percent',
    maximumFractionDigits: 1,
  })
  return (
    <dl className="flex flex-col gap-1">
      <Line name={text('sum.gross')} value={text.money(gross)} />
      <Line
        name={fee === 0 ? text('sum.noFee') : text('sum.fee', { share })}
        value={text.money(0 - fee)}
      />
      <Line name={text('sum.net')} value={text.money(gross - fee)} isSum />
    </dl>
  )
}

function Line({ name, value, isSum = false }: { name: string; value: string; isSum?: boolean }) {
  return (
    <div
      className={`flex justify-between gap-4 ${isSum ? 'border-t border-border pt-1 font-bold' : ''}`}
    >
      <dt>{name}</dt>
      <dd className="shrink-0">{value}</dd>
    </div>
  )
}
