import { formatCents } from '../../kit/money.ts'
import type { DataOf } from '../command.ts'
import type { writeOff } from '../write-off.ts'

export function renderWriteOff({
  written_off_cents,
  owed_cents,
}: DataOf<typeof writeOff>): string[] {
  const left = owed_cents === 0 ? 'no debt left' : `${formatCents(owed_cents)} left`
  return [`${formatCents(written_off_cents)} written off; ${left}`]
}
