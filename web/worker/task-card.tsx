import {
  Camera,
  Clock,
  Globe,
  Languages,
  ListChecks,
  Lock,
  MapPin,
  Mic,
  Sparkles,
  Star,
  Timer,
  Type,
  Users,
  Video,
} from 'lucide-react'
import { Children, type ReactNode, useMemo } from 'react'
import { Link } from 'wouter'
import { TypeTile } from './art/type-icon.tsx'
import { type Excerpt, excerptOf } from './brief/excerpt.ts'
import { localeOf } from './text/figures.ts'
import { type Text, useText } from './text/use-text.tsx'
import { Tag } from '../shared/ui/card.tsx'
import { useNow } from '../shared/use-now.ts'
import { type Card, centsPerHour, isRemote, minutesOf, reasonsOf } from './find/wishes.ts'
import { RiskLine } from './risk-line.tsx'
import { skillIn } from './skills.ts'

/** What is public about a task, before joining. */
export type Outline = Pick<
  Card,
  | 'id'
  | 'type'
  | 'title'
  | 'you_earn_cents'
  | 'est_minutes'
  | 'proof_required'
  | 'distance_km'
  | 'area'
  | 'deadline'
> & { agent: Pick<Card['agent'], 'name'> & Partial<Card['agent']> } & Partial<
    Pick<Card, 'near' | 'slots' | 'match' | 'locked' | 'description' | 'languages' | 'risks'>
  >

const PROOF_ICONS = { photo: Camera, text: Type, video: Video, audio: Mic }
const HURRY_MINUTES = 60
const MINUTE_MS = 60_000
const OPTIONS_SHOWN = 2

/** A task in a list: pay, what it is about, agent, and time needed. The whole card links to the task. */
export function TaskCard({ task, href = `/task/${task.id}` }: { task: Outline; href?: string }) {
  const text = useText()
  const isLocked = task.locked !== undefined
  const reason = firstReason(task)
  const { type, title, description } = task
  const excerpt = useMemo(
    () => (description === undefined ? null : excerptOf({ type, title, description })),
    [type, title, description],
  )
  return (
    <article
      className={
        'relative flex flex-col gap-2 rounded-card p-4 has-[a:focus-visible]:outline-3 outline-focus ' +
        (isLocked ? 'border border-dashed border-control' : 'bg-surface shadow-card')
      }
    >
      <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
        <p className="flex min-w-0 items-center gap-2.5 text-sm text-muted">
          <TypeTile type={task.type} />
          {text(`type.${task.type}`)}
        </p>
        <p className="grow text-end leading-tight">
          <strong className="block text-lg text-brand">{text.money(task.you_earn_cents)}</strong>
          <span className="text-sm text-muted">{text('card.youGet')}</span>
        </p>
      </div>
      <h2 className="text-title leading-snug font-bold" dir="auto">
        <Link href={href} className="after:absolute after:inset-0 after:rounded-card">
          <span className="line-clamp-2">{task.title}</span>
        </Link>
      </h2>
      {excerpt !== null && <ShownExcerpt shown={excerpt.shown} />}
      <AgentLine agent={task.agent} />
      <TaskFacts task={task} excerpt={excerpt} />
      <RiskLine risks={task.risks} />
      {task.locked !== undefined && (
        <p className="flex items-center gap-1.5 text-sm font-medium">
          <Lock size={16} aria-hidden className="shrink-0" />
          {text('find.lockedNext', { level: task.locked.required_level })}
        </p>
      )}
      {task.locked === undefined && reason !== undefined && (
        <p className="flex items-center gap-1.5 text-sm font-medium">
          <Sparkles size={16} aria-hidden className="shrink-0 text-accent" />
          {reasonOf(reason, text)}
        </p>
      )}
    </article>
  )
}

/** The place tag shows the distance already. */
function firstReason(task: Outline) {
  if (task.match === undefined) return undefined
  return reasonsOf({ ...task, match: task.match }).find(({ code }) => code !== 'near')
}

/** At most two lines of what is to be judged, said or done. */
function ShownExcerpt({ shown }: Pick<Excerpt, 'shown'>) {
  if (shown === null) return null
  if (shown.kind === 'options') return <ShownOptions options={shown.options} />
  const isQuote = shown.kind === 'quote'
  return (
    <p dir="auto" className={isQuote ? 'border-s-4 border-border ps-3 text-sm' : 'text-sm'}>
      <span className="line-clamp-2 wrap-anywhere">{shown.text}</span>
    </p>
  )
}

function ShownOptions({ options }: { options: { name: string; value: string }[] }) {
  const text = useText()
  const others = options.length - OPTIONS_SHOWN
  return (
    <ul className="flex flex-col gap-1 text-sm">
      {options.slice(0, OPTIONS_SHOWN).map(({ name, value }, at) => (
        <li key={name} className="flex items-center gap-2">
          <span className="flex size-5 shrink-0 items-center justify-center rounded-full bg-raised text-xs font-semibold">
            {name}
          </span>
          <span dir="auto" className="line-clamp-1 min-w-0 wrap-anywhere">
            {value}
          </span>
          {others > 0 && at === OPTIONS_SHOWN - 1 && (
            <span className="shrink-0 text-muted">{text('card.others', { count: others })}</span>
          )}
        </li>
      ))}
    </ul>
  )
}

