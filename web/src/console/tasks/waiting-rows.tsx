import { Link } from 'wouter'
import { Table } from '../../ui/table.tsx'
import { Ago } from '../ago.tsx'
import { Money } from '../money.tsx'
import { type Task, titleOf, TYPES } from '../words.ts'
import { dueAt } from './due.ts'

export function WaitingRows({ tasks }: { tasks: Task[] }) {
  return (
    <Table
      label="Tasks that wait for your verdict"
      rows={tasks}
      keyOf={({ id }) => id}
      columns={[
        {
          id: 'task',
          label: 'Task',
          cell: (task) => (
            <Link
              href={`/tasks/${task.id}`}
              className="flex min-h-7 min-w-0 flex-col items-end justify-center text-end wide:items-start wide:text-start"
            >
              <span className="font-medium text-brand" dir="auto">
                {titleOf(task)}
              </span>
              <span className="text-sm text-muted">{TYPES[task.type]}</span>
            </Link>
          ),
        },
        {
          id: 'budget',
          label: 'Budget',
          isNumber: true,
          cell: ({ budget_cents }) => <Money cents={budget_cents} />,
        },
        {
          id: 'due',
          label: 'Paid by itself',
          isNumber: true,
          cell: (task) => <Ago at={dueAt(task)} />,
        },
      ]}
    />
  )
}
