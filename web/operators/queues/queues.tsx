/** Everything that waits for an operator. What the role may decide comes first. */
import { useQuery } from '@tanstack/react-query'
import { CircleCheck } from 'lucide-react'
import { type ReactNode, useRef } from 'react'
import { Link } from 'wouter'
import { Ago } from '../../shared/desk/ago.tsx'
import { count } from '../../shared/desk/figures.ts'
import { QueryResult } from '../../shared/desk/query-states.tsx'
import { Panel, Screen } from '../../shared/desk/screen.tsx'
import { Empty } from '../../shared/ui/states.tsx'
import { Table } from '../../shared/ui/table.tsx'
import type { Queue } from '../api.ts'
import { Due } from '../due.tsx'
import { useRowKeys } from '../keys.ts'
import { queuesQuery } from '../queries.ts'
import { useDesk } from '../session.tsx'
import { Overdue } from './overdue.tsx'

export function Queues() {
  const queues = useQuery(queuesQuery)
  return (
    <Screen title="Queues">
      <QueryResult query={queues}>{({ queues: all }) => <All queues={all} />}</QueryResult>
    </Screen>
  )
}

function All({ queues }: { queues: Queue[] }) {
  const { can } = useDesk()
  const list = useRef<HTMLDivElement>(null)
  useRowKeys(list)
  const waiting = queues.filter(({ count: rows }) => rows > 0)
  const own = waiting.filter(({ right }) => can(right))
  const others = waiting.filter(({ right }) => !can(right))
  const empty = queues.filter(({ count: rows }) => rows === 0)
  return (
    <div ref={list} className="flex flex-col gap-4">
      {own.length === 0 && (
        <Panel>
          <Empty icon={<CircleCheck aria-hidden />} title="Nothing waits for you">
            {others.length === 0
              ? 'No queue has a case.'
              : 'The cases below are for colleagues with other roles.'}
          </Empty>
        </Panel>
      )}
      {GROUPS.map(({ group, title }) => (
        <Group key={group} title={title} queues={own.filter((queue) => queue.group === group)} />
      ))}
      <Group title="Decided by other roles" queues={others} />
      {empty.length > 0 && (
        <Panel title="Empty">
          <ul className="flex flex-wrap gap-x-4 gap-y-1 text-muted">
            {empty.map(({ name, title }) => (
              <li key={name}>
                <Link
                  href={`/queues/${name}`}
                  className="inline-flex min-h-7 items-center hover:underline"
                >
                  {title}
                </Link>
              </li>
            ))}
          </ul>
        </Panel>
      )}
    </div>
  )
}

const GROUPS: { group: Queue['group']; title: string }[] = [
  { group: 'desk', title: 'Second operator' },
  { group: 'disputes', title: 'Disputes' },
  { group: 'people', title: 'People' },
  { group: 'money', title: 'Money' },
  { group: 'health', title: 'Health' },
]

function Group({ title, queues }: { title: string; queues: Queue[] }) {
  if (queues.length === 0) return null
  return (
    <Panel title={title} isFlush>
      <Table
        label={title}
        rows={queues}
        keyOf={({ name }) => name}
        columns={[
          {
            id: 'queue',
            label: 'Queue',
            cell: ({ name, title: own, clock }) => (
              <span className="flex min-w-0 flex-col">
                <Link
                  href={`/queues/${name}`}
                  data-row
                  className="inline-flex min-h-7 items-center self-start font-medium text-brand hover:underline"
                >
                  {own}
                </Link>
                <span className="max-w-[60ch] text-sm text-muted">{clock}</span>
              </span>
            ),
          },
          {
            id: 'waiting',
            label: 'Waiting',
            isNumber: true,
            cell: (queue) => (
              <Cell width="wide:min-w-16">
                <span className="text-lg font-semibold">{sizeOf(queue)}</span>
              </Cell>
            ),
          },
          {
            id: 'overdue',
            label: 'Overdue',
            isNumber: true,
            cell: ({ overdue }) => (
              <Cell width="wide:min-w-24">
                <Overdue value={overdue} />
              </Cell>
            ),
          },
          {
            id: 'oldest',
            label: 'Oldest',
            isNumber: true,
            cell: ({ oldest_at }) => (
              <Cell width="wide:min-w-20">{oldest_at === null ? '–' : <Ago at={oldest_at} />}</Cell>
            ),
          },
          {
            id: 'due',
            label: 'Next deadline',
            isNumber: true,
            cell: ({ next_due_at }) => (
              <Cell width="wide:min-w-44">
                {next_due_at === null ? '–' : <Due at={next_due_at} />}
              </Cell>
            ),
          },
        ]}
      />
    </Panel>
  )
}

/** Keeps the columns of all groups in line. */
const Cell = ({ width, children }: { width: string; children: ReactNode }) => (
  <span className={`wide:inline-block ${width}`}>{children}</span>
)

const sizeOf = ({ count: rows, is_more }: Queue) => `${count(rows)}${is_more ? '+' : ''}`
