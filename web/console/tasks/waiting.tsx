/** Reviews tasks one after another, with keyboard shortcuts for verdicts. */
import { useQueries, useQuery } from '@tanstack/react-query'
import { Inbox } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { Link } from 'wouter'
import { Button, ButtonLink } from '../../shared/ui/button.tsx'
import { Banner } from '../../shared/ui/card.tsx'
import { Kbd } from '../../shared/ui/kbd.tsx'
import { Ago } from '../../shared/desk/ago.tsx'
import { QueryResult } from '../../shared/desk/query-states.tsx'
import { money, plural } from '../../shared/desk/figures.ts'
import { useHasScope } from '../scopes.tsx'
import { type TaskDetail, taskQuery, waitingQuery } from '../queries.ts'
import { Panel, Screen } from '../../shared/desk/screen.tsx'
import { isTyping } from '../../shared/desk/is-typing.ts'
import { EmptyWithCall } from '../empty-with-call.tsx'
import { TextLink } from '../../shared/desk/text-link.tsx'
import { type Task, titleOf, TYPES } from '../words.ts'
import { appealsQuery } from './appeals.ts'
import { dueAt, unanswered } from './due.ts'
import { Review } from './review.tsx'
import { Approve, Dispute } from './verdicts.tsx'

export function Waiting() {
  const waiting = useQuery(waitingQuery)
  return (
    <Screen
      title="Waiting for you"
      lead="Proofs you don’t review are approved and paid automatically."
    >
      <Appeals />
      <QueryResult query={waiting}>
        {({ tasks }) => (
          // Review first what is auto-approved first.
          <Desk tasks={tasks.toSorted((a, b) => (dueAt(a) < dueAt(b) ? -1 : 1))} />
        )}
      </QueryResult>
    </Screen>
  )
}

/**
 * The shown task stays until the person moves on, even if it has left the list meanwhile: a button or an open sheet
 * must never switch to another task.
 */
function Desk({ tasks }: { tasks: Task[] }) {
  const list = useRef<HTMLUListElement>(null)
  const [chosen, setChosen] = useState<{ id: string; at: number }>()
  // Select the first task as soon as there is one.
  if (chosen === undefined && tasks[0] !== undefined) setChosen({ id: tasks[0].id, at: 0 })
  if (chosen === undefined) return <Nothing />
  const found = tasks.findIndex(({ id }) => id === chosen.id)
  // If the selected task has left the list, the next one has moved up to its index.
  const [before, after] = found === -1 ? [chosen.at - 1, chosen.at] : [found - 1, found + 1]
  const choose = (at: number) => {
    const within = Math.min(Math.max(at, 0), tasks.length - 1)
    const task = tasks[within]
    if (task !== undefined) setChosen({ id: task.id, at: within })
  }
  return (
    <div className="grid grid-cols-1 items-start gap-4 wide:grid-cols-[17rem_minmax(0,1fr)]">
      <div className="flex min-w-0 flex-col gap-2">
        <ul ref={list} className="flex flex-col gap-2" aria-label="Tasks waiting for you">
          {tasks.map((one, at) => (
            <li key={one.id}>
              <Link href={`/tasks/${one.id}`} className={`flex wide:hidden ${CARD}`}>
                <CardWords task={one} />
              </Link>
              <button
                type="button"
                aria-current={one.id === chosen.id ? 'true' : undefined}
                onClick={() => choose(at)}
                className={`hidden wide:flex ${CARD}`}
              >
                <CardWords task={one} />
              </button>
            </li>
          ))}
        </ul>
        {tasks.length === 0 && <p className="text-muted">Nothing else to review.</p>}
        <p className="hidden flex-wrap gap-x-3 gap-y-1 text-sm text-muted wide:flex">
          {KEYS.map(([key, does]) => (
            <span key={key} className="whitespace-nowrap">
              <Kbd>{key}</Kbd> {does}
            </span>
          ))}
        </p>
      </div>
      <OnDesk
        key={chosen.id}
        id={chosen.id}
        onNext={tasks.length === 0 ? undefined : () => choose(after)}
        onBefore={() => choose(before)}
        onOpen={() => list.current?.querySelector<HTMLElement>('[aria-current]')?.focus()}
      />
    </div>
  )
}

const KEYS = [
  ['j', 'next'],
  ['k', 'previous'],
  ['a', 'approve'],
  ['d', 'dispute'],
] as const

const CARD =
  'w-full flex-col gap-0.5 rounded-field border border-border bg-surface p-3 text-start aria-[current]:border-brand aria-[current]:bg-brand-soft'

