/** The status of a proof: in review, paid, disputed, closed. */
import { Ban, CircleX, Clock, Hourglass, MessageSquareWarning } from 'lucide-react'
import type { ReactNode } from 'react'
import { PaidArt } from '../art/paid.tsx'
import { ProofSentArt } from '../art/proof-sent.tsx'
import { CountUp } from '../moments/count-up.tsx'
import { PaidWeek, ShareButton, usePaidMoment } from '../moments/paid.tsx'
import { type OutboxItem, progressOf } from '../phone/outbox-rules.ts'
import { useText } from '../text/use-text.tsx'
import { ButtonLink } from '../../shared/ui/button.tsx'
import { Card } from '../../shared/ui/card.tsx'
import { Page } from '../../shared/ui/page.tsx'
import { Timeline } from '../../shared/ui/timeline.tsx'
import { useNow } from '../../shared/use-now.ts'
import { titleOf } from './brief-rules.ts'
import { kB } from './check-proof.tsx'
import { pendingState } from './dispute-rules.ts'
import { foundCents } from './proof-rules.ts'
import type { Work } from './queries.ts'

export function Status({ work, item }: { work: Work; item: OutboxItem | undefined }) {
  const text = useText()
  const status = item === undefined ? work.assignment.status : 'submitted'
  return (
    <Page
      title={titleOf(work.task)}
      back="/active"
      backLabel={text('nav.active')}
      footer={
        <ButtonLink look="secondary" href="/" isWide>
          {text('active.next')}
        </ButtonLink>
      }
    >
      {status === 'submitted' && work.assignment.decides_by !== null ? (
        <Held work={work} decidesBy={work.assignment.decides_by} />
      ) : status === 'submitted' ? (
        <Sent work={work} item={item} />
      ) : status === 'approved' ? (
        <Approved work={work} />
      ) : status === 'disputed' ? (
        <Disputed work={work} />
      ) : (
        <Over work={work} />
      )}
    </Page>
  )
}

const SOON = { weekday: 'short', hour: 'numeric', minute: 'numeric' } as const

function Sent({
  work: { task, assignment, agent, proofs },
  item,
}: {
  work: Work
  item: OutboxItem | undefined
}) {
  const text = useText()
  const now = useNow(30_000)
  const sentAt =
    typeof item?.sentAt === 'number' ? new Date(item.sentAt) : (assignment.submitted_at ?? '')
  const bytes =
    item === undefined
      ? (proofs.at(-1)?.files.reduce((sum, file) => sum + file.bytes, 0) ?? 0)
      : progressOf(item).total
  const until = assignment.auto_approve_at
  const cents =
    assignment.outcome === 'not_possible' ? foundCents(assignment) : assignment.pay_cents
  const waitsForOthers = item === undefined && until === null && task.consensus_count > 1
  return (
    <Card>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <ProofSentArt />
        <div className="flex min-w-0 flex-1 basis-32 flex-col gap-1">
          <Heading>
            {text(assignment.reason === 'unsafe' ? 'active.sent.unsafe' : 'active.sent.title')}
          </Heading>
          <p className="text-sm text-muted">{text('moments.sent.next')}</p>
        </div>
      </div>
      <Timeline
        label={text('active.sent.title')}
        steps={[
          {
            id: 'sent',
            state: 'done',
            title: text('active.sent.sent'),
            at:
              bytes > 0
                ? text('active.sent.whenAndSize', { when: text.ago(sentAt, now), size: kB(bytes) })
                : text.ago(sentAt, now),
          },
          {
            id: 'looked at',
            state: 'now',
            title: waitsForOthers
              ? text('active.sent.others')
              : text('active.sent.reviewing', { agent: agent.name }),
            at:
              agent.median_review_s === null
                ? undefined
                : text('active.sent.usually', { time: text.duration(agent.median_review_s / 60) }),
          },
          {
            id: 'paid',
            state: 'next',
            title: text('active.sent.paid', { money: text.money(cents) }),
            at:
              until === null
                ? text('active.sent.automatic')
                : text('active.sent.automaticIn', {
                    time: text.duration(Math.max(0, Date.parse(until) - now) / 60_000),
                    when: text.date(until, SOON),
                  }),
          },
        ]}
      />
    </Card>
  )
}

