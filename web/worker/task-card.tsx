import {
  Camera,
  Clock,
  Globe,
  Lock,
  MapPin,
  Mic,
  Sparkles,
  Timer,
  Type,
  Users,
  Video,
} from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { TypeTile } from './art/type-icon.tsx'
import { type Text, useText } from './text/use-text.tsx'
import { Tag } from '../shared/ui/card.tsx'
import { useNow } from '../shared/use-now.ts'
import { type Card, centsPerHour, isRemote, minutesOf, reasonsOf } from './find/wishes.ts'
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
    Pick<Card, 'near' | 'slots' | 'match' | 'locked'>
  >

const PROOF_ICONS = { photo: Camera, text: Type, video: Video, audio: Mic }
const HURRY_MINUTES = 60
const MINUTE_MS = 60_000

/** A task in a list: pay, agent, and time needed. The whole card links to the task. */
export function TaskCard({ task, href = `/task/${task.id}` }: { task: Outline; href?: string }) {
  const text = useText()
  const isLocked = task.locked !== undefined
  const [reason] = task.match === undefined ? [] : reasonsOf({ ...task, match: task.match })
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
      <AgentLine agent={task.agent} />
      <TaskFacts task={task} />
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

/** The agent's name, and how it has treated workers. */
function AgentLine({ agent }: { agent: Outline['agent'] }) {
  const text = useText()
  const { approval_rate: paid, median_review_s: seconds } = agent
  return (
    <p className="text-sm text-muted">
      <bdi>{agent.name}</bdi>
      {typeof paid === 'number' && ` · ${text('card.pays', { share: text.percent(paid) })}`}
      {typeof seconds === 'number' &&
        ` · ${text('card.decidesIn', { time: text.duration(Math.max(1, seconds / 60)) })}`}
      {paid === null && ` · ${text('card.newAgent')}`}
    </p>
  )
}

/** Place, duration, kind of proof, deadline. */
export function TaskFacts({ task, children }: { task: Outline; children?: ReactNode }) {
  const text = useText()
  const now = useNow(MINUTE_MS / 2)
  const left = Math.max(0, (Date.parse(task.deadline) - now) / MINUTE_MS)
  const ProofIcon = PROOF_ICONS[task.proof_required]
  const needed = task.slots?.needed ?? 1
  return (
    <ul className="flex flex-wrap gap-1.5">
      <li>
        <PlaceTag task={task} />
      </li>
      <li>
        <Tag icon={<Timer size={16} aria-hidden className="shrink-0" />}>
          {text('find.effort', {
            time: text.duration(minutesOf(task).whole),
            pay: text('card.perHour', {
              money: text.money(Math.round(centsPerHour(task) / 100) * 100, { isShort: true }),
            }),
          })}
        </Tag>
      </li>
      <li>
        <Tag icon={<ProofIcon size={16} aria-hidden className="shrink-0" />}>
          {text(`proof.${task.proof_required}`)}
        </Tag>
      </li>
      {needed > 1 && (
        <li>
          <Tag icon={<Users size={16} aria-hidden className="shrink-0" />}>
            {text('card.people', { count: needed })}
          </Tag>
        </li>
      )}
      <li>
        <Tag
          icon={<Clock size={16} aria-hidden className="shrink-0" />}
          tone={left < HURRY_MINUTES ? 'warn' : 'plain'}
        >
          {text('card.left', { time: text.duration(left) })}
        </Tag>
      </li>
      {children}
    </ul>
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
