/** Shows the request and the statements of both sides, in their own words. */
import { Panel } from '../../shared/desk/screen.tsx'
import type { Case } from '../api.ts'

type Text = Case['text'][number]

const AUTHORS: Record<Text['by'], string> = {
  agent: 'Agent',
  worker: 'Worker',
  operator: 'Operator',
}

const ASKED = ['Asked', 'Criteria']
const DELIVERED = ['Proof', 'Answer']

/** Shows the request, the delivery, and the statements afterwards. */
export function partsOf(texts: readonly Text[]) {
  const asked = texts.filter(({ label }) => ASKED.includes(label))
  const delivered = texts.filter(({ label }) => DELIVERED.includes(label))
  return {
    asked,
    delivered,
    said: texts.filter((text) => !asked.includes(text) && !delivered.includes(text)),
  }
}

export function Asked({ shown: { text } }: { shown: Case }) {
  const { asked } = partsOf(text)
  if (asked.length === 0) return null
  return (
    <Panel title="Asked">
      <Quotes texts={asked} />
    </Panel>
  )
}

export function Said({ shown: { text } }: { shown: Case }) {
  const { said } = partsOf(text)
  if (said.length === 0) return null
  return (
    <Panel title="In their own words">
      <Quotes texts={said} />
    </Panel>
  )
}

export function Quotes({ texts }: { texts: readonly Text[] }) {
  return texts.map(({ label, by, text }, at) => (
    <div key={`${label} ${at}`} className="flex flex-col gap-1">
      <h3 className="flex flex-wrap items-baseline gap-x-2 text-sm">
        <span className="font-semibold">{AUTHORS[by]}</span>
        <span className="text-muted">{label}</span>
      </h3>
      <blockquote
        className="max-w-[75ch] border-s-4 border-border ps-3 whitespace-pre-wrap"
        dir="auto"
      >
        {text}
      </blockquote>
    </div>
  ))
}
