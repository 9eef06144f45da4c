import { queryOptions, useQuery } from '@tanstack/react-query'
import {
  ArrowRight,
  Check,
  CircleAlert,
  CircleDashed,
  Hourglass,
  ShieldCheck,
  TriangleAlert,
} from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Link } from 'wouter'
import { type Answer, api } from '../api.ts'
import { QueryResult } from '../query-states.tsx'
import { type Text, useText } from '../text/use-text.tsx'
import { Button, ButtonLink } from '../../shared/ui/button.tsx'
import { Banner, Card, Tag } from '../../shared/ui/card.tsx'
import { Meter } from '../../shared/ui/meter.tsx'
import { Page } from '../../shared/ui/page.tsx'
import { useNow } from '../../shared/use-now.ts'
import { WHEN } from './notice-words.ts'
import { meaningOf } from './trust-words.ts'

type TrustAnswer = Answer<'/worker/trust'>
type Change = TrustAnswer['changes'][number]
type PendingDispute = TrustAnswer['pending'][number]
type Outcome = PendingDispute['if_upheld']

export const trustQuery = queryOptions({
  queryKey: ['trust'],
  queryFn: ({ signal }) => api.get('/worker/trust', { signal }),
  meta: { isKept: true },
})

const ICONS = { good: ShieldCheck, warn: TriangleAlert, bad: CircleAlert }
const CAUSES = [
  'approved',
  'disputed',
  'abandoned',
  'late_proof',
  'dispute_withdrawn',
  'dispute_overturned',
  'dispute_split',
] as const
const NEVER = ['declining', 'handingBack', 'offline', 'otherAnswer'] as const
const CHANGES_SHOWN = 5

/** “How tasks find you”: the trust score, its causes, and what it unlocks. */
export function Trust() {
  const text = useText()
  const trust = useQuery(trustQuery)
  return (
    <Page title={text('trust.title')} back="/me" backLabel={text('nav.me')}>
      <QueryResult query={trust}>
        {(answer) => (
          <>
            <Score answer={answer} />
            <PendingDisputes answer={answer} />
            <NextLevel answer={answer} />
            <Changes changes={answer.changes} />
            <Levels answer={answer} />
            <NeverCounts />
          </>
        )}
      </QueryResult>
    </Page>
  )
}

/** Pending disputes aren't lost yet, so they don't count here. */
function Score({ answer: { standing_score: score, level, levels } }: { answer: TrustAnswer }) {
  const text = useText()
  const { word, tone } = meaningOf(score)
  const Icon = ICONS[tone]
  return (
    <Card>
      <Meter
        label={text('trust.label')}
        value={score}
        valueText={text('trust.of', { score })}
        word={text(`trust.word_${word}`)}
        icon={<Icon size={20} aria-hidden className="shrink-0" />}
        tone={tone}
        marks={levels.map(({ trust }) => trust)}
      />
      <p className="text-sm">{text('trust.what', { level })}</p>
    </Card>
  )
}

function PendingDisputes({ answer: { pending, standing_score } }: { answer: TrustAnswer }) {
  const now = useNow(30_000)
  // After the appeal window the dispute counts; the stored response may be older than that.
  const shown = pending.filter(
    ({ can_appeal_until }) => can_appeal_until === null || Date.parse(can_appeal_until) > now,
  )
  return shown.map((dispute) => (
    <PendingCard key={dispute.dispute_id} dispute={dispute} score={standing_score} />
  ))
}

