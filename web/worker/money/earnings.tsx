import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { ChevronRight, Download, Landmark, Scale } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Link, useSearchParams } from 'wouter'
import { NoEarningsArt } from '../art/no-earnings.tsx'
import { QueryResult } from '../query-states.tsx'
import { LoadMore } from '../load-more.tsx'
import { earningsQuery, type Period } from '../queries.ts'
import { type Text, useText } from '../text/use-text.tsx'
import { ButtonLink, IconButton } from '../../shared/ui/button.tsx'
import { Card } from '../../shared/ui/card.tsx'
import { type Bar, Bars } from '../../shared/ui/chart.tsx'
import { Segmented } from '../../shared/ui/choice.tsx'
import { Page } from '../../shared/ui/page.tsx'
import { Empty } from '../../shared/ui/states.tsx'
import { titleOf } from '../active/brief-rules.ts'
import { COMMISSION_SHARE } from '../../shared/commission.ts'
import { inReviewCents, nextStep, yoursFirst } from './disputed.ts'
import { EarnedRow } from './earned-item.tsx'
import { PayoutRow, reasonOf } from './payout-row.tsx'
import { nextPayoutWords } from './next-payout.ts'
import {
  type Earnings as EarningsAnswer,
  inReviewQuery,
  itemsQuery,
  payoutAccountQuery,
  payoutsQuery,
} from './queries.ts'
import { StatementSheet } from './statement-sheet.tsx'

const PERIODS = ['day', 'week', 'month', 'year'] as const
/** One dollar: labels of finer steps would be rounded to the same text. */
const STEP_LEAST = 100

export function Earnings() {
  const text = useText()
  const [search, setSearch] = useSearchParams()
  const period = PERIODS.find((one) => one === search.get('period')) ?? 'week'
  const [isSheetOpen, setIsSheetOpen] = useState(false)
  const earnings = useQuery(earningsQuery(period))

  return (
    <Page
      title={text('nav.earnings')}
      actions={
        <IconButton label={text('statement.title')} onPress={() => setIsSheetOpen(true)}>
          <Download aria-hidden />
        </IconButton>
      }
    >
      <Segmented
        label={text('earnings.period')}
        value={period}
        options={PERIODS.map((value) => ({ value, label: text(`earnings.${value}`) }))}
        onChange={(value) => setSearch({ period: value }, { replace: true })}
      />
      <QueryResult query={earnings}>
        {(answer) => (
          <>
            <Earned period={period} earnings={answer} />
            <Balances earnings={answer} />
            <InReview earnings={answer} />
            <Items from={answer.from} to={answer.to} />
            <Payouts />
          </>
        )}
      </QueryResult>
      <StatementSheet isOpen={isSheetOpen} onClose={() => setIsSheetOpen(false)} />
    </Page>
  )
}

function Earned({ period, earnings }: { period: Period; earnings: EarningsAnswer }) {
  const text = useText()
  const { net_cents, tasks, worked_minutes, effective_hourly_cents, series } = earnings
  const isEmpty = net_cents === 0 && series.every(({ pending_cents }) => pending_cents === 0)
  if (isEmpty) return <NothingYet period={period} />
  return (
    <Card>
      <div className="flex flex-col gap-1">
        <h2 className="text-sm text-muted">
          {text(`earnings.of_${period}`, { share: text.percent(COMMISSION_SHARE) })}
        </h2>
        <p className="text-money leading-tight font-bold">{text.money(net_cents)}</p>
        <p className="flex flex-wrap gap-x-2 text-sm text-muted">
          <span>{text('earnings.tasks', { count: tasks })}</span>
          {worked_minutes > 0 && (
            <span>{text('earnings.worked', { time: text.duration(worked_minutes) })}</span>
          )}
          {worked_minutes > 0 && effective_hourly_cents !== null && (
            <strong className="text-text">
              {text('card.perHour', { money: text.money(effective_hourly_cents) })}
            </strong>
          )}
        </p>
      </div>
      <Bars
        caption={text('earnings.chart')}
        nameLabel={text('earnings.chartWhen')}
        solidLabel={text('earnings.approved')}
        hatchedLabel={text('earnings.inReview')}
        bars={barsOf(earnings, period, text)}
        least={STEP_LEAST}
        write={(cents) => text.money(cents)}
        writeShort={(cents) => text.money(cents, { isShort: true })}
      />
    </Card>
  )
}

