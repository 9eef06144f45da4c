import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Hourglass, Scale, ShieldQuestion } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useLocation, useParams } from 'wouter'
import { FairArt } from '../art/fair.tsx'
import { api } from '../api.ts'
import { QueryResult } from '../query-states.tsx'
import { problemOf, type Words } from '../problems.ts'
import { type Text, useText } from '../text/use-text.tsx'
import { Button, ButtonLink } from '../../shared/ui/button.tsx'
import { Banner, Card } from '../../shared/ui/card.tsx'
import { BigChoice } from '../../shared/ui/choice.tsx'
import { Field } from '../../shared/ui/field.tsx'
import { Page } from '../../shared/ui/page.tsx'
import { Empty } from '../../shared/ui/states.tsx'
import { type Step, Timeline } from '../../shared/ui/timeline.tsx'
import { titleOf } from '../active/brief-rules.ts'
import { pendingState } from '../active/dispute-rules.ts'
import { type Work, workQuery } from '../active/queries.ts'
import { WHEN } from './notice-words.ts'
import { signed, trustQuery } from './trust.tsx'

type OwnDispute = NonNullable<Work['dispute']>
interface Disputed {
  own: Work
  dispute: OwnDispute
}

const STATEMENT_MAX = 2000

/** A dispute of the worker's proof: what the agent says, the options with their deadline, and the outcome. */
export function Dispute() {
  const text = useText()
  const { id } = useParams<{ id: string }>()
  const task = useQuery(workQuery(id))
  const { data } = task
  const held = data?.dispute === null ? data.held_dispute : null
  const title =
    data !== undefined && held !== null
      ? text(held.status === 'held' ? 'held.by' : 'held.was', {
          agent: data.agent.name,
          money: text.money(data.assignment.pay_cents),
        })
      : data === undefined || data.dispute === null
        ? text('dispute.title')
        : text(data.dispute.status === 'open' ? 'dispute.by' : 'dispute.was', {
            agent: data.agent.name,
            money: text.money(data.assignment.pay_cents),
          })
  return (
    <Page title={title} back="/inbox" backLabel={text('nav.inbox')}>
      <QueryResult query={task}>
        {(own) =>
          own.dispute !== null ? (
            <Whole own={own} dispute={own.dispute} />
          ) : own.held_dispute !== null ? (
            <Held own={own} held={own.held_dispute} />
          ) : (
            <NoDispute id={id} />
          )
        }
      </QueryResult>
    </Page>
  )
}

function NoDispute({ id }: { id: string }) {
  const text = useText()
  return (
    <Empty
      picture={<FairArt size="w-44 max-w-[50vw]" />}
      title={text('dispute.none')}
      actions={
        <>
          <ButtonLink href={`/earnings/${id}`}>{text('earnings.receipt')}</ButtonLink>
          <ButtonLink look="secondary" href="/inbox">
            {text('nav.inbox')}
          </ButtonLink>
        </>
      }
    >
      {text('dispute.noneWhy')}
    </Empty>
  )
}

type HeldDispute = NonNullable<Work['held_dispute']>

/** A dispute that Legwork decides, or that ended without effect. */
function Held({ own, held }: { own: Work; held: HeldDispute }) {
  return (
    <>
      {held.status === 'held' ? <Undecided held={held} /> : <NoEffect own={own} held={held} />}
      <Said own={own} dispute={held} />
      <Sent own={own} />
    </>
  )
}

function Undecided({ held }: { held: HeldDispute }) {
  const text = useText()
  return (
    <Banner
      tone="warn"
      icon={<Hourglass size={24} aria-hidden />}
      title={text('held.waits', { when: text.date(held.decides_by, WHEN) })}
    >
      <p>{text('held.why')}</p>
      <p>{text('held.ifNobody')}</p>
      <p>{text('held.ifUpheld')}</p>
    </Banner>
  )
}

function NoEffect({ own: { assignment, agent }, held }: { own: Work; held: HeldDispute }) {
  const text = useText()
  if (held.status === 'held') return null
  return (
    <Banner
      tone="good"
      icon={<Scale size={24} aria-hidden />}
      title={text(`held.${held.status}`, { agent: agent.name })}
    >
      {held.decision_note !== null && <blockquote dir="auto">{held.decision_note}</blockquote>}
      <p>
        {assignment.net_cents === null
          ? text('held.reviewed')
          : text('held.paid', { money: text.money(assignment.net_cents) })}
      </p>
    </Banner>
  )
}

function Whole({ own, dispute }: Disputed) {
  const canAppeal = pendingState(dispute, Date.now()) === 'canAppeal'
  return (
    <>
      <Outcome own={own} dispute={dispute} />
      <Said own={own} dispute={dispute} />
      <Sent own={own} />
      {canAppeal && <Choices own={own} dispute={dispute} />}
      <Steps own={own} dispute={dispute} />
      <TrustLine taskId={own.task.id} dispute={dispute} />
      <Rule />
    </>
  )
}