function PendingCard({
  dispute: { task_id, title, appeal_status, can_appeal_until, if_upheld, if_overturned },
  score,
}: {
  dispute: PendingDispute
  score: number
}) {
  const text = useText()
  const canAppeal = can_appeal_until !== null
  return (
    <Card>
      <div className="flex flex-col items-start gap-1">
        <PendingTag />
        <h2 className="text-title font-bold">{text('trust.pendingTitle')}</h2>
        <p dir="auto" className="line-clamp-2 text-sm text-muted">
          {title}
        </p>
      </div>
      <Banner tone="info" icon={<ShieldCheck size={24} aria-hidden />}>
        {text(canAppeal ? 'trust.safe_canAppeal' : 'trust.safe_underAppeal')}
      </Banner>
      <p className={canAppeal ? 'font-semibold text-warn' : 'font-semibold'}>
        {canAppeal
          ? text('trust.pendingUntil', { when: text.date(can_appeal_until, WHEN) })
          : text(appeal_status === 'answered' ? 'trust.pendingAnswered' : 'trust.pendingOpen')}
      </p>
      <dl className="flex flex-col gap-2 text-sm">
        <Ending name={text('trust.pendingWon')} before={score} outcome={if_overturned} />
        <Ending
          name={text(canAppeal ? 'trust.pendingNotAppealed' : 'trust.pendingLost')}
          before={score}
          outcome={if_upheld}
        />
      </dl>
      <ButtonLink look={canAppeal ? 'primary' : 'secondary'} href={`/inbox/${task_id}`} isWide>
        {text(canAppeal ? 'trust.pendingAppeal' : 'trust.pendingSee')}
      </ButtonLink>
    </Card>
  )
}

function PendingTag() {
  const text = useText()
  return (
    <Tag tone="info" icon={<Hourglass size={16} aria-hidden className="shrink-0" />}>
      {text('trust.pending')}
    </Tag>
  )
}

/** The score before and after the decision. */
function Ending({ name, before, outcome }: { name: string; before: number; outcome: Outcome }) {
  const text = useText()
  const { standing_score: after, level } = outcome
  return (
    <div className="flex flex-wrap items-baseline justify-between gap-x-3">
      <dt>{name}</dt>
      <dd className="font-bold">
        {text(after === before ? 'trust.pendingSame' : 'trust.pendingThen', {
          before,
          after,
          level,
        })}
      </dd>
    </div>
  )
}

/** The requirements for the next level, and which are met. */
function NextLevel({ answer: { level, next_level } }: { answer: TrustAnswer }) {
  const text = useText()
  if (next_level === null)
    return (
      <Card>
        <h2 className="text-title font-bold">{text('trust.top', { level })}</h2>
        <p>{text('trust.topWhat')}</p>
      </Card>
    )
  const { approved_needed, trust_needed, identity_needed } = next_level
  return (
    <Card>
      <h2 className="flex items-center gap-2 text-title font-bold">
        {text('trust.level', { level })}
        <ArrowRight size={18} aria-hidden className="rtl:-scale-x-100" />
        {text('trust.level', { level: next_level.level })}
      </h2>
      <ul className="flex flex-col gap-2">
        <Need isDone={approved_needed === 0}>
          {approved_needed === 0
            ? text('trust.tasksDone')
            : text('trust.tasksNeeded', { count: approved_needed })}
        </Need>
        <Need isDone={trust_needed === 0}>
          {trust_needed === 0
            ? text('trust.pointsDone')
            : text('trust.pointsNeeded', { count: trust_needed })}
        </Need>
        {identity_needed && (
          <Need isDone={false}>
            <Link href="/payout" className="text-brand underline">
              {text('trust.identityNeeded')}
            </Link>
          </Need>
        )}
      </ul>
      <div className="text-sm">
        <h3 className="font-semibold">{text('trust.opens')}</h3>
        <p className="text-muted">{opensOf(next_level.level, text)}</p>
      </div>
    </Card>
  )
}

function Need({ isDone, children }: { isDone: boolean; children: ReactNode }) {
  const Icon = isDone ? Check : CircleDashed
  return (
    <li className="flex items-start gap-2">
      <Icon
        size={20}
        aria-hidden
        className={`mt-0.5 shrink-0 ${isDone ? 'text-brand' : 'text-muted'}`}
      />
      <span>{children}</span>
    </li>
  )
}

function Changes({ changes }: { changes: Change[] }) {
  const text = useText()
  const [isWhole, setIsWhole] = useState(false)
  const shown = isWhole ? changes : changes.slice(0, CHANGES_SHOWN)
  return (
    <Card>
      <h2 className="text-title font-bold">{text('trust.moved')}</h2>
      {changes.length === 0 && <p className="text-muted">{text('trust.movedNothing')}</p>}
      {changes.length > CHANGES_SHOWN && <Totals changes={changes} />}
      <ul>
        {shown.map((change) => (
          <ChangeRow key={`${change.at} ${change.cause} ${change.task_id}`} change={change} />
        ))}
      </ul>
      {changes.length > shown.length && (
        <Button look="secondary" onPress={() => setIsWhole(true)}>
          {text('trust.all', { count: changes.length })}
        </Button>
      )}
    </Card>
  )
}