const SHORT: Record<Period, Intl.DateTimeFormatOptions> = {
  day: { hour: 'numeric' },
  week: { weekday: 'short' },
  month: { day: 'numeric' },
  year: { month: 'short' },
}
const WHOLE: Record<Period, Intl.DateTimeFormatOptions> = {
  day: { hour: 'numeric', minute: '2-digit' },
  week: { weekday: 'long', day: 'numeric', month: 'long' },
  month: { weekday: 'long', day: 'numeric', month: 'long' },
  year: { month: 'long', year: 'numeric' },
}

const barsOf = ({ series }: EarningsAnswer, period: Period, text: Text): Bar[] =>
  series.map(({ start, net_cents, pending_cents }) => ({
    label: text.date(start, SHORT[period]),
    name: text.date(start, WHOLE[period]),
    solid: net_cents,
    hatched: pending_cents,
  }))

function NothingYet({ period }: { period: Period }) {
  const text = useText()
  return (
    <Card>
      <Empty
        picture={<NoEarningsArt />}
        title={text(`earnings.nothing_${period}`)}
        actions={
          <>
            <ButtonLink href="/">{text('earnings.find')}</ButtonLink>
            {period === 'year' ? (
              <ButtonLink look="secondary" href="/active">
                {text('earnings.toActive')}
              </ButtonLink>
            ) : (
              <ButtonLink look="secondary" href="/earnings?period=year">
                {text('earnings.toYear')}
              </ButtonLink>
            )}
          </>
        }
      >
        {text('earnings.nothingWhy')}
      </Empty>
    </Card>
  )
}

/** Where the money is. Empty balances are hidden, except the available one. */
function Balances({ earnings }: { earnings: EarningsAnswer }) {
  const text = useText()
  const { available_cents, held_cents, in_transit_cents } = earnings
  const reviewed = inReviewCents(earnings)
  const account = useQuery(payoutAccountQuery)
  const payouts = useInfiniteQuery(payoutsQuery)
  const held = (payouts.data?.pages ?? [])
    .flatMap((page) => page.payouts)
    .filter(({ status }) => status === 'held')
  const reasons = [...new Set(held.map((payout) => reasonOf(payout, text)))]
  const isConnected = account.data?.transfers_enabled ?? false
  const waiting = available_cents + held_cents
  const waitingWords = isConnected
    ? text('earnings.toPayout')
    : waiting > 0
      ? text('earnings.connect', { money: text.money(waiting) })
      : text('payout.connect')
  return (
    <section className="flex flex-col gap-3">
      <h2 className="sr-only">{text('earnings.balances')}</h2>
      <dl className="grid grid-cols-[repeat(auto-fit,minmax(min(8rem,100%),1fr))] gap-3">
        <Balance name={text('earnings.ready')} cents={available_cents}>
          {available_cents > 0 &&
            text(isConnected ? 'earnings.readyAutomatic' : 'earnings.readyNoBank')}
        </Balance>
        <Balance name={text('earnings.inReview')} cents={reviewed}>
          {reviewed > 0 && text('earnings.inReviewWhy')}
        </Balance>
        {held_cents > 0 && (
          <Balance name={text('earnings.held')} cents={held_cents} isWide>
            {reasons.map((reason) => (
              <span key={reason} className="block">
                {reason}
              </span>
            ))}
          </Balance>
        )}
        {in_transit_cents > 0 && (
          <Balance name={text('earnings.onItsWay')} cents={in_transit_cents} isWide>
            {text('earnings.onItsWayWhy')}
          </Balance>
        )}
      </dl>
      <InDispute earnings={earnings} />
      {account.data !== undefined && account.data.next_payout_on !== null && (
        <p className="flex items-start gap-2 text-sm">
          <Landmark size={20} aria-hidden className="shrink-0 text-muted" />
          {nextPayoutWords(account.data, text)}
        </p>
      )}
      {account.data !== undefined && (
        <ButtonLink href="/payout" look={isConnected ? 'secondary' : 'primary'} isWide>
          <Landmark size={20} aria-hidden />
          {waitingWords}
        </ButtonLink>
      )}
    </section>
  )
}

function Balance({
  name,
  cents,
  isWide = false,
  children,
}: {
  name: string
  cents: number
  isWide?: boolean
  children: ReactNode
}) {
  const text = useText()
  return (
    <div
      className={`flex flex-col gap-1 rounded-card bg-surface p-4 shadow-card ${isWide ? 'col-span-full' : ''}`}
    >
      <dt className="text-sm text-muted">{name}</dt>
      <dd className="flex flex-col gap-1">
        <span className="text-lg font-bold">{text.money(cents)}</span>
        <span className="text-sm text-muted">{children}</span>
      </dd>
    </div>
  )
}

