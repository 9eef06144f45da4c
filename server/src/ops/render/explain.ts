import { formatCents } from '../../kit/money.ts'
import type { DataOf } from '../command.ts'
import type { explain } from '../explain.ts'

export function renderExplain({
  id,
  kind,
  subject,
  amount_cents,
}: DataOf<typeof explain>): string[] {
  const what = `${kind} ${subject}, ${formatCents(amount_cents)}`
  return [`#${id} (${what}) is explained as long as its amount stays the same`]
}
