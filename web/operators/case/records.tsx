/** What has happened to a record: timeline, money, trust, access, earlier decisions. */
import { Ago } from '../../shared/desk/ago.tsx'
import { clockTime, day, plural } from '../../shared/desk/figures.ts'
import { Id } from '../../shared/desk/id.tsx'
import { Money } from '../../shared/desk/money.tsx'
import { Panel } from '../../shared/desk/screen.tsx'
import { TextLink } from '../../shared/desk/text-link.tsx'
import { Disclosure } from '../../shared/ui/disclosure.tsx'
import { Table } from '../../shared/ui/table.tsx'
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

const STEPS_SHOWN = 15

function History({ shown: { timeline } }: { shown: Case }) {
  if (timeline.length === 0) return null
  const hidden = timeline.length - STEPS_SHOWN
  return (
    <Panel title="Timeline">
      {hidden > 0 && (
        <Disclosure title={plural(hidden, 'earlier step')}>
          <Steps steps={timeline.slice(0, hidden)} />
        </Disclosure>
      )}
      <Steps steps={timeline.slice(-STEPS_SHOWN)} />
    </Panel>
  )
}

function Steps({ steps }: { steps: Case['timeline'] }) {
  return (
    <ol className="flex flex-col">
      {steps.map(({ at, what, who, id }, index) => (
        <li
          key={`${at} ${index}`}
          className="grid grid-cols-1 gap-x-4 border-t border-border py-1 first:border-t-0 wide:grid-cols-[8.5rem_minmax(0,1fr)] wide:items-baseline"
        >
          <time dateTime={at} className="text-sm text-muted tabular-nums">
            {day(at)}, {clockTime(at)}
          </time>
          <span className="flex flex-wrap items-baseline gap-x-2">
            <span dir="auto">{what}</span>
            {who !== null && <Who who={who} />}
            {id !== null && <Id id={id} href={`/case/${encodeURIComponent(id)}`} />}
          </span>
        </li>
      ))}
    </ol>
  )
}

/** A record's id is a link; anything else is a name. */
const Who = ({ who }: { who: string }) =>
  /^[a-z]+_[0-9a-z]{20,}$/.test(who) ? (
    <Id id={who} href={`/case/${who}`} />
  ) : (
    <bdi className="text-muted">{who}</bdi>
  )

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
