/** What was earned, as a table for a tax office: one line for each payment, oldest first. Pure rules. */
import type { EarnedItem } from './queries.ts'

export interface StatementWords {
  heads: readonly string[]
  kinds: Record<EarnedItem['kind'], string>
}

/** Comma-separated, as RFC 4180 has it; the mark before it tells spreadsheets that it is UTF-8. */
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

/** The day where the phone is, in a form that sorts. */
export function dayOf(at: string | Date): string {
  const date = new Date(at)
  const two = (value: number) => String(value).padStart(2, '0')
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}

const dollars = (cents: number) => (cents / 100).toFixed(2)

/** What others wrote must not become a formula of the spreadsheet. */
function cell(value: string): string {
  const tame = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(tame) ? `"${tame.replaceAll('"', '""')}"` : tame
}