/** A dispute that waits for Legwork's decision. Auto-approval pays only once that time has passed. */
function Held({
  work: { task, assignment, agent, held_dispute },
  decidesBy,
}: {
  work: Work
  decidesBy: string
}) {
  const text = useText()
  const now = useNow(30_000)
  const isOwn = held_dispute?.status === 'held'
  const pay = { money: text.money(assignment.pay_cents) }
  return (
    <Card>
      <Heading icon={<Hourglass size={28} aria-hidden className="text-warn" />}>
        {text('active.held.title')}
      </Heading>
      <p dir="auto">
        {text(isOwn ? 'active.held.yours' : 'active.held.others', { agent: agent.name })}
      </p>
      <Timeline
        label={text('active.held.title')}
        steps={[
          {
            id: 'sent',
            state: 'done',
            title: text('active.sent.sent'),
            at: text.ago(assignment.submitted_at ?? '', now),
          },
          {
            id: 'decides',
            state: 'now',
            title: text('active.held.decides', { when: text.date(decidesBy, SOON) }),
            at: isOwn ? text('active.held.upheld') : undefined,
          },
          {
            id: 'paid',
            state: 'next',
            title: text(isOwn ? 'active.held.paid' : 'active.held.paidOthers', pay),
          },
        ]}
      />
      {isOwn && (
        <ButtonLink look="secondary" href={`/inbox/${task.id}`} isWide>
          {text('active.held.see')}
        </ButtonLink>
      )}
    </Card>
  )
}

function Heading({ icon, children }: { icon?: ReactNode; children: ReactNode }) {
  return (
    <div role="status">
      <h2 className="flex items-center gap-3 text-lg font-bold">
        {icon}
        {children}
      </h2>
    </div>
  )
}

function Approved({ work: { task, assignment, agent, held_dispute } }: { work: Work }) {
  const text = useText()
  const net = assignment.net_cents ?? assignment.pay_cents
  const isNew = usePaidMoment(task.id, assignment.ended_at)
  return (
    <Card>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <PaidArt />
        <div className="min-w-0 flex-1 basis-32">
          <Heading>{text('active.approved.title')}</Heading>
          <p className="text-money font-bold text-brand">
            <CountUp cents={net} isMoving={isNew} />
          </p>
        </div>
      </div>
      <p dir="auto">
        {text(
          held_dispute !== null && held_dispute.status !== 'held'
            ? `active.approved.${held_dispute.status}`
            : assignment.reason === 'unsafe'
              ? 'active.approved.unsafe'
              : assignment.outcome === 'not_possible'
                ? 'active.approved.found'
                : 'active.approved.body',
          { agent: agent.name },
        )}
      </p>
      {typeof held_dispute?.decision_note === 'string' && (
        <blockquote dir="auto" className="border-s-4 border-border ps-3">
          {held_dispute.decision_note}
        </blockquote>
      )}
      {isNew && <PaidWeek cents={net} at={assignment.ended_at!} />}
      <div className="-ms-[calc(var(--spacing-control)*0.4)] flex flex-wrap gap-x-2">
        <ButtonLink look="quiet" href={`/earnings/${task.id}`}>
          {text('active.approved.receipt')}
        </ButtonLink>
        <ShareButton cents={net} />
      </div>
    </Card>
  )
}

function Disputed({ work: { task, assignment, agent, dispute } }: { work: Work }) {
  const text = useText()
  const reason = dispute?.reason ?? assignment.reason
  const now = useNow(30_000)
  const pending = dispute === null ? null : pendingState(dispute, now)
  const canAppeal = pending === 'canAppeal'
  return (
    <Card>
      <Heading icon={<MessageSquareWarning size={28} aria-hidden className="text-warn" />}>
        {text('active.disputed.title', { money: text.money(assignment.pay_cents) })}
      </Heading>
      <p dir="auto">{text('active.disputed.by', { agent: agent.name })}</p>
      {reason !== null && (
        <blockquote dir="auto" className="border-s-4 border-warn ps-3">
          {reason}
        </blockquote>
      )}
      {canAppeal && (
        <p>{text('active.disputed.until', { when: text.date(dispute!.appeal_until) })}</p>
      )}
      {pending !== null && dispute!.trust_points !== null && (
        <p className="font-semibold">{text(`trust.safe_${pending}`)}</p>
      )}
      <ButtonLink href={`/inbox/${task.id}`} isWide>
        {text(canAppeal ? 'active.disputed.answer' : 'active.disputed.see')}
      </ButtonLink>
    </Card>
  )
}

const ICONS = { released: Ban, expired: Clock, cancelled: CircleX }

function Over({ work: { assignment, agent } }: { work: Work }) {
  const text = useText()
  const { status, net_cents } = assignment
  const Icon = ICONS[status as keyof typeof ICONS] ?? Hourglass
  const name = status === 'expired' || status === 'cancelled' ? status : 'released'
  return (
    <Card>
      <Heading icon={<Icon size={28} aria-hidden className="text-muted" />}>
        {text(`active.${name}.title`)}
      </Heading>
      {net_cents !== null && net_cents > 0 && (
        <p className="text-money font-bold text-brand">{text.money(net_cents)}</p>
      )}
      <p dir="auto">
        {name === 'cancelled' && net_cents !== null && net_cents > 0
          ? text('active.cancelled.paid')
          : text(`active.${name}.body`, { agent: agent.name })}
      </p>
    </Card>
  )
}