/** The agent's name, and how it has treated workers. */
function AgentLine({ agent }: { agent: Outline['agent'] }) {
  const text = useText()
  const { approval_rate: paid, median_review_s: seconds, verdicts = 0 } = agent
  return (
    <p className="text-sm text-muted">
      <bdi>{agent.name}</bdi>
      {typeof paid === 'number' && ` · ${text('card.pays', { share: text.percent(paid) })}`}
      {typeof seconds === 'number' &&
        ` · ${text('card.decidesIn', { time: text.duration(Math.max(1, seconds / 60)) })}`}
      {paid === null &&
        ` · ${verdicts === 0 ? text('card.newAgent') : text('card.verdicts', { count: verdicts })}`}
    </p>
  )
}

/** Place, duration, kind of proof, languages, deadline. */
function TaskFacts({ task, excerpt }: { task: Outline; excerpt: Excerpt | null }) {
  const text = useText()
  const needed = task.slots?.needed ?? 1
  const steps = excerpt?.steps ?? 0
  return (
    <TagList>
      <PlaceTag task={task} />
      <Tag icon={<Timer size={16} aria-hidden className="shrink-0" />}>
        {text('find.effort', {
          time: text.duration(minutesOf(task).whole),
          pay: text('card.perHour', {
            money: text.money(Math.round(centsPerHour(task) / 100) * 100, { isShort: true }),
          }),
        })}
      </Tag>
      <ProofTag proof={task.proof_required} scale={excerpt?.scale ?? null} />
      {steps > 0 && (
        <Tag icon={<ListChecks size={16} aria-hidden className="shrink-0" />}>
          {text('card.steps', { count: steps })}
        </Tag>
      )}
      <LanguagesTag languages={task.languages ?? []} />
      {needed > 1 && (
        <Tag icon={<Users size={16} aria-hidden className="shrink-0" />}>
          {text('card.people', { count: needed })}
        </Tag>
      )}
      <DeadlineTag deadline={task.deadline} />
    </TagList>
  )
}

/** The facts of a task's page that no other part of the page shows. `isAsked`: the page shows what to answer. */
export function PageFacts({
  task,
  scale,
  isAsked,
}: {
  task: Outline
  scale: string | null
  isAsked: boolean
}) {
  return (
    <TagList>
      {isRemote({ near: task.near ?? null, area: task.area }) && <PlaceTag task={task} />}
      {!(isAsked && task.proof_required === 'text') && (
        <ProofTag proof={task.proof_required} scale={scale} />
      )}
      <LanguagesTag languages={task.languages ?? []} />
      <DeadlineTag deadline={task.deadline} />
    </TagList>
  )
}

const TagList = ({ children }: { children: ReactNode }) => (
  <ul className="flex flex-wrap gap-1.5">
    {Children.toArray(children).map((child, at) => (
      <li key={at} className="empty:hidden">
        {child}
      </li>
    ))}
  </ul>
)

/** A number on a scale is a text, too, so the scale replaces it. */
function ProofTag({ proof, scale }: { proof: Card['proof_required']; scale: string | null }) {
  const text = useText()
  const isRating = proof === 'text' && scale !== null
  const Icon = isRating ? Star : PROOF_ICONS[proof]
  return (
    <Tag icon={<Icon size={16} aria-hidden className="shrink-0" />}>
      {isRating ? text('card.scale', { scale: rangeOf(scale) }) : text(`proof.${proof}`)}
    </Tag>
  )
}

/** `1-10` with an en dash; a negative limit keeps its minus. */
const rangeOf = (scale: string) => scale.trim().replace(/(\d)\s*[-–—]\s*/, '$1–')

function LanguagesTag({ languages }: { languages: string[] }) {
  const text = useText()
  if (languages.length === 0) return null
  const names = new Intl.DisplayNames(localeOf(text.language), { type: 'language' })
  return (
    <Tag icon={<Languages size={16} aria-hidden className="shrink-0" />}>
      {languages.map((tag) => names.of(tag) ?? tag).join(', ')}
    </Tag>
  )
}

function DeadlineTag({ deadline }: Pick<Outline, 'deadline'>) {
  const text = useText()
  const now = useNow(MINUTE_MS / 2)
  const left = Math.max(0, (Date.parse(deadline) - now) / MINUTE_MS)
  return (
    <Tag
      icon={<Clock size={16} aria-hidden className="shrink-0" />}
      tone={left < HURRY_MINUTES ? 'warn' : 'plain'}
    >
      {text('card.left', { time: text.duration(left) })}
    </Tag>
  )
}

function PlaceTag({ task }: { task: Outline }) {
  const text = useText()
  if (isRemote({ near: task.near ?? null, area: task.area }))
    return (
      <Tag icon={<Globe size={16} aria-hidden className="shrink-0" />}>{text('card.remote')}</Tag>
    )
  return (
    <Tag icon={<MapPin size={16} aria-hidden className="shrink-0" />}>
      {task.distance_km === null ? (
        <bdi>{task.area ?? text('find.somewhere')}</bdi>
      ) : (
        text.distance(Math.max(0.1, task.distance_km))
      )}
    </Tag>
  )
}

export function reasonOf(because: Card['match']['because'][number], text: Text): string {
  switch (because.code) {
    case 'done_before':
      return text('find.doneBefore', { count: because.count })
    case 'skills':
      return text('find.skills', {
        count: because.skills.length,
        skills: because.skills.map((skill) => skillIn(text, skill)).join(' · '),
      })
    case 'near':
      return text('find.near', { distance: text.distance(because.distance_km) })
    case 'pays_well':
      return text('find.paysWell')
    case 'ends_soon':
      return text('find.endsSoon')
  }
}
