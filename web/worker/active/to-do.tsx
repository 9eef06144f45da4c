import { Camera, MapPin, Mic, Moon, Phone, Repeat, Users, Video } from 'lucide-react'
import { type ReactNode, useMemo } from 'react'
import { Button, ButtonLink } from '../../shared/ui/button.tsx'
import { useNow } from '../../shared/use-now.ts'
import { Banner, Card, Tag } from '../../shared/ui/card.tsx'
import { Page, WayOn } from '../../shared/ui/page.tsx'
import { isBegun } from '../phone/draft.ts'
import type { MediaKind } from '../phone/outbox-rules.ts'
import type { DraftInHand } from '../phone/use-draft.ts'
import { FirstAcceptance } from '../moments/first-acceptance.tsx'
import { type Text, useText } from '../text/use-text.tsx'
import { type Brief, readBrief } from '../brief/read-brief.ts'
import { Script } from '../brief/script.tsx'
import { Blocks, Facts, Letter, PageLink } from '../brief/show-blocks.tsx'
import { StepsToTick } from '../brief/steps.tsx'
import { optionsFor, questionsOf } from './answer-kind.ts'
import {
  isQuiet,
  mapLink,
  numberOf,
  personOf,
  placeOf,
  shownNumber,
  telLink,
  titleOf,
} from './brief-rules.ts'
import { CheckIn } from './check-in.tsx'
import { TimeLeft } from './clock.tsx'
import { AgentSees, ProofForm, useSendProof } from './proof-form.tsx'
import type { Work } from './queries.ts'

const CLOCK = { hour: 'numeric', minute: '2-digit' } as const
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
  const brief = useBrief(work)
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
      <FirstAcceptance work={work} />
      <div className="flex flex-wrap gap-2">
        {/* The button to send a text shows the pay already. */}
        {proof !== 'text' && (
          <Tag tone="good">
            {text('active.youGet', { money: text.money(assignment.pay_cents) })}
          </Tag>
        )}
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
      <Place work={work} />
      {placeOf(task) !== null && <CheckIn taskId={task.id} />}
      <Blocks blocks={brief.blocks} canCall />
      <WhomToTalkTo work={work} script={brief.script} />
      {brief.page !== null && <PageLink page={brief.page} />}
      <Blocks blocks={subjectOf(brief, work)} />
      {brief.details.length > 0 && <Facts facts={brief.details} canCall />}
      <Steps work={work} hand={hand} />
      <Criteria work={work} />
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

export function useBrief({ task }: Work): Brief {
  return useMemo(() => readBrief({ ...task, title: titleOf(task) }), [task])
}

/** Options are shown once: as the choices of the answer, if they are the same. */
export function subjectOf({ subject }: Brief, { task }: Work) {
  const questions = task.proof_required === 'text' ? questionsOf(task.answer_schema) : []
  return subject.filter(
    (block) => block.kind !== 'options' || optionsFor(questions, [block]).length === 0,
  )
}

function Place({ work: { task } }: { work: Work }) {
  const text = useText()
  const place = placeOf(task)
  if (place === null) return null
  return (
    <Card>
      <div className="flex items-start gap-3">
        <MapPin size={20} aria-hidden className="mt-1 shrink-0 text-brand" />
        <div className="flex min-w-0 flex-1 flex-col">
          <span dir="auto" className="text-title font-semibold">
            {place.label === null
              ? text('active.step.goThere')
              : text('active.step.go', { place: place.label })}
          </span>
          {task.location !== null && (
            <a
              href={mapLink(place, navigator.userAgent)}
              target="_blank"
              rel="noreferrer"
              className="-mb-2 inline-flex min-h-11 max-w-full items-center self-start font-semibold text-brand"
            >
              <span className="min-w-0 hyphens-auto wrap-anywhere">{text('active.step.map')}</span>
            </a>
          )}
        </div>
      </div>
    </Card>
  )
}

