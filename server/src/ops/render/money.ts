import { formatCents } from '../../kit/money.ts'
import { ageOf, counted, section } from '../../kit/words.ts'
import type { Reconciliation } from '../../reconcile/reconcile.ts'
import type { MoneyReport } from '../money.ts'

export function renderMoney(report: MoneyReport): string[] {
  const { at, last_run, holdings, breaks, waiting, switches, needs } = report
  const age = (since: Date) => ageOf(at.getTime() - since.getTime())
  const shown = breaks.filter(({ explanation }) => explanation === null)
  const explained = breaks.filter(({ explanation }) => explanation !== null)
  return [
    `Money at ${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`,
    '',
    ...(last_run === null
      ? ['The ledger was never reconciled with the processor: ops reconcile']
      : [
          `Reconciled with the processor ${age(last_run.at)} ago:`,
          row('balance at the processor', last_run.processor_cents),
          row('sum of its transactions', last_run.mirrored_cents),
          row('balance in our ledger', last_run.ledger_cents),
          row('difference', last_run.processor_cents - last_run.ledger_cents),
          `Unexplained: ${unexplainedOf(last_run)}`,
        ]),
    '',
    `Owners of the ${formatCents(holdings.ledger_cents)} in our ledger now:`,
    row('in agents’ wallets', holdings.wallets_cents),
    row('held in escrow', holdings.escrow_cents),
    row('owed to workers', holdings.payables_cents),
    row('on the way out', holdings.transits_cents),
    row('in suspense', holdings.suspense_cents),
    row('our own', holdings.own_funds_cents),
    '',
    ...section(
      'Waiting',
      waiting.map(
        ({ things, state, count, amount_cents, oldest_at }) =>
          `${counted(count, things)} ${state}${amount_cents > 0 ? `, ${formatCents(amount_cents)}` : ''}, ` +
          `the oldest for ${age(oldest_at)}`,
      ),
    ),
    ...section(
      'Switches',
      switches.map(({ name, is_on, reason, set_by, changed_at }) =>
        is_on
          ? `${named(name)}: on`
          : `${named(name)}: OFF for ${age(changed_at)}, by ${set_by}: ${reason}`,
      ),
    ),
    ...section(
      'Explained breaks',
      explained.map(
        ({ id, detail, explained_by, explanation }) =>
          `#${id}: ${detail}. ${explained_by}: ${explanation}`,
      ),
    ),
    ...section(
      'Breaks',
      shown.flatMap(({ id, opened_at, detail, next }) => [
        `#${id}, for ${age(opened_at)}: ${detail}`,
        `    next: ${next}`,
      ]),
    ),
    needs.length === 0 ? 'No action needed.' : `Action needed: ${needs.join('; ')}.`,
  ]
}

const row = (name: string, cents: number) =>
  `  ${name.padEnd(28)}${formatCents(cents).padStart(14)}`

const named = (name: string) => name.replaceAll('_', ' ')

function unexplainedOf(run: Reconciliation): string {
  const parts = [
    [run.unexplained_new_cents, 'for less than an hour'],
    [run.unexplained_hour_cents, 'for less than a day'],
    [run.unexplained_day_cents, 'for more than a day'],
  ] as const
  const some = parts.filter(([cents]) => cents > 0)
  return some.length === 0
    ? 'nothing'
    : some.map(([cents, age]) => `${formatCents(cents)} ${age}`).join(', ')
}
