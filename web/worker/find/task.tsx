import { useQuery, useQueryClient } from '@tanstack/react-query'
import { MapPin, Check, Users } from 'lucide-react'
import { type ReactNode, useMemo } from 'react'
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
import { optionsFor, questionsOf } from '../active/answer-kind.ts'
import { readBrief } from '../brief/read-brief.ts'
import { Blocks, PageLink } from '../brief/show-blocks.tsx'
import { Steps } from '../brief/steps.tsx'
import { RiskLine } from '../risk-line.tsx'
import { PageFacts, reasonOf } from '../task-card.tsx'
import { AnswerKinds } from './answer-kinds.tsx'
import { Accept } from './accept.tsx'
import { AgentRecord } from './agent-record.tsx'
import { MoneyBlock } from './money-block.tsx'
import { usePosition } from './position.ts'
import { lastCards, type OpenTask, openTaskQuery } from './queries.ts'
import { Route } from './route.tsx'
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
  const { type, title, description } = task
  const brief = useMemo(() => readBrief({ type, title, description }), [type, title, description])
  const criteria = ('criteria' in task ? task.criteria : null) ?? []
  const questions = 'answer_schema' in task ? questionsOf(task.answer_schema) : []
  // Options that are the choices of the answer are shown once.
  const isTyped = questions.length > 0 && optionsFor(questions, brief.subject).length === 0
  return (
    <section className="flex flex-col gap-3">
      <h2 className="text-title font-bold">{text('find.whatToDo')}</h2>
      <PageFacts task={task} scale={brief.scale} isAsked={questions.length > 0} />
      {'scheduled_at' in task && task.scheduled_at !== null && (
        <p>
          {text('find.scheduled', {
            when: text.date(task.scheduled_at),
            window: text.duration(task.window_minutes ?? 60),
          })}
        </p>
      )}
      <Blocks blocks={brief.blocks} />
      {brief.page !== null && <PageLink page={brief.page} />}
      {brief.subject.length > 0 && (
        <Part title={text('brief.subject')}>
          <Blocks blocks={brief.subject} />
        </Part>
      )}
      {brief.script.length > 0 && (
        <Part title={text('brief.script')}>
          <div className="border-s-4 border-brand ps-3">
            <Blocks blocks={brief.script} isScript />
          </div>
        </Part>
      )}
      {brief.steps.length > 0 && (
        <Part title={text('brief.steps')}>
          <Steps steps={brief.steps} />
        </Part>
      )}
      {isTyped && (
        <Part title={text('active.answer.label')}>
          <AnswerKinds questions={questions} />
        </Part>
      )}
      {criteria.length > 0 && (
        <Part title={text('find.criteria')}>
          <Blocks
            blocks={[{ kind: 'list', isOrdered: false, items: criteria.map((one) => one.text) }]}
          />
        </Part>
      )}
    </section>
  )
}

const Part = ({ title, children }: { title: string; children: ReactNode }) => (
  <div className="flex flex-col gap-2">
    <h3 className="font-semibold">{title}</h3>
    {children}
  </div>
)

function Where({ task }: { task: TaskCard }) {
  const text = useText()
  const isRisky = (task.risks ?? []).length > 0
  if (isRemote(task)) {
    if (!isRisky) return null
    return (
      <Card>
        <RiskLine risks={task.risks} />
      </Card>
    )
  }
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
      {isRisky && (
        <div className="flex flex-col gap-1">
          <RiskLine risks={task.risks} />
          <p className="text-sm text-muted">{text('find.riskNote')}</p>
        </div>
      )}
      <Route task={task} />
    </Card>
  )
}

function Why({ task }: { task: TaskCard }) {
  const text = useText()
  // The place shows the distance already.
  const reasons = reasonsOf(task).filter(({ code }) => code !== 'near')
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
