import type { DataOf } from '../command.ts'
import type { audit } from '../audit.ts'
import type { auditAccept } from '../audit-accept.ts'

export function renderAudit({
  breaks,
  audited_at,
  round_ended_at,
  round,
}: DataOf<typeof audit>): string[] {
  const ended = round_ended_at?.toISOString() ?? 'never'
  const seconds = round?.seconds_left ?? null
  const left = seconds === null ? '' : `, about ${Math.ceil(seconds / 60)} min of work left`
  return [
    ...breaks.map(
      ({ invariant, subject, found_at }) =>
        `BROKEN  ${invariant}: ${subject} (since ${found_at.toISOString()})`,
    ),
    `New lines and balances: last checked ${audited_at?.toISOString() ?? 'never'}.`,
    `Whole ledger: last checked ${ended}.`,
    ...(round
      ? [
          `Round since ${round.started_at.toISOString()}: ${round.percent} % done, at ${round.pass}${left}.`,
        ]
      : []),
    breaks.length === 0 ? 'All ledger invariants hold.' : `${breaks.length} invariants are broken.`,
  ]
}

export const renderAuditAccept = ({ day }: DataOf<typeof auditAccept>): string[] => [
  `The lines of ${day} are accepted as they are; the next round compares with them.`,
]
