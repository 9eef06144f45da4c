import { MapPin } from 'lucide-react'
import { Code } from '../../shared/ui/code.tsx'
import { Disclosure } from '../../shared/ui/disclosure.tsx'
import type { TaskDetail } from '../queries.ts'
import { Panel } from '../../shared/desk/screen.tsx'

/** Shows the request in the agent's own words. The heading above shows the title. */
export function Asked({ task }: { task: TaskDetail }) {
  const { description, criteria, location, context, answer_schema } = task
  return (
    <Panel title="Request">
      <p className="whitespace-pre-wrap" dir="auto">
        {description}
      </p>
      {location !== null && (
        <p className="flex items-start gap-2 text-muted">
          <MapPin size={16} aria-hidden className="mt-0.5" />
          <span dir="auto">{placeOf(location)}</span>
        </p>
      )}
      {criteria !== null && criteria.length > 0 && (
        <ul className="flex list-disc flex-col gap-1 ps-5">
          {criteria.map(({ id, text }) => (
            <li key={id} dir="auto">
              {text}
            </li>
          ))}
        </ul>
      )}
      {(Object.keys(context).length > 0 || answer_schema !== null) && (
        <Disclosure title="Context and answer schema">
          <Code label="context">{JSON.stringify({ context, answer_schema }, null, 2)}</Code>
        </Disclosure>
      )}
    </Panel>
  )
}

export function placeOf(location: NonNullable<TaskDetail['location']>): string {
  if (typeof location === 'string') return location
  return location.address ?? `${location.lat}, ${location.lng}`
}
