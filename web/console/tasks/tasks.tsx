/** All tasks, newest first. */
import { useQuery } from '@tanstack/react-query'
import { ListChecks, Plus } from 'lucide-react'
import { useSearchParams } from 'wouter'
import { ButtonLink } from '../../shared/ui/button.tsx'
import { Select } from '../../shared/ui/select.tsx'
import { type Column, Table } from '../../shared/ui/table.tsx'
import { Ago } from '../../shared/desk/ago.tsx'
import { QueryResult } from '../../shared/desk/query-states.tsx'
import { Id } from '../../shared/desk/id.tsx'
import { RequiresScope } from '../scopes.tsx'
import { Money } from '../../shared/desk/money.tsx'
import { Pager } from '../../shared/desk/pager.tsx'
import { tasksQuery } from '../queries.ts'
import { Panel, Screen } from '../../shared/desk/screen.tsx'
import { StatusTag } from '../status.tsx'
import { EmptyWithCall } from '../empty-with-call.tsx'
import {
  type Status,
  STATUS_NAMES,
  STATUSES,
  type Task,
  type TaskType,
  TYPE_NAMES,
  TYPES,
} from '../words.ts'
import { TaskLink } from './task-link.tsx'

const ROWS = 25
const ANY = ''

const COLUMNS: Column<Task>[] = [
  {
    id: 'task',
    label: 'Task',
    cell: (task) => <TaskLink task={task} isCut />,
  },
  {
    id: 'status',
    label: 'Status',
    cell: (task) => <StatusTag status={task.status} />,
  },
  { id: 'id', label: 'ID', cell: ({ id }) => <Id id={id} /> },
  {
    id: 'budget',
    label: 'Budget',
    isNumber: true,
    cell: ({ budget_cents }) => <Money cents={budget_cents} />,
  },
  {
    id: 'when',
    label: 'Posted',
    isNumber: true,
    cell: ({ created_at }) => <Ago at={created_at} />,
  },
]

export function Tasks() {
  const [search, setSearch] = useSearchParams()
  const status = STATUS_NAMES.find((one) => one === search.get('status'))
  const type = TYPE_NAMES.find((one) => one === search.get('type'))
  const offset = Math.max(0, Number(search.get('offset')) || 0)
  const tasks = useQuery(
    tasksQuery({
      ...(status === undefined ? {} : { status }),
      ...(type === undefined ? {} : { type }),
      limit: ROWS,
      offset,
    }),
  )
  const set = (name: string, value: string) =>
    setSearch((before) => {
      const next = new URLSearchParams(before)
      if (name !== 'offset') next.delete('offset')
      if (value === ANY) next.delete(name)
      else next.set(name, value)
      return next
    })

  return (
    <Screen
      title="Tasks"
      actions={
        <RequiresScope scope="create" isQuiet>
          <ButtonLink href="/tasks/new">
            <Plus size={16} aria-hidden />
            New task
          </ButtonLink>
        </RequiresScope>
      }
    >
      <Filters status={status} type={type} onChange={set} />
      <QueryResult query={tasks}>
        {({ tasks: rows, total }) =>
          total === 0 ? (
            <Panel>
              <NoTasks isFiltered={status !== undefined || type !== undefined} />
            </Panel>
          ) : (
            <Panel isFlush>
              <Table label="Tasks" rows={rows} keyOf={({ id }) => id} columns={COLUMNS} />
              <Pager
                offset={offset}
                shown={rows.length}
                total={total}
                step={ROWS}
                onGo={(to) => set('offset', to === 0 ? ANY : String(to))}
              />
            </Panel>
          )
        }
      </QueryResult>
    </Screen>
  )
}

function Filters({
  status,
  type,
  onChange,
}: {
  status: Status | undefined
  type: TaskType | undefined
  onChange(name: 'status' | 'type', value: string): void
}) {
  return (
    <div className="flex flex-wrap gap-3">
      <div className="min-w-0 flex-1 basis-44 wide:max-w-56">
        <Select<Status | ''>
          label="Status"
          value={status ?? ANY}
          options={[
            { value: ANY, label: 'Any status' },
            ...STATUS_NAMES.map((one) => ({ value: one, label: STATUSES[one].label })),
          ]}
          onChange={(value) => onChange('status', value)}
        />
      </div>
      <div className="min-w-0 flex-1 basis-44 wide:max-w-56">
        <Select<TaskType | ''>
          label="Type"
          value={type ?? ANY}
          options={[
            { value: ANY, label: 'Any type' },
            ...TYPE_NAMES.map((one) => ({ value: one, label: TYPES[one] })),
          ]}
          onChange={(value) => onChange('type', value)}
        />
      </div>
    </div>
  )
}

function NoTasks({ isFiltered }: { isFiltered: boolean }) {
  return isFiltered ? (
    <EmptyWithCall
      icon={<ListChecks aria-hidden />}
      title="No matching tasks"
      actions={
        <ButtonLink look="secondary" href="/tasks">
          Show all
        </ButtonLink>
      }
    >
      None of your tasks has this type and status.
    </EmptyWithCall>
  ) : (
    <EmptyWithCall
      icon={<ListChecks aria-hidden />}
      title="No tasks yet"
      actions={
        <RequiresScope scope="create" isQuiet>
          <ButtonLink href="/tasks/new">Create a task</ButtonLink>
        </RequiresScope>
      }
      call={{
        method: 'POST',
        path: '/tasks',
        body: {
          description: 'Call the town library and ask for its Saturday hours',
          budget_cents: 800,
        },
      }}
    >
      A task is a request to a person, with a budget. Run this, or create one here.
    </EmptyWithCall>
  )
}