/** Changes grouped by cause, the largest first. */
function Totals({ changes }: { changes: Change[] }) {
  const text = useText()
  const counted = changes.filter(({ pending }) => !pending)
  const totals = Object.values(Object.groupBy(counted, ({ cause }) => cause))
    .map((same) => ({
      cause: same![0]!.cause,
      count: same!.length,
      points: same!.reduce((sum, { points }) => sum + points, 0),
    }))
    .sort((one, other) => Math.abs(other.points) - Math.abs(one.points))
  return (
    <div className="flex flex-wrap gap-2">
      {totals.map(({ cause, count, points }) => (
        <Tag key={cause} tone={points < 0 ? 'bad' : 'good'}>
          {text('trust.total', {
            points: signed(points, text),
            count,
            cause: text(`trust.causes_${nameOf(cause)}`, { count }),
          })}
        </Tag>
      ))}
    </div>
  )
}

function ChangeRow({ change: { at, cause, task_id, points, pending } }: { change: Change }) {
  const text = useText()
  const name = nameOf(cause)
  const href = `/${cause.startsWith('dispute') ? 'inbox' : 'earnings'}/${task_id}`
  const line = (
    <>
      <span className="flex min-w-0 flex-1 basis-36 flex-col">
        <span>{text(`trust.cause_${name}`)}</span>
        <span className="text-sm text-muted">{text.date(at, { dateStyle: 'medium' })}</span>
      </span>
      {pending ? (
        <PendingTag />
      ) : (
        <span className={`shrink-0 font-bold ${points < 0 ? 'text-danger' : 'text-brand'}`}>
          {signed(points, text)}
        </span>
      )}
    </>
  )
  const look = 'flex min-h-14 flex-wrap items-center justify-between gap-x-3 py-2'
  return (
    <li className="border-b border-border last:border-b-0">
      {task_id === null ? (
        <div className={look}>{line}</div>
      ) : (
        <Link href={href} className={look}>
          {line}
        </Link>
      )}
    </li>
  )
}

const nameOf = (cause: string) => CAUSES.find((one) => one === cause) ?? 'other'

export const signed = (points: number, text: Text) =>
  text.number(points, { signDisplay: 'exceptZero', maximumFractionDigits: 1 })

/** The highest pay per person before a task requires the next level. */
const BUDGETS: Record<number, number> = { 1: 5000, 2: 20_000, 3: 50_000 }

function opensOf(level: number, text: Text): string {
  const cents = BUDGETS[level]
  if (cents !== undefined)
    return text('trust.opensUpTo', { money: text.money(cents, { isShort: true }) })
  return text(level < 5 ? 'trust.opensAny' : 'trust.opensMost')
}

function Levels({ answer: { level: own, levels } }: { answer: TrustAnswer }) {
  const text = useText()
  const all = [{ level: 1, approved: 0, trust: 0, identity: false }, ...levels]
  return (
    <Card>
      <h2 className="text-title font-bold">{text('trust.levels')}</h2>
      <ol className="flex flex-col gap-1">
        {all.map(({ level, approved, trust, identity }) => (
          <li
            key={level}
            aria-current={level === own ? 'true' : undefined}
            className="flex gap-3 rounded-field p-3 aria-[current]:bg-brand-soft aria-[current]:text-on-brand-soft"
          >
            <span className="text-lg font-bold">{level}</span>
            <span className="flex min-w-0 flex-col text-sm">
              <span>
                {level === 1
                  ? text('trust.start')
                  : text(identity ? 'trust.takesIdentity' : 'trust.takes', { approved, trust })}
              </span>
              <span>{opensOf(level, text)}</span>
              {level === own && <strong>{text('trust.here')}</strong>}
            </span>
          </li>
        ))}
      </ol>
    </Card>
  )
}

function NeverCounts() {
  const text = useText()
  return (
    <Card isQuiet>
      <h2 className="text-title font-bold">{text('trust.never')}</h2>
      <ul className="list-disc ps-5">
        {NEVER.map((one) => (
          <li key={one}>{text(`trust.never_${one}`)}</li>
        ))}
      </ul>
    </Card>
  )
}