function CardWords({ task }: { task: Task }) {
  return (
    <>
      <span className="line-clamp-2 font-medium" dir="auto">
        {titleOf(task)}
      </span>
      <span className="text-sm">
        {TYPES[task.type]} · {money(task.budget_cents)} · paid <Ago at={dueAt(task)} />
      </span>
    </>
  )
}

/** On a phone there is only the list; each task opens on its own screen. */
function OnDesk({
  id,
  onNext,
  onBefore,
  onOpen,
}: {
  id: string
  onNext: (() => void) | undefined
  onBefore(): void
  /** Moves the focus to where it should return when the sheet closes. */
  onOpen(): void
}) {
  const [open, setOpen] = useState<'approve' | 'dispute'>()
  const task = useQuery(taskQuery(id))
  const isWaiting = task.data?.task.status === 'proof_submitted'
  const canJudge = useHasScope('review') && isWaiting && task.data?.task.decides_by === null
  const canApprove = canJudge && task.data?.task.consensus?.conflict !== true

  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
      if (open !== undefined) return
      if (event.key === 'j') onNext?.()
      if (event.key === 'k') onBefore()
      // Also keeps the shortcut's letter from being typed into the sheet that it opens.
      if (!((event.key === 'a' && canApprove) || (event.key === 'd' && canJudge))) return
      event.preventDefault()
      onOpen()
      setOpen(event.key === 'a' ? 'approve' : 'dispute')
    }
    addEventListener('keydown', listen)
    return () => removeEventListener('keydown', listen)
  }, [onNext, onBefore, onOpen, open, canApprove, canJudge])

  return (
    <div className="hidden min-w-0 flex-col gap-4 wide:flex" aria-live="polite">
      <QueryResult query={task}>
        {({ task: shown }) => (
          <>
            {(shown.status !== 'proof_submitted' || shown.decides_by !== null) && (
              <Judged task={shown} onNext={onNext} />
            )}
            <div className="flex flex-wrap items-center justify-between gap-2">
              <h2 className="text-lg font-semibold" dir="auto">
                {titleOf(shown)}
              </h2>
              <TextLink href={`/tasks/${shown.id}`}>Open task</TextLink>
            </div>
            <Review task={shown} />
            {canApprove && open === 'approve' && (
              <Approve task={shown} onClose={() => setOpen(undefined)} />
            )}
            {canJudge && open === 'dispute' && (
              <Dispute task={shown} onClose={() => setOpen(undefined)} />
            )}
          </>
        )}
      </QueryResult>
    </div>
  )
}

function Judged({ task, onNext }: { task: TaskDetail; onNext: (() => void) | undefined }) {
  return (
    <Banner
      tone="good"
      title={judgedSays(task)}
      action={
        onNext !== undefined && (
          <div>
            <Button look="secondary" onPress={onNext}>
              Next
            </Button>
          </div>
        )
      }
    >
      {onNext === undefined
        ? 'This was the last one.'
        : 'It stays here until you go to the next one.'}
    </Banner>
  )
}

function judgedSays({ status, settlement, dispute, decides_by }: TaskDetail): string {
  if (decides_by !== null) return 'Your dispute is on hold. An operator decides first.'
  if (status === 'completed') return `Approved. ${money(settlement?.gross_cents ?? 0)} paid.`
  if (status === 'disputed') return `Disputed. ${money(dispute?.refunded_cents ?? 0)} refunded.`
  if (status === 'in_progress') return 'Sent back to the worker.'
  return 'It no longer needs your review.'
}

function Nothing() {
  return (
    <Panel>
      <EmptyWithCall
        icon={<Inbox aria-hidden />}
        title="Nothing to review"
        actions={
          <ButtonLink look="secondary" href="/tasks">
            View all tasks
          </ButtonLink>
        }
        call={{ method: 'POST', path: '/tasks/$TASK_ID/approve', body: {} }}
      >
        When a worker sends proof, it appears here. Your agent can also review it through the API.
      </EmptyWithCall>
    </Panel>
  )
}

/** Disputes with an appeal that has no reply yet: not replying concedes it. */
function Appeals() {
  const { data: ids = [] } = useQuery(appealsQuery)
  const tasks = useQueries({ queries: ids.map((id) => taskQuery(id)) })
  const open = tasks.flatMap(({ data }) => {
    const waiting = unanswered(data?.task.dispute)
    return data && waiting && data.task.status === 'disputed'
      ? [{ task: data.task, until: waiting.agent_until }]
      : []
  })
  if (open.length === 0) return null
  return (
    <Panel title={`${plural(open.length, 'appeal')} to reply to`}>
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
              Reply before the deadline <Ago at={until} />
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  )
}