/** Disputed pay: how much, and for each task who acts next and by when. */
function InDispute({ earnings: { disputed_cents, disputes } }: { earnings: EarningsAnswer }) {
  const text = useText()
  if (disputes.length === 0) return null
  return (
    <section className="flex flex-col gap-1 rounded-card bg-surface p-4 pb-1 shadow-card">
      <h3 className="flex items-center gap-1.5 text-sm text-warn">
        <Scale size={16} aria-hidden className="shrink-0" />
        {text('earnings.inDispute')}
      </h3>
      <p className="flex flex-wrap items-baseline gap-x-2">
        <span className="text-lg font-bold">{text.money(disputed_cents)}</span>
        <span className="text-sm text-muted">
          {text('earnings.tasks', { count: disputes.length })}
        </span>
      </p>
      <ul>
        {yoursFirst(disputes).map((dispute) => (
          <li key={dispute.task_id} className="border-b border-border last:border-b-0">
            <Link
              href={`/inbox/${dispute.task_id}`}
              className="flex min-h-16 flex-wrap items-center justify-between gap-x-3 py-3"
            >
              <span className="flex min-w-0 flex-1 basis-36 flex-col">
                <span className="line-clamp-2 font-medium" dir="auto">
                  {dispute.title}
                </span>
                <span
                  className={`text-sm ${dispute.next === 'you_appeal' ? 'font-semibold text-warn' : 'text-muted'}`}
                >
                  {nextStep(dispute, text)}
                </span>
              </span>
              <span className="flex shrink-0 items-center gap-1 font-bold">
                {text.money(dispute.pay_cents)}
                <ChevronRight size={20} aria-hidden className="text-muted rtl:-scale-x-100" />
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Proofs in review, each with the time at which it is paid automatically. */
function InReview({ earnings: { disputes } }: { earnings: EarningsAnswer }) {
  const text = useText()
  const { data } = useQuery(inReviewQuery)
  const isDisputed = (taskId: string) => disputes.some(({ task_id }) => task_id === taskId)
  const shown = (data?.tasks ?? []).filter(({ task }) => !isDisputed(task.id))
  if (shown.length === 0) return null
  return (
    <Card>
      <h2 className="text-title font-bold">{text('earnings.inReview')}</h2>
      <ul>
        {shown.map(({ task, assignment, agent }) => (
          <li key={assignment.id} className="border-b border-border last:border-b-0">
            <Link
              href={`/active/${task.id}`}
              className="flex min-h-16 flex-wrap items-center justify-between gap-x-3 py-3"
            >
              <span className="flex min-w-0 flex-1 basis-36 flex-col">
                <span className="line-clamp-2 font-medium" dir="auto">
                  {titleOf(task)}
                </span>
                <span className="text-sm text-muted">
                  {assignment.decides_by !== null
                    ? text('earnings.disputeHeld', { when: text.date(assignment.decides_by) })
                    : assignment.auto_approve_at === null
                      ? text('earnings.waitsForOthers')
                      : text('earnings.paidAutomatically', {
                          agent: agent.name,
                          when: text.ago(assignment.auto_approve_at),
                        })}
                </span>
              </span>
              <span className="shrink-0 font-bold">{text.money(assignment.pay_cents)}</span>
            </Link>
          </li>
        ))}
      </ul>
    </Card>
  )
}

function Items({ from, to }: { from: string; to: string }) {
  const text = useText()
  const items = useInfiniteQuery(itemsQuery({ from, to }))
  const shown = items.data?.pages.flatMap((page) => page.items) ?? []
  if (items.data !== undefined && shown.length === 0) return null
  return (
    <Card>
      <h2 className="text-title font-bold">{text('earnings.every')}</h2>
      <QueryResult query={items}>
        {() => (
          <ul>
            {shown.map((item) => (
              <EarnedRow key={item.id} item={item} />
            ))}
          </ul>
        )}
      </QueryResult>
      <LoadMore query={items} />
    </Card>
  )
}

function Payouts() {
  const text = useText()
  const payouts = useInfiniteQuery(payoutsQuery)
  const shown = payouts.data?.pages.flatMap((page) => page.payouts) ?? []
  if (shown.length === 0) return null
  return (
    <Card>
      <h2 className="text-title font-bold">{text('payouts.title')}</h2>
      <ul>
        {shown.map((payout) => (
          <PayoutRow key={payout.id} payout={payout} />
        ))}
      </ul>
      <LoadMore query={payouts} />
    </Card>
  )
}
