/** Earnings as a table for a tax office: one row per payment, oldest first. Pure rules. */
import type { EarnedItem } from './queries.ts'

export interface StatementWords {
  heads: readonly string[]
  kinds: Record<EarnedItem['kind'], string>
}

/** CSV as in RFC 4180, with a BOM that tells spreadsheets it is UTF-8. */
export function statementOf(items: readonly EarnedItem[], { heads, kinds }: StatementWords) {
  const lines = items
    .toReversed()
    .map(({ at, kind, title, agent_name, task_id, gross_cents, commission_cents, net_cents }) => [
      dayOf(at),
      kinds[kind],
      title,
      agent_name,
      task_id,
      dollars(gross_cents),
      dollars(commission_cents),
      dollars(net_cents),
      'USD',
    ])
  return `\uFEFF${[heads, ...lines].map((line) => line.map(cell).join(',')).join('\r\n')}\r\n`
}

/** The day in the phone's time zone, in a sortable form. */
export function dayOf(at: string | Date): string {
  const date = new Date(at)
  const two = (value: number) => String(value).padStart(2, '0')
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}

const dollars = (cents: number) => (cents / 100).toFixed(2)

/** Prevents formula injection: text from others must not run as a spreadsheet formula. */
function cell(value: string): string {
  const tame = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(tame) ? `"${tame.replaceAll('"', '""')}"` : tame
}
