import { Panel } from '../../shared/desk/screen.tsx'
import type { Case } from '../api.ts'

const AUTHORS: Record<Case['text'][number]['by'], string> = {
  agent: 'Agent',
  worker: 'Worker',
  operator: 'Operator',
}

/** What was asked, and what both sides said, in their own words. */
export function Texts({ shown: { text } }: { shown: Case }) {
  if (text.length === 0) return null
  return (
    <Panel title="In their own words">
      {text.map(({ label, by, text: words }, at) => (
        <div key={`${label} ${at}`} className="flex flex-col gap-1">
          <h3 className="flex flex-wrap items-baseline gap-x-2 text-sm">
            <span className="font-semibold">{label}</span>
            <span className="text-muted">{AUTHORS[by]}</span>
          </h3>
          <blockquote
            className="max-w-[75ch] border-s-4 border-border ps-3 whitespace-pre-wrap"
            dir="auto"
          >
            {words}
          </blockquote>
        </div>
      ))}
    </Panel>
  )
}
