import { TriangleAlert } from 'lucide-react'
import type { Card } from './find/wishes.ts'
import { useText } from './text/use-text.tsx'

/** What to know before accepting, in one line. */
export function RiskLine({ risks = [] }: { risks?: Card['risks'] | undefined }) {
  const text = useText()
  if (risks.length === 0) return null
  return (
    <p className="flex items-center gap-1.5 text-sm font-medium">
      <TriangleAlert size={16} aria-hidden className="shrink-0 text-warn" />
      <span>
        <span className="sr-only">{text('card.risks')} </span>
        {risks.map((risk) => text(`card.risk_${risk}`)).join(' · ')}
      </span>
    </p>
  )
}
