import { Table } from '../../shared/ui/table.tsx'
import { Ago } from '../../shared/desk/ago.tsx'
import { Money } from '../../shared/desk/money.tsx'
import type { Task } from '../words.ts'
import { dueAt } from './due.ts'
import { TaskLink } from './task-link.tsx'

export function WaitingRows({ tasks }: { tasks: Task[] }) {
  return (
    <Table
      label="Tasks waiting for your review"
      rows={tasks}
      keyOf={({ id }) => id}
      columns={[
        {
          id: 'task',
          label: 'Task',
          cell: (task) => <TaskLink task={task} />,
        },
        {
          id: 'budget',
          label: 'Budget',
          isNumber: true,
          cell: ({ budget_cents }) => <Money cents={budget_cents} />,
        },
        {
          id: 'due',
          label: 'Automatic payment',
          isNumber: true,
          cell: (task) => <Ago at={dueAt(task)} />,
        },
      ]}
    />
  )
}