/** The outcome, with the money; nothing while the dispute is open. */
function Outcome({ own: { assignment, agent }, dispute }: Disputed) {
  const text = useText()
  const { status } = dispute
  if (status === 'open') return null
  return (
    <Banner
      tone={status === 'upheld' ? 'warn' : 'good'}
      icon={<Scale size={24} aria-hidden />}
      title={text(`dispute.outcome_${status}`, {
        money: text.money(assignment.net_cents ?? 0),
        agent: agent.name,
      })}
    >
      {/* For a withdrawal, the title says it all. */}
      {status !== 'withdrawn' && typeof dispute.appeal?.ruling_note === 'string' && (
        <blockquote dir="auto">{dispute.appeal.ruling_note}</blockquote>
      )}
    </Banner>
  )
}

function Said({
  own: { task, agent },
  dispute,
}: {
  own: Work
  dispute: Pick<OwnDispute, 'reason' | 'criteria'>
}) {
  const text = useText()
  const unmet = (task.criteria ?? []).filter(({ id }) => dispute.criteria.includes(id))
  return (
    <Card>
      <h2 className="text-title font-bold">{text('dispute.said', { agent: agent.name })}</h2>
      <blockquote dir="auto" className="border-s-4 border-control ps-3 text-title">
        {dispute.reason}
      </blockquote>
      {unmet.length > 0 && (
        <>
          <h3 className="text-sm font-semibold">{text('dispute.unmet')}</h3>
          <ul className="list-disc ps-5 text-sm" dir="auto">
            {unmet.map(({ id, text: words }) => (
              <li key={id}>{words}</li>
            ))}
          </ul>
        </>
      )}
      <h3 className="text-sm font-semibold">{text('dispute.asked')}</h3>
      <p dir="auto" className="text-sm">
        {task.description}
      </p>
    </Card>
  )
}

/** Only the last proof counts. */
function Sent({ own: { proofs, task } }: { own: Work }) {
  const text = useText()
  const proof = proofs.at(-1)
  if (proof === undefined) return null
  const title = titleOf(task)
  return (
    <Card>
      <h2 className="text-title font-bold">{text('dispute.sent')}</h2>
      {proof.text !== null && <p dir="auto">{proof.text}</p>}
      {proof.files.map(({ id, kind, url }) => (
        <Medium key={id} kind={kind} url={url} label={text('dispute.photoOf', { title })} />
      ))}
    </Card>
  )
}

function Medium({ kind, url, label }: { kind: string; url: string; label: string }) {
  const text = useText()
  if (kind === 'photo')
    return (
      <a href={url} target="_blank" rel="noreferrer" aria-label={text('dispute.larger')}>
        <img
          src={url}
          alt={label}
          className="max-h-96 w-full rounded-field bg-raised object-contain"
        />
      </a>
    )
  // The worker's own recording: it has no captions.
  if (kind === 'video')
    return <video src={url} controls aria-label={label} className="w-full rounded-field" />
  return <audio src={url} controls aria-label={label} className="w-full" />
}

/** Let the dispute go, or appeal. */
function Choices({ own, dispute }: Disputed) {
  const text = useText()
  const client = useQueryClient()
  const [, go] = useLocation()
  const [choice, setChoice] = useState<'appeal' | 'noAppeal'>('appeal')
  const [statement, setStatement] = useState('')
  const [key] = useState(() => crypto.randomUUID())
  const { id } = own.task
  const appeal = useMutation({
    mutationFn: () =>
      api.post('/worker/tasks/{id}/appeal', { params: { id }, body: { statement }, key }),
    onSuccess: (answer) =>
      client.setQueryData(workQuery(id).queryKey, { ...own, dispute: answer.dispute }),
  })
  return (
    <Card>
      <h2 className="text-title font-bold">
        {text('dispute.canDo', { when: text.date(dispute.appeal_until, WHEN) })}
      </h2>
      <BigChoice<'appeal' | 'noAppeal'>
        label={text('dispute.choice')}
        value={choice}
        options={[
          { value: 'appeal', label: text('dispute.appeal'), hint: text('dispute.appealHint') },
          {
            value: 'noAppeal',
            label: text('dispute.noAppeal'),
            hint: text('dispute.noAppealHint'),
          },
        ]}
        onChange={setChoice}
      />
      {choice === 'appeal' ? (
        <>
          <Field
            label={text('dispute.statement')}
            hint={text('dispute.statementHint')}
            rows={5}
            maxLength={STATEMENT_MAX}
            value={statement}
            onChange={setStatement}
            problem={appeal.isError ? problemOf(appeal.error, text, PROBLEMS) : undefined}
          />
          <Button
            isWide
            isDisabled={statement.trim() === ''}
            isPending={appeal.isPending}
            onPress={() => appeal.mutate()}
          >
            {text('dispute.send')}
          </Button>
        </>
      ) : (
        <Button isWide look="secondary" onPress={() => go('/inbox')}>
          {text('dispute.backToInbox')}
        </Button>
      )}
    </Card>
  )
}

const PROBLEMS: Words = {
  appeal_used: 'dispute.problem_appeal_used',
  appeal_too_late: 'dispute.problem_appeal_too_late',
  not_disputed: 'dispute.problem_not_disputed',
}

