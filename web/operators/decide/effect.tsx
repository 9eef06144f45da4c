import { Bell, CircleArrowRight, Undo2, UserRoundCheck } from 'lucide-react'
import { money } from '../../shared/desk/figures.ts'
import { Money } from '../../shared/desk/money.tsx'
import { WithIds } from '../../shared/desk/with-ids.tsx'
import type { Effect as Shown } from '../api.ts'

/** What a decision does: the ledger's entries, who is told what, and whether it can be undone. */
export function Effect({
  effect: { lines, tells, changes, undo },
  needsSecond = false,
  overCents = null,
}: {
  effect: Shown
  needsSecond?: boolean
  overCents?: number | null
}) {
  return (
    <div className="flex flex-col gap-2 rounded-field bg-raised p-3">
      <h3 className="text-sm font-semibold">What happens</h3>
      {needsSecond && (
        <p className="flex items-start gap-2 font-medium text-warn">
          <UserRoundCheck size={16} aria-hidden className="mt-0.5" />
          {overCents === null || overCents === 0
            ? 'A second operator must agree first'
            : `A second operator must agree first: the limit is ${money(overCents)}`}
        </p>
      )}
      {lines.length > 0 && <Lines lines={lines} />}
      <ul className="flex flex-col gap-1">
        {changes.map((change) => (
          <li key={change} className="flex items-start gap-2">
            <CircleArrowRight size={16} aria-hidden className="mt-0.5 text-muted" />
            <span>
              <WithIds>{change}</WithIds>
            </span>
          </li>
        ))}
        {tells.map(({ who, id, what }) => (
          <li key={`${who} ${id} ${what}`} className="flex items-start gap-2">
            <Bell size={16} aria-hidden className="mt-0.5 text-muted" />
            <span>
              The {who} is told: {what}
            </span>
          </li>
        ))}
        <li className="flex items-start gap-2 text-muted">
          <Undo2 size={16} aria-hidden className="mt-0.5" />
          <span>{undo === null ? 'It can’t be undone' : `To undo: ${undo}`}</span>
        </li>
      </ul>
    </div>
  )
}

function Lines({ lines }: { lines: Shown['lines'] }) {
  return (
    <table className="w-full text-sm" aria-label="Ledger entries">
      <thead className="sr-only">
        <tr>
          <th scope="col">From → to</th>
          <th scope="col">Amount</th>
        </tr>
      </thead>
      <tbody>
        {lines.map(({ from, to, amount_cents }) => (
          <tr key={`${from} ${to}`} className="border-t border-border first:border-t-0">
            <td className="py-1 pe-2">
              <WithIds>{`${from} → ${to}`}</WithIds>
            </td>
            <td className="py-1 text-end align-top">
              <Money cents={amount_cents} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
