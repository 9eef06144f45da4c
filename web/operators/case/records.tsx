/** What has happened to a record: timeline, money, trust, access, earlier decisions. */
import { Ago } from '../../shared/desk/ago.tsx'
import { clockTime, day } from '../../shared/desk/figures.ts'
import { Id } from '../../shared/desk/id.tsx'
import { Money } from '../../shared/desk/money.tsx'
import { Panel } from '../../shared/desk/screen.tsx'
import { TextLink } from '../../shared/desk/text-link.tsx'
import { Disclosure } from '../../shared/ui/disclosure.tsx'
import { Table } from '../../shared/ui/table.tsx'
import { Timeline } from '../../shared/ui/timeline.tsx'
import type { Case } from '../api.ts'
import { STATES } from '../decide/words.ts'

export function Records({ shown }: { shown: Case }) {
  return (
    <>
      <History shown={shown} />
      <Decisions shown={shown} />
      <Ledger shown={shown} />
      <Trust shown={shown} />
      <Access shown={shown} />
    </>
  )
}

const STEPS_SHOWN = 12

function History({ shown: { timeline } }: { shown: Case }) {
  if (timeline.length === 0) return null
  const steps = timeline.map(({ at, what, who, id }, index) => ({
    id: `${index} ${what}`,
    title: (
      <span dir="auto">
        {what}
        {who !== null && <span className="font-normal text-muted"> {who}</span>}
      </span>
    ),
    at: (
      <>
        <time dateTime={at}>
          {day(at)}, {clockTime(at)}
        </time>
        {id !== null && (
          <>
            {' '}
            <Id id={id} href={`/case/${encodeURIComponent(id)}`} />
          </>
        )}
      </>
    ),
    state: 'done' as const,
  }))
  const hidden = steps.length - STEPS_SHOWN
  return (
    <Panel title="Timeline">
      {hidden > 0 && (
        <Disclosure title={`${hidden} earlier steps`}>
          <Timeline label="Earlier steps" steps={steps.slice(0, hidden)} />
        </Disclosure>
      )}
      <Timeline label="Timeline" steps={steps.slice(-STEPS_SHOWN)} />
    </Panel>
  )
}

function Decisions({ shown: { decisions } }: { shown: Case }) {
  if (decisions.length === 0) return null
  return (
    <Panel title="Decisions">
      <ul className="flex flex-col gap-3">
        {decisions.map(({ id, title, state, proposed_by, second_by, reason, at, amount_cents }) => (
          <li key={id} className="flex flex-col">
            <span className="flex flex-wrap items-baseline justify-between gap-x-3">
              <TextLink href={`/decisions/${id}`}>{title}</TextLink>
              {amount_cents !== null && <Money cents={amount_cents} />}
            </span>
            <blockquote className="max-w-[75ch] whitespace-pre-wrap" dir="auto">
              {reason}
            </blockquote>
            <span className="text-sm text-muted">
              {STATES[state]?.word ?? state} · <bdi>{proposed_by.name}</bdi>
              {second_by !== null && (
                <>
                  {' '}
                  and <bdi>{second_by.name}</bdi>
                </>
              )}{' '}
              · <Ago at={at} />
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  )
}

function Ledger({ shown: { money } }: { shown: Case }) {
  if (money.length === 0) return null
  return (
    <Panel title="Money" isFlush>
      <Table
        label="Ledger entries"
        rows={money}
        keyOf={({ key, from, to, type }) => `${key} ${type} ${from} ${to}`}
        columns={[
          {
            id: 'type',
            label: 'Type',
            cell: ({ type }) => <code className="text-sm">{type}</code>,
          },
          { id: 'at', label: 'Time', cell: ({ at }) => <Ago at={at} /> },
          {
            id: 'way',
            label: 'From → to',
            cell: ({ from, to }) => (
              <span className="font-mono text-sm">
                {from} → {to}
              </span>
            ),
          },
          {
            id: 'amount',
            label: 'Amount',
            isNumber: true,
            cell: ({ amount_cents }) => <Money cents={amount_cents} />,
          },
        ]}
      />
    </Panel>
  )
}

function Trust({ shown: { trust } }: { shown: Case }) {
  if (trust.length === 0) return null
  return (
    <Panel title="Trust" isFlush>
      <Table
        label="Changes of the trust score"
        rows={trust}
        keyOf={({ at, cause, task_id }) => `${at} ${cause} ${task_id}`}
        columns={[
          { id: 'cause', label: 'Cause', cell: ({ cause }) => cause.replaceAll('_', ' ') },
          { id: 'at', label: 'Time', cell: ({ at }) => <Ago at={at} /> },
          {
            id: 'task',
            label: 'Task',
            cell: ({ task_id }) =>
              task_id === null ? '–' : <Id id={task_id} href={`/case/${task_id}`} />,
          },
          {
            id: 'delta',
            label: 'Change',
            isNumber: true,
            cell: ({ delta }) => (delta > 0 ? `+${delta}` : String(delta)),
          },
        ]}
      />
    </Panel>
  )
}

function Access({ shown: { access } }: { shown: Case }) {
  if (access.length === 0) return null
  return (
    <Panel title="Keys and sessions" isFlush>
      <Table
        label="Keys and sessions"
        rows={access}
        keyOf={({ id }) => id}
        columns={[
          { id: 'kind', label: 'Kind', cell: ({ kind }) => kind },
          { id: 'name', label: 'Name', cell: ({ name }) => <span dir="auto">{name}</span> },
          { id: 'created', label: 'Created', cell: ({ created_at }) => <Ago at={created_at} /> },
          {
            id: 'used',
            label: 'Last used',
            cell: ({ last_used_at }) => (last_used_at === null ? '–' : <Ago at={last_used_at} />),
          },
          {
            id: 'ended',
            label: 'Ended',
            cell: ({ ended_at }) => (ended_at === null ? '–' : <Ago at={ended_at} />),
          },
        ]}
      />
    </Panel>
  )
}