/** The agent's steps to tick off, or else those that the proof needs. */
export function Steps({ work, hand }: { work: Work; hand: Pick<DraftInHand, 'draft' | 'change'> }) {
  const text = useText()
  const { steps } = useBrief(work)
  if (steps.length > 0)
    return (
      <StepsToTick
        steps={steps}
        ticked={hand.draft.ticked ?? []}
        onChange={(ticked) => hand.change({ ticked })}
      />
    )
  const made = madeSteps(work, text)
  if (made.length === 0) return null
  return (
    <section className="flex flex-col gap-2">
      <h2 className="text-title font-bold">{text('active.steps')}</h2>
      <ol className="divide-y divide-border rounded-card bg-surface shadow-card">
        {made.map((step, at) => (
          <li key={at} className="flex gap-3 px-4 py-3">
            <span aria-hidden>
              <Letter>{text.number(at + 1)}</Letter>
            </span>
            <span dir="auto" className="min-w-0 flex-1 pt-0.5">
              {step}
            </span>
          </li>
        ))}
      </ol>
    </section>
  )
}

function madeSteps({ task }: Work, text: Text): ReactNode[] {
  if (task.proof_required === 'text') return []
  const asked = questionsOf(task.answer_schema).flatMap(({ label }) => label ?? [])
  return [
    text(`active.step.${task.proof_required}`),
    ...asked.map((question) => text('active.step.answer', { question })),
  ]
}

export function Criteria({ work: { task } }: { work: Work }) {
  const text = useText()
  const criteria = task.criteria ?? []
  if (criteria.length === 0) return null
  return (
    <Card isQuiet>
      <h2 className="text-title font-bold">{text('active.criteria')}</h2>
      <Blocks
        blocks={[{ kind: 'list', isOrdered: false, items: criteria.map((one) => one.text) }]}
      />
    </Card>
  )
}

/** Says that it is night where the number is. */
function QuietHours({ hours }: { hours: NonNullable<NonNullable<Work['call']>['hours']> }) {
  const text = useText()
  const now = useNow(30_000)
  if (!isQuiet(hours, now)) return null
  const clock = (at: Date, timeZone: string) => text.date(at, { ...CLOCK, timeZone })
  const atHour = (hour: number) => clock(new Date(Date.UTC(2000, 0, 1, hour)), 'UTC')
  return (
    <Banner tone="warn" icon={<Moon size={20} aria-hidden />}>
      {text('active.call.quiet', {
        time: clock(new Date(now), hours.time_zone),
        from: atHour(hours.from),
        until: atHour(hours.until),
      })}
    </Banner>
  )
}

/** A call or conversation: with whom, and for a call what to say. */
function WhomToTalkTo({
  work: { task, agent, call },
  script,
}: { work: Work } & Pick<Brief, 'script'>) {
  const text = useText()
  const person = personOf(task)
  const isCall = task.type === 'voice_proxy'
  const number = numberOf(task) ?? person?.contact ?? null
  const tel = telLink(number, isCall ? { digitsMin: 2 } : {})
  const isKnown = person !== null && (person.name !== null || number !== null)
  if (!isCall && !isKnown) return null
  return (
    <Card>
      {person !== null && (
        <p className="flex flex-col">
          <span dir="auto" className="text-title font-semibold">
            {person.name}
          </span>
          <span dir="auto" className="text-sm text-muted">
            {person.channel}
          </span>
        </p>
      )}
      {isCall && call?.hours && <QuietHours hours={call.hours} />}
      {tel !== null ? (
        <ButtonLink href={tel} isWide>
          <Phone size={20} aria-hidden />
          {text('active.call.call', { number: shownNumber(task, number!) })}
        </ButtonLink>
      ) : (
        number !== null && (
          <p className="text-lg font-bold" dir="auto">
            {number}
          </p>
        )
      )}
      {tel !== null && <p className="text-sm text-muted">{text('active.call.masked')}</p>}
      {/* Stored work of an earlier version has no opening. */}
      {isCall && <Script agent={agent.name} purpose={call?.purpose ?? null} blocks={script} />}
    </Card>
  )
}
