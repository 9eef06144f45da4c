import { Link } from 'wouter'
import { Ago } from '../../shared/desk/ago.tsx'
import { count } from '../../shared/desk/figures.ts'
import { Id, shortId } from '../../shared/desk/id.tsx'
import { Money } from '../../shared/desk/money.tsx'
import { Panel } from '../../shared/desk/screen.tsx'
import { Button } from '../../shared/ui/button.tsx'
import type { Case, Look } from '../api.ts'
import { useLooks } from './looks.tsx'

type Fact = Case['facts'][number]

export function Facts({ shown: { id, facts } }: { shown: Case }) {
  if (facts.length === 0) return null
  return (
    <Panel title="Facts">
      <dl className="flex flex-col gap-1">
        {facts.map((fact, at) => (
          <div
            key={`${fact.name} ${at}`}
            className="flex min-h-7 flex-wrap items-center justify-between gap-x-3"
          >
            <dt className="text-muted">{fact.name}</dt>
            <dd className={isSentence(fact) ? 'min-w-0' : 'min-w-0 wide:text-end'}>
              <Value fact={fact} subject={id} />
            </dd>
          </div>
        ))}
      </dl>
    </Panel>
  )
}

const SENTENCE_MIN = 40

/** Text of several lines is read from the start of each line. */
const isSentence = ({ value, as }: Fact) =>
  as === 'text' && typeof value === 'string' && value.length >= SENTENCE_MIN

function Value({ fact, subject }: { fact: Fact; subject: string }) {
  const { value, as } = fact
  if (value === null) return <span className="text-muted">–</span>
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  if (as === 'masked') return <Masked fact={fact} subject={subject} />
  if (as === 'money') return <Money cents={Number(value)} />
  if (as === 'time') return <Ago at={String(value)} />
  if (as === 'id') return <RecordLink id={String(value)} />
  return <span dir="auto">{typeof value === 'number' ? count(value) : value}</span>
}

function RecordLink({ id }: { id: string }) {
  return <Id id={id} href={`/case/${encodeURIComponent(id)}`} />
}

function Masked({ fact: { value, look, name }, subject }: { fact: Fact; subject: string }) {
  const { canLook, seen, ask } = useLooks()
  const found = look && seen({ subject, what: look })
  if (found !== undefined) return <Shown value={found} />
  return (
    <span className="flex flex-wrap items-center gap-x-2">
      <span dir="auto">{String(value)}</span>
      {look !== undefined && canLook && (
        <Button
          look="quiet"
          aria-label={`Show ${name}`}
          onPress={() => ask({ subject, what: look })}
        >
          Show
        </Button>
      )}
    </span>
  )
}

function Shown({ value }: { value: Look['value'] }) {
  if (typeof value === 'string') return <span dir="auto">{value}</span>
  if ('media' in value) return null
  const { address, lat, lng } = value
  return (
    <span className="flex flex-col">
      {address !== null && <span dir="auto">{address}</span>}
      <span className="font-mono text-sm">
        {lat}, {lng}
      </span>
    </span>
  )
}

/** Other records: those that belong to this one, and those that share something with it. */
export function Links({ shown: { related, linked } }: { shown: Case }) {
  return (
    <>
      {related.length > 0 && (
        <Panel title="Related">
          <ul className="flex flex-col gap-1">
            {related.map((one) => (
              <li key={one.id} className="flex flex-wrap items-baseline justify-between gap-x-2">
                <RecordTitle record={one} />
                <span className="text-sm text-muted">{one.kind}</span>
              </li>
            ))}
          </ul>
        </Panel>
      )}
      {linked.length > 0 && (
        <Panel title="Shares something with">
          <ul className="flex flex-col gap-1">
            {linked.map(({ how, id, kind, name }) => (
              <li
                key={`${how} ${id}`}
                className="flex flex-wrap items-baseline justify-between gap-x-2"
              >
                <RecordTitle record={{ id, kind, title: name }} />
                <span className="text-sm text-muted">same {how}</span>
              </li>
            ))}
          </ul>
        </Panel>
      )}
    </>
  )
}

function RecordTitle({
  record: { id, title },
}: {
  record: { id: string; kind: string; title: string }
}) {
  return (
    <Link
      href={`/case/${encodeURIComponent(id)}`}
      title={id}
      className="inline-flex min-h-7 min-w-0 items-center text-brand hover:underline"
    >
      <span dir="auto">{title === '' ? shortId(id) : title}</span>
    </Link>
  )
}
