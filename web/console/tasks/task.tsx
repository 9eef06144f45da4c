/** One task: its timeline on the left; the request, the proofs and the verdict on the right. */
import { useQuery } from '@tanstack/react-query'
import { useParams } from 'wouter'
import { Code } from '../../shared/ui/code.tsx'
import { Disclosure } from '../../shared/ui/disclosure.tsx'
import { Table } from '../../shared/ui/table.tsx'
import { Ago } from '../../shared/desk/ago.tsx'
import { QueryResult } from '../../shared/desk/query-states.tsx'
import { moment, money } from '../../shared/desk/figures.ts'
import { Id } from '../../shared/desk/id.tsx'
import { Money } from '../../shared/desk/money.tsx'
import { type TaskDetail, taskQuery } from '../queries.ts'
import { Facts, Panel, Screen } from '../../shared/desk/screen.tsx'
import { StatusTag } from '../status.tsx'
import { AskLink } from '../support/can-ask.tsx'
import { TRANSACTIONS } from '../wallet/words.ts'
import { titleOf, TYPES } from '../words.ts'
import { Review } from './review.tsx'
import { TaskTimeline } from './task-timeline.tsx'

export function Task() {
  const { id } = useParams<{ id: string }>()
  const task = useQuery(taskQuery(id))
  return (
    <Screen
      title={task.data === undefined ? 'Task' : titleOf(task.data.task)}
      back={{ href: '/tasks', label: 'Tasks' }}
    >
      <QueryResult query={task}>{({ task: shown }) => <Whole task={shown} />}</QueryResult>
    </Screen>
  )
}

function Whole({ task }: { task: TaskDetail }) {
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1 text-muted">
        <StatusTag status={task.status} />
        <span>{TYPES[task.type]}</span>
        <Money cents={task.budget_cents} />
        <span>
          posted <Ago at={task.created_at} />
        </span>
        <Id id={task.id} />
      </div>
      <div className="grid grid-cols-1 items-start gap-4 wide:grid-cols-[17rem_minmax(0,1fr)]">
        <div className="order-2 flex min-w-0 flex-col gap-4 wide:order-1">
          <Panel title="Timeline">
            <TaskTimeline task={task} />
          </Panel>
          <Details task={task} />
        </div>
        <div className="order-1 flex min-w-0 flex-col gap-4 wide:order-2">
          <Review task={task} />
          <Moves task={task} />
        </div>
      </div>
    </>
  )
}

function Details({ task }: { task: TaskDetail }) {
  return (
    <Panel title="Details">
      <Facts
        facts={[
          ['Urgency', task.urgency],
          ['Proof', task.proof_required],
          ['Deadline', moment(task.deadline)],
          ['Worker gets', money(task.worker_pay_cents)],
          ['Funding', task.funding === 'free' ? 'Free task' : 'Wallet'],
          ...(task.callback_url === null
            ? []
            : ([['Callback', <span className="break-all">{task.callback_url}</span>]] as [
                string,
                React.ReactNode,
              ][])),
        ]}
      />
      <Disclosure title="JSON">
        <Code label="task">{JSON.stringify(task, null, 2)}</Code>
      </Disclosure>
      <AskLink about={{ task: task.id }}>Ask a person about this task</AskLink>
    </Panel>
  )
}

function Moves({ task: { transactions } }: { task: TaskDetail }) {
  if (transactions.length === 0) return null
  return (
    <Panel title="Transactions" isFlush>
      <Table
        label="Transactions of this task"
        rows={transactions}
        keyOf={({ id }) => id}
        columns={[
          { id: 'type', label: 'Type', cell: ({ type }) => TRANSACTIONS[type] },
          { id: 'when', label: 'Time', cell: ({ created_at }) => <Ago at={created_at} /> },
          {
            id: 'amount',
            label: 'Amount',
            isNumber: true,
            cell: ({ amount_cents }) => <Money cents={amount_cents} isSigned />,
          },
        ]}
      />
    </Panel>
  )
}
