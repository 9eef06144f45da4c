/** One after another: what was asked, what came back, and a verdict by a key. */
import { useQueries, useQuery } from '@tanstack/react-query'
import { Inbox } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Link } from 'wouter'
import { ButtonLink } from '../../ui/button.tsx'
import { Ago } from '../ago.tsx'
import { Answered } from '../answered.tsx'
import { money, plural } from '../figures.ts'
import { taskQuery, waitingQuery } from '../queries.ts'
import { Panel, Screen } from '../screen.tsx'
import { isTyping } from '../shell.tsx'
import { Teach } from '../teach.tsx'
import { TextLink } from '../text-link.tsx'
import { type Task, titleOf, TYPES } from '../words.ts'
import { appealsQuery } from './appeals.ts'
import { Asked } from './asked.tsx'
import { Decide } from './decide.tsx'
import { Delivered } from './delivered.tsx'
import { dueAt } from './due.ts'
import { Approve, Dispute } from './verdicts.tsx'

export function Waiting() {
  const waiting = useQuery(waitingQuery)
  return (
    <Screen
      title="Waiting for you"
      lead="Proofs that nobody judges are approved and paid by themselves."
    >
      <Appeals />
      <Answered query={waiting}>
        {({ tasks, total }) =>
          total === 0 ? (
            <Panel>
              <Teach
                icon={<Inbox aria-hidden />}
                title="Nothing needs a verdict"
                actions={
                  <ButtonLink look="secondary" href="/tasks">
                    See all tasks
                  </ButtonLink>
                }
                call={{ method: 'POST', path: '/tasks/task_…/approve', body: {} }}
              >
                When a worker sends proof, it stands here. Your agent can judge it as well.
              </Teach>
            </Panel>
          ) : (
            // The one that is paid first is judged first.
            <Desk tasks={tasks.toSorted((a, b) => (dueAt(a) < dueAt(b) ? -1 : 1))} />
          )
        }
      </Answered>
    </Screen>
  )
}

function Desk({ tasks }: { tasks: Task[] }) {
  const [chosen, setChosen] = useState(tasks[0]!.id)
  const [open, setOpen] = useState<'approve' | 'dispute'>()
  const found = tasks.findIndex(({ id }) => id === chosen)
  const at = found === -1 ? 0 : found
  const { id } = tasks[at]!
  const task = useQuery(taskQuery(id))
  const canApprove = task.data !== undefined && task.data.task.consensus?.conflict !== true

  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
      if (event.key === 'j') setChosen(tasks[Math.min(at + 1, tasks.length - 1)]!.id)
      if (event.key === 'k') setChosen(tasks[Math.max(at - 1, 0)]!.id)
      // The key that opens a sheet is not to be typed into it.
      if (event.key === 'a' && canApprove) setOpen('approve')
      else if (event.key === 'd' && task.data !== undefined) setOpen('dispute')
      else return
      event.preventDefault()
    }
    addEventListener('keydown', listen)
    return () => removeEventListener('keydown', listen)
  }, [tasks, at, canApprove, task.data])

  return (
    <div className="grid grid-cols-1 items-start gap-4 wide:grid-cols-[17rem_minmax(0,1fr)]">
      <div className="flex min-w-0 flex-col gap-2">
        <ul className="flex flex-col gap-2" aria-label="Tasks that wait">
          {tasks.map((one) => (
            <li key={one.id}>
              <button
                type="button"
                aria-current={one.id === id ? 'true' : undefined}
                onClick={() => setChosen(one.id)}
                className="flex w-full flex-col gap-0.5 rounded-field border border-border bg-surface p-3 text-start aria-[current]:border-brand aria-[current]:bg-brand-soft"
              >
                <span className="line-clamp-2 font-medium" dir="auto">
                  {titleOf(one)}
                </span>
                <span className="text-sm">
                  {TYPES[one.type]} · {money(one.budget_cents)} · pays <Ago at={dueAt(one)} />
                </span>
              </button>
            </li>
          ))}
        </ul>
        <p className="hidden text-sm text-muted wide:block">
          <Kbd>j</Kbd> <Kbd>k</Kbd> next, before · <Kbd>a</Kbd> approve · <Kbd>d</Kbd> dispute
        </p>
      </div>
      <div className="flex min-w-0 flex-col gap-4" aria-live="polite">
        <Answered query={task}>
          {({ task: shown }) => (
            <>
              <div className="flex flex-wrap items-center justify-between gap-2">
                <h2 className="text-lg font-semibold" dir="auto">
                  {titleOf(shown)}
                </h2>
                <TextLink href={`/tasks/${shown.id}`}>Open the task</TextLink>
              </div>
              <div className="grid grid-cols-1 items-start gap-4 min-[72rem]:grid-cols-2">
                <Asked task={shown} />
                <div className="flex min-w-0 flex-col gap-4">
                  <Delivered task={shown} />
                </div>
              </div>
              <Decide key={shown.id} task={shown} />
              {open === 'approve' && <Approve task={shown} onClose={() => setOpen(undefined)} />}
              {open === 'dispute' && <Dispute task={shown} onClose={() => setOpen(undefined)} />}
            </>
          )}
        </Answered>
      </div>
    </div>
  )
}

function Kbd({ children }: { children: string }) {
  return (
    <kbd className="rounded-field border border-border bg-surface px-1.5 font-mono text-xs">
      {children}
    </kbd>
  )
}

/** Disputes whose worker has appealed and has no answer yet: silence concedes. */
function Appeals() {
  const { data: ids = [] } = useQuery(appealsQuery)
  const tasks = useQueries({ queries: ids.map((id) => taskQuery(id)) })
  const open = tasks.flatMap(({ data }) => {
    const waiting = data?.task.dispute?.appeals.find(
      ({ agent_answer, ruling }) => agent_answer === null && ruling === null,
    )
    return data && waiting && data.task.status === 'disputed'
      ? [{ task: data.task, until: waiting.agent_until }]
      : []
  })
  if (open.length === 0) return null
  return (
    <Panel title={`${plural(open.length, 'appeal')} to answer`}>
      <ul className="flex flex-col gap-2">
        {open.map(({ task, until }) => (
          <li key={task.id} className="flex flex-wrap items-center justify-between gap-2">
            <Link
              href={`/tasks/${task.id}`}
              className="inline-flex min-h-7 items-center font-medium text-brand hover:underline"
            >
              <span dir="auto">{titleOf(task)}</span>
            </Link>
            <span className="text-muted">
              conceded <Ago at={until} />
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  )
}
