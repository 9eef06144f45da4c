/** Overview: balance, spending, tasks by state, and what needs a decision. */
import { useQuery } from '@tanstack/react-query'
import { Inbox, ListChecks, Plus } from 'lucide-react'
import type { ReactNode } from 'react'
import { ButtonLink } from '../../shared/ui/button.tsx'
import { QueryResult } from '../../shared/desk/query-states.tsx'
import { count, money, plural, span } from '../../shared/desk/figures.ts'
import { RequiresScope } from '../scopes.tsx'
import { meQuery, spendQuery, statsQuery, waitingQuery } from '../queries.ts'
import { Panel, Screen } from '../../shared/desk/screen.tsx'
import { useConsole } from '../session.tsx'
import { SpendChart } from '../spend-chart.tsx'
import { dueAt } from '../tasks/due.ts'
import { WaitingRows } from '../tasks/waiting-rows.tsx'
import { EmptyWithCall } from '../empty-with-call.tsx'
import { TextLink } from '../../shared/desk/text-link.tsx'
import { FailingReceivers } from './failing-receivers.tsx'
import { LatestEvents } from './latest-events.tsx'
import { Restricted } from './restricted.tsx'
import { Ago } from '../../shared/desk/ago.tsx'
import { States } from './states.tsx'

const SPEND_DAYS = 30
const ROWS = 4

export function Overview() {
  const stats = useQuery(statsQuery)
  return (
    <Screen
      title="Overview"
      actions={
        <>
          <ButtonLink look="secondary" href="/wallet">
            Add funds
          </ButtonLink>
          <RequiresScope scope="create" isQuiet>
            <ButtonLink href="/tasks/new">
              <Plus size={16} aria-hidden />
              New task
            </ButtonLink>
          </RequiresScope>
        </>
      }
    >
      <Restricted />
      <FailingReceivers />
      <QueryResult query={stats}>
        {({ tasks, timing }) => (
          <>
            <Figures
              openTasks={openIn(tasks.by_status)}
              doneTasks={tasks.by_status.completed ?? 0}
              doneSeconds={timing.p50_done_s}
            />
            {tasks.total === 0 ? <FirstTask /> : <Life byStatus={tasks.by_status} />}
          </>
        )}
      </QueryResult>
    </Screen>
  )
}

/** From this many cases on, the API tells rates and typical times. */
const CASES_LEAST = 5

const openIn = (byStatus: Record<string, number>) =>
  (byStatus.pending ?? 0) + (byStatus.in_progress ?? 0) + (byStatus.proof_submitted ?? 0)

function Figures({
  openTasks,
  doneTasks,
  doneSeconds,
}: {
  openTasks: number
  doneTasks: number
  doneSeconds: number | null
}) {
  const me = useQuery(meQuery)
  const spend = useQuery(spendQuery(SPEND_DAYS))
  const waiting = useQuery(waitingQuery)
  const agent = me.data?.agent
  const next = waiting.data?.tasks.map(dueAt).sort()[0]
  return (
    <ul className="grid grid-cols-1 gap-3 min-[30rem]:grid-cols-2 wide:grid-cols-4">
      <Figure name="Available" value={agent && money(agent.balance_cents)}>
        {spend.data && daysLeft(spend.data)}
        {agent !== undefined && agent.free_tasks_remaining > 0
          ? ` ${plural(agent.free_tasks_remaining, 'free task')} left.`
          : null}
      </Figure>
      <Figure name="Locked in escrow" value={agent && money(agent.escrow_cents)}>
        {plural(openTasks, 'open task')}
      </Figure>
      <Figure
        name="Median completion time"
        value={doneSeconds === null ? '–' : span(Math.round(doneSeconds))}
      >
        {doneSeconds !== null
          ? 'From posting to last proof'
          : doneTasks === 0
            ? 'No completed tasks yet'
            : `${plural(doneTasks, 'completed task')} so far. Shown from ${CASES_LEAST} on`}
      </Figure>
      <Figure
        name="Waiting for you"
        value={waiting.data && plural(waiting.data.total, 'task')}
        href="/waiting"
      >
        {next === undefined ? (
          'Nothing to review'
        ) : (
          <>
            Next automatic payment <Ago at={next} />
          </>
        )}
      </Figure>
    </ul>
  )
}

const daysLeft = ({
  days_left,
  pace_cents_per_day,
}: {
  days_left: number | null
  pace_cents_per_day: number
}) =>
  days_left === null
    ? 'No recent spending.'
    : `About ${plural(Math.floor(days_left), 'day')} at ${money(Math.round(pace_cents_per_day))} per day.`

function Figure({
  name,
  value,
  href,
  children,
}: {
  name: string
  value: string | undefined
  href?: string
  children: ReactNode
}) {
  return (
    <li className="flex flex-col gap-1 rounded-card border border-border bg-surface p-4">
      <span className="text-sm text-muted">{name}</span>
      <span className="text-money leading-tight font-semibold">{value ?? '…'}</span>
      <span className="text-sm text-muted">{children}</span>
      {href !== undefined && <TextLink href={href}>Review</TextLink>}
    </li>
  )
}

function FirstTask() {
  const { isTest } = useConsole()
  return (
    <Panel>
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
          path: '/verify',
          body: {
            question: 'Is the bakery at Moorweg 12 open?',
            location: 'Moorweg 12, Wedel',
            proof: 'photo',
            ...(isTest ? { context: { sim: 'happy' } } : {}),
          },
        }}
      >
        {isTest
          ? 'Run this. A scripted worker accepts it after two seconds and sends a photo five seconds later.'
          : 'Run this. People near the place see it right away. Your first three tasks are free.'}
      </EmptyWithCall>
    </Panel>
  )
}

function Life({ byStatus }: { byStatus: Record<string, number> }) {
  const spend = useQuery(spendQuery(SPEND_DAYS))
  const waiting = useQuery(waitingQuery)
  return (
    <>
      <Panel title={`Spending in the last ${SPEND_DAYS} days by task type`}>
        <QueryResult query={spend} rows={1}>
          {({ days }) => <SpendChart days={days} span={SPEND_DAYS} />}
        </QueryResult>
      </Panel>
      <Panel title="Tasks by status">
        <States byStatus={byStatus} />
      </Panel>
      <div className="grid grid-cols-1 items-start gap-4 wide:grid-cols-2">
        <Panel
          title="Waiting for you"
          isFlush
          actions={
            <TextLink href="/waiting">
              {waiting.data && waiting.data.total > ROWS
                ? `All ${count(waiting.data.total)}`
                : 'Review'}
            </TextLink>
          }
        >
          <QueryResult query={waiting} rows={1}>
            {({ tasks }) =>
              tasks.length === 0 ? (
                <p className="flex items-center gap-2 px-4 pb-4 text-muted">
                  <Inbox size={18} aria-hidden />
                  Nothing to review.
                </p>
              ) : (
                <WaitingRows tasks={tasks.slice(0, ROWS)} />
              )
            }
          </QueryResult>
        </Panel>
        <LatestEvents />
      </div>
    </>
  )
}
