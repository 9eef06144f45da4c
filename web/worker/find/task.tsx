import { useQuery, useQueryClient } from '@tanstack/react-query'
import { MapPin, Check, Users } from 'lucide-react'
import type { ReactNode } from 'react'
import { Redirect, useParams, useSearch } from 'wouter'
import { NoTasksArt } from '../art/no-tasks.tsx'
import { TypeTile } from '../art/type-icon.tsx'
import { QueryPlaceholder } from '../query-states.tsx'
import { Refusal } from '../../shared/api/client.ts'
import { useText } from '../text/use-text.tsx'
import { ButtonLink } from '../../shared/ui/button.tsx'
import { Card } from '../../shared/ui/card.tsx'
import { Page } from '../../shared/ui/page.tsx'
import { Empty } from '../../shared/ui/states.tsx'
import { reasonOf, TaskFacts } from '../task-card.tsx'
import { Accept } from './accept.tsx'
import { AgentRecord } from './agent-record.tsx'
import { MoneyBlock } from './money-block.tsx'
import { usePosition } from './position.ts'
import { lastCards, type OpenTask, openTaskQuery } from './queries.ts'
import { type Card as TaskCard, isRemote, reasonsOf } from './wishes.ts'

const OWN = ['accepted', 'submitted']

/** A task before it is accepted, with everything needed to decide. */
export function Task() {
  const { id } = useParams<{ id: string }>()
  return <TaskOf key={id} id={id} />
}

function TaskOf({ id }: { id: string }) {
  const text = useText()
  const { position } = usePosition()
  const client = useQueryClient()
  const query = useQuery(openTaskQuery(id, position))
  const { data, error } = query
  const isGone = error instanceof Refusal && error.status === 404
  // Show the list's data at once, also offline.
  const card = isGone ? undefined : lastCards(client)?.cards.find((one) => one.id === id)
  const task: TaskCard | OpenTask | undefined = data?.task ?? card

  if (data?.assignment && OWN.includes(data.assignment.status))
    return <Redirect to={`/active/${id}`} replace />
  if (task === undefined)
    return (
      <TaskPage title={text('find.task')}>
        {isGone ? <Gone /> : <QueryPlaceholder query={query} />}
      </TaskPage>
    )
  return (
    <TaskPage title={task.title} footer={<Accept task={task} />}>
      <p className="flex items-center gap-3 font-medium">
        <TypeTile type={task.type} />
        {text(`type.${task.type}`)}
      </p>
      <MoneyBlock task={task} />
      <WhatToDo task={task} />
      <Where task={task} />
      {task.slots.needed > 1 && (
        <p className="flex gap-2">
          <Users size={20} aria-hidden className="mt-0.5 shrink-0 text-muted" />
          {text('find.consensus', { count: task.slots.needed })}
        </p>
      )}
      <Why task={task} />
      <AgentRecord agent={task.agent} />
    </TaskPage>
  )
}

function TaskPage(props: { title: string; footer?: ReactNode; children: ReactNode }) {
  const text = useText()
  const isFromMap = new URLSearchParams(useSearch()).get('from') === 'map'
  return (
    <Page
      {...props}
      back={isFromMap ? '/map' : '/'}
      backLabel={text(isFromMap ? 'find.backToMap' : 'find.backToList')}
    />
  )
}

function Gone() {
  const text = useText()
  return (
    <Empty
      picture={<NoTasksArt />}
      title={text('find.goneTitle')}
      actions={<ButtonLink href="/">{text('shell.toFind')}</ButtonLink>}
    >
      {text('problem.taskNotFound')}
    </Empty>
  )
}

function WhatToDo({ task }: { task: TaskCard | OpenTask }) {
  const text = useText()
  const criteria = 'criteria' in task ? task.criteria : null
  return (
    <section className="flex flex-col gap-3">
      <h2 className="text-title font-bold">{text('find.whatToDo')}</h2>
      <p className="whitespace-pre-line" dir="auto">
        {task.description}
      </p>
      {criteria !== null && criteria.length > 0 && (
        <>
          <h3 className="font-semibold">{text('find.criteria')}</h3>
          <ol className="flex flex-col gap-2">
            {criteria.map((one, at) => (
              <li key={one.id} className="flex gap-3">
                <span
                  aria-hidden
                  className="flex size-7 shrink-0 items-center justify-center rounded-full bg-brand-soft text-sm font-semibold text-on-brand-soft"
                >
                  {text.number(at + 1)}
                </span>
                <span dir="auto" className="min-w-0 flex-1 pt-0.5">
                  {one.text}
                </span>
              </li>
            ))}
          </ol>
        </>
      )}
      <TaskFacts task={task} />
      {'scheduled_at' in task && task.scheduled_at !== null && (
        <p>
          {text('find.scheduled', {
            when: text.date(task.scheduled_at),
            window: text.duration(task.window_minutes ?? 60),
          })}
        </p>
      )}
    </section>
  )
}

function Where({ task }: { task: TaskCard }) {
  const text = useText()
  if (isRemote(task)) return null
  return (
    <Card>
      <p className="flex items-start gap-2">
        <MapPin size={20} aria-hidden className="mt-0.5 shrink-0 text-brand" />
        <span className="flex flex-col">
          <span className="font-semibold">
            <bdi>{task.area ?? text('find.somewhere')}</bdi>
            {task.distance_km !== null && ` · ${text.distance(Math.max(0.1, task.distance_km))}`}
          </span>
          <span className="text-sm text-muted">{text('find.exactPlace')}</span>
        </span>
      </p>
    </Card>
  )
}

function Why({ task }: { task: TaskCard }) {
  const text = useText()
  const reasons = reasonsOf(task)
  if (reasons.length === 0) return null
  return (
    <section className="flex flex-col gap-2">
      <h2 className="text-title font-bold">{text('find.why')}</h2>
      <ul className="flex flex-col gap-1">
        {reasons.map((because) => (
          <li key={because.code} className="flex gap-2 text-sm">
            <Check size={18} aria-hidden className="shrink-0 text-brand" />
            {reasonOf(because, text)}
          </li>
        ))}
      </ul>
    </section>
  )
}