function Steps({ own: { agent }, dispute }: Disputed) {
  const text = useText()
  const { appeal, status, created_at, appeal_until, decision_note } = dispute
  const isOver = status !== 'open'
  const steps: Step[] = [
    {
      id: 'disputed',
      title: text('dispute.stepDisputed', { agent: agent.name }),
      at: text.date(created_at, WHEN),
      state: 'done',
    },
    ...(decision_note === null
      ? []
      : [
          {
            id: 'upheld',
            title: text('held.upheld'),
            state: 'done' as const,
            children: <Quote>{decision_note}</Quote>,
          },
        ]),
    ...(appeal === null
      ? status === 'withdrawn'
        ? []
        : [notAppealed(appeal_until, text)]
      : appealSteps(appeal, { isOver, name: agent.name, text })),
  ]
  return (
    <Card>
      <h2 className="text-title font-bold">{text('dispute.steps')}</h2>
      <Timeline label={text('dispute.steps')} steps={steps} />
    </Card>
  )
}

function notAppealed(until: string, text: Text): Step {
  const isPast = Date.parse(until) <= Date.now()
  return {
    id: 'appeal',
    title: text(isPast ? 'dispute.stepNoAppeal' : 'dispute.stepYourTurn'),
    at: text.date(until, WHEN),
    state: isPast ? 'done' : 'now',
  }
}

function appealSteps(
  appeal: NonNullable<OwnDispute['appeal']>,
  { isOver, name, text }: { isOver: boolean; name: string; text: Text },
): Step[] {
  const hasAnswered = appeal.agent_answer !== null
  return [
    {
      id: 'appealed',
      title: text('dispute.stepAnswered'),
      at: text.date(appeal.created_at, WHEN),
      state: 'done',
      children: <Quote>{appeal.statement}</Quote>,
    },
    {
      id: 'agent',
      title: hasAnswered
        ? text('dispute.stepAgentSaid', { agent: name })
        : isOver
          ? text('dispute.stepAgentSilent', { agent: name })
          : text('dispute.stepAgent', { agent: name }),
      ...(hasAnswered || isOver
        ? {}
        : { at: text('dispute.stepAgentUntil', { when: text.date(appeal.agent_until, WHEN) }) }),
      state: hasAnswered || isOver ? 'done' : 'now',
      ...(hasAnswered ? { children: <Quote>{appeal.agent_answer}</Quote> } : {}),
    },
    {
      id: 'ruled',
      title: text(appeal.ruling === null ? 'dispute.stepPerson' : `dispute.ruled_${appeal.ruling}`),
      ...(appeal.ruled_at === null ? {} : { at: text.date(appeal.ruled_at, WHEN) }),
      state: appeal.ruling !== null ? 'done' : hasAnswered ? 'now' : 'next',
      ...(appeal.ruling_note === null ? {} : { children: <Quote>{appeal.ruling_note}</Quote> }),
    },
  ]
}

const Quote = ({ children }: { children: ReactNode }) => (
  <blockquote dir="auto" className="border-s-4 border-border ps-3 text-sm">
    {children}
  </blockquote>
)

/** The effect on trust, now and if the outcome changes. */
function TrustLine({ taskId, dispute }: { taskId: string; dispute: OwnDispute }) {
  const text = useText()
  const { data } = useQuery({ ...trustQuery, refetchOnMount: 'always' })
  const cost = dispute.trust_points
  if (data === undefined) return null
  if (cost === null || cost === 0)
    return <p className="text-sm text-muted">{text('dispute.trustUntouched')}</p>
  const back = data.changes
    .filter(({ task_id, cause }) => task_id === taskId && cause.startsWith('dispute_'))
    .reduce((sum, change) => sum + change.points, 0)
  const now = data.trust_score
  const state = pendingState(dispute, Date.now())
  const pending = data.pending.find(({ task_id }) => task_id === taskId)
  if (back <= 0 && state !== null && pending !== undefined)
    return (
      <Card>
        <h2 className="text-title font-bold">{text('dispute.trust')}</h2>
        <p>
          {text('dispute.trustPending', {
            now: data.standing_score,
            won: pending.if_overturned.standing_score,
            lost: pending.if_upheld.standing_score,
          })}
        </p>
        <p className="font-semibold">{text(`trust.safe_${state}`)}</p>
      </Card>
    )
  return (
    <Card>
      <h2 className="text-title font-bold">{text('dispute.trust')}</h2>
      <p>{text('dispute.trustCost', { points: signed(cost, text) })}</p>
      <p>
        {back > 0
          ? text('dispute.trustBack', { points: signed(back, text), now })
          : text('dispute.trustStays', { now })}
      </p>
    </Card>
  )
}

function Rule() {
  const text = useText()
  return (
    <Banner
      tone="plain"
      icon={<ShieldQuestion size={20} aria-hidden />}
      title={text('dispute.rule')}
    >
      {text('dispute.ruleWhat')}
    </Banner>
  )
}
