import { Camera, MapPin, Mic, Phone, Repeat, Users, Video } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button, ButtonLink } from '../../shared/ui/button.tsx'
import { Banner, Card, Tag } from '../../shared/ui/card.tsx'
import { Page, WayOn } from '../../shared/ui/page.tsx'
import { isBegun } from '../phone/draft.ts'
import type { MediaKind } from '../phone/outbox-rules.ts'
import type { DraftInHand } from '../phone/use-draft.ts'
import { type Text, useText } from '../text/use-text.tsx'
import { questionsOf } from './answer-kind.ts'
import {
  callOf,
  mapLink,
  pageOf,
  personOf,
  placeOf,
  readDescription,
  telLink,
  titleOf,
} from './brief-rules.ts'
import { TimeLeft } from './clock.tsx'
import { AgentSees, ProofForm, useSendProof } from './proof-form.tsx'
import type { Work } from './queries.ts'

const ICONS = { photo: Camera, video: Video, audio: Mic }

/** The instructions, step by step, and the next action at the bottom. */
export function ToDo({
  work,
  hand,
  hasLocation,
  onCamera,
  onCheck,
  onSend,
}: {
  work: Work
  hand: DraftInHand
  /** Whether a location is sent with the proof. */
  hasLocation: boolean
  onCamera(kind: MediaKind): void
  onCheck(): void
  onSend(): Promise<void>
}) {
  const text = useText()
  const { task, assignment, agent } = work
  const { draft } = hand
  const proof = task.proof_required
  const sending = useSendProof(work, draft, onSend)
  const Icon = proof === 'text' ? undefined : ICONS[proof]
  return (
    <Page
      title={titleOf(task)}
      back="/active"
      backLabel={text('active.inProgress')}
      actions={<TimeLeft until={assignment.expires_at} />}
      footer={
        <WayOn beside={<ProblemLink taskId={task.id} />}>
          {proof === 'text' ? (
            <Button isWide isPending={sending.isSending} onPress={sending.send}>
              {text('active.sendAnswer', { money: text.money(assignment.pay_cents) })}
            </Button>
          ) : isBegun(draft) ? (
            <Button isWide onPress={onCheck}>
              {text('active.continue')}
            </Button>
          ) : (
            <Button isWide onPress={() => onCamera(proof)}>
              {Icon && <Icon size={20} aria-hidden />}
              {text(OPEN[proof])}
            </Button>
          )}
        </WayOn>
      }
    >
      <div className="flex flex-wrap gap-2">
        <Tag tone="good">{text('active.youGet', { money: text.money(assignment.pay_cents) })}</Tag>
        <Tag>
          <span dir="auto">{agent.name}</span>
        </Tag>
      </div>
      {assignment.revision_note !== null && (
        <Banner
          tone="warn"
          icon={<Repeat size={20} aria-hidden />}
          title={text('active.revision.title')}
        >
          <p dir="auto">{assignment.revision_note}</p>
          <p>{text('active.revision.body')}</p>
        </Banner>
      )}
      <WhatToSay work={work} />
      <Steps work={work} />
      {task.consensus_count > 1 && (
        <Banner icon={<Users size={20} aria-hidden />}>
          {text('active.consensus', { count: task.consensus_count })}
        </Banner>
      )}
      {proof === 'text' && (
        <>
          <ProofForm work={work} hand={hand} isTold={sending.isTold} />
          <AgentSees hasLocation={hasLocation} />
        </>
      )}
    </Page>
  )
}

/** In the same position on every screen of an active task. */
export function ProblemLink({ taskId }: { taskId: string }) {
  const text = useText()
  return (
    <ButtonLink look="secondary" href={`/active/${taskId}/problem`}>
      {text('active.problem')}
    </ButtonLink>
  )
}

const OPEN = {
  photo: 'active.openCamera',
  video: 'active.openVideo',
  audio: 'active.openAudio',
} as const

/** Where to go, what to do there, and what to deliver, in that order. */
function Steps({ work }: { work: Work }) {
  const text = useText()
  const steps = stepsOf(work, text)
  const { paragraphs } = readDescription(work.task)
  return (
    <>
      {paragraphs.length > 0 && (
        <div dir="auto" className="flex flex-col gap-2">
          {paragraphs.map((paragraph, at) => (
            <p key={at}>{paragraph}</p>
          ))}
        </div>
      )}
      {steps.length > 0 && (
        <ol className="flex flex-col gap-2" aria-label={text('active.steps')}>
          {steps.map((step, at) => (
            <li key={at} className="flex gap-3 rounded-card bg-surface p-4 shadow-card">
              <span
                aria-hidden
                className="flex size-7 shrink-0 items-center justify-center rounded-full bg-brand-soft text-sm font-semibold text-on-brand-soft"
              >
                {text.number(at + 1)}
              </span>
              <div className="flex min-w-0 flex-1 flex-col gap-1">{step}</div>
            </li>
          ))}
        </ol>
      )}
      {(work.task.criteria?.length ?? 0) > 0 && (
        <Card isQuiet>
          <h2 className="text-title font-bold">{text('active.criteria')}</h2>
          <ul className="list-disc ps-5" dir="auto">
            {work.task.criteria?.map((criterion) => (
              <li key={criterion.id}>{criterion.text}</li>
            ))}
          </ul>
        </Card>
      )}
    </>
  )
}

function stepsOf({ task }: Work, text: Text): ReactNode[] {
  const place = placeOf(task)
  const page = pageOf(task)
  const listedSteps = readDescription(task).steps
  const asked = questionsOf(task.answer_schema).flatMap(({ label }) => label ?? [])
  // Default steps, if the agent wrote no list.
  const made =
    task.proof_required === 'text'
      ? []
      : [
          text(`active.step.${task.proof_required}`),
          ...asked.map((question) => (
            <span dir="auto">{text('active.step.answer', { question })}</span>
          )),
        ]
  return [
    ...(place === null
      ? []
      : [
          <>
            <span dir="auto">
              {place.label === null
                ? text('active.step.goThere')
                : text('active.step.go', { place: place.label })}
            </span>
            {task.location !== null && (
              <a
                href={mapLink(place, navigator.userAgent)}
                target="_blank"
                rel="noreferrer"
                className="inline-flex min-h-11 max-w-full items-center gap-1 self-start font-semibold text-brand"
              >
                <MapPin size={18} aria-hidden />
                <span className="min-w-0 hyphens-auto wrap-anywhere">
                  {text('active.step.map')}
                </span>
              </a>
            )}
          </>,
        ]),
    ...(page === null
      ? []
      : [
          <a
            href={page}
            target="_blank"
            rel="noreferrer"
            dir="ltr"
            className="inline-flex min-h-11 min-w-0 items-center break-all font-semibold text-brand"
          >
            {page}
          </a>,
        ]),
    ...(listedSteps.length > 0 ? listedSteps.map((step) => <span dir="auto">{step}</span>) : made),
  ]
}

/** A call or conversation: with whom, what to say in large type, and what must be said first. */
function WhatToSay({ work: { task } }: { work: Work }) {
  const text = useText()
  const call = callOf(task)
  const person = personOf(task)
  if (call === null && person === null) return null
  const number = call?.number ?? person?.contact ?? null
  const tel = telLink(number, call === null ? {} : { digitsMin: 2 })
  return (
    <Card>
      {person !== null && (
        <p className="text-muted" dir="auto">
          {[person.name, person.channel, person.tone].filter(Boolean).join(' · ')}
        </p>
      )}
      {tel !== null ? (
        <ButtonLink href={tel} isWide>
          <Phone size={20} aria-hidden />
          {text('active.call.call', { number: number! })}
        </ButtonLink>
      ) : (
        number !== null && (
          <p className="text-lg font-bold" dir="auto">
            {number}
          </p>
        )
      )}
      {call !== null && (
        <p className="rounded-field bg-info-soft p-3 text-info">{text('active.call.consent')}</p>
      )}
      {call !== null && call.script !== null && (
        <blockquote dir="auto" className="border-s-4 border-brand ps-3 text-lg font-semibold">
          {call.script}
        </blockquote>
      )}
      {tel !== null && <p className="text-sm text-muted">{text('active.call.masked')}</p>}
    </Card>
  )
}
