/**
 * When the app is opened after a payment or the first payout: a card above the tabs that says so, once. It lies over the
 * list, so that nothing moves.
 */
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { X } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { type Answer, api } from '../api.ts'
import { PaidArt } from '../art/paid.tsx'
import { PayoutArt } from '../art/payout.tsx'
import { payoutsQuery } from '../money/queries.ts'
import { useSession } from '../session.tsx'
import { useText } from '../text/use-text.tsx'
import { ButtonLink, IconButton } from '../../shared/ui/button.tsx'
import { CountUp } from './count-up.tsx'
import { isRecent, PaidWeek } from './paid.tsx'
import { hasSeen } from './seen.ts'
import { useMoment } from './use-moment.ts'

type Notice = Answer<'/worker/notices'>['notices'][number]

const NOTICES_SHOWN = 10

export function MoneyNews() {
  const { worker } = useSession()
  const { data } = useQuery({
    queryKey: ['notices', 'moments'],
    queryFn: ({ signal }) =>
      api.get('/worker/notices', { query: { limit: NOTICES_SHOWN }, signal }),
  })
  const [shown, setShown] = useState<Notice>()
  const [isClosed, setIsClosed] = useState(false)
  const next = shown ?? (worker && data && newsIn(data.notices, worker.id))
  if (!next || isClosed) return null
  // It is marked as seen when it is shown, and stays until it is closed.
  if (shown === undefined) setShown(next)
  const News = next.kind === 'paid' ? Paid : FirstPayout
  return <News notice={next} onClose={() => setIsClosed(true)} />
}

/** The newest payment, so that ten at once are one piece of news, or else the first payout. */
function newsIn(notices: Notice[], workerId: string): Notice | undefined {
  const recent = notices.filter(({ read_at, at }) => read_at === null && isRecent(at))
  const paid = recent.find(({ kind }) => kind === 'paid')
  if (paid && !hasSeen(workerId, `paid:${paid.task_id}`)) return paid
  if (hasSeen(workerId, 'payout')) return undefined
  return recent.find(({ kind }) => kind === 'payout_paid')
}

function Paid({ notice, onClose }: { notice: Notice; onClose(): void }) {
  const text = useText()
  const isShown = useMoment(`paid:${notice.task_id ?? ''}`)
  const cents = notice.amount_cents ?? 0
  if (!isShown) return null
  const agent = notice.agent_name ?? text('inbox.theAgent')
  return (
    <NewsCard
      picture={<PaidArt />}
      title={
        <>
          <span className="sr-only">{text('inbox.paid', { agent, money: text.money(cents) })}</span>
          <span aria-hidden className="flex flex-col">
            <span className="text-sm font-normal text-muted" dir="auto">
              {agent}
            </span>
            <span className="text-money font-bold text-brand">
              <CountUp cents={cents} isMoving />
            </span>
          </span>
        </>
      }
      onClose={onClose}
    >
      <PaidWeek cents={cents} at={notice.at} />
      <ButtonLink look="secondary" href={`/earnings/${notice.task_id}`} isWide>
        {text('active.approved.receipt')}
      </ButtonLink>
    </NewsCard>
  )
}

function FirstPayout({ notice, onClose }: { notice: Notice; onClose(): void }) {
  const text = useText()
  const payouts = useInfiniteQuery(payoutsQuery)
  const paid = (payouts.data?.pages ?? [])
    .flatMap((page) => page.payouts)
    .filter(({ status }) => status === 'paid')
  const isShown = useMoment('payout', paid.length === 1)
  if (!isShown) return null
  return (
    <NewsCard
      picture={<PayoutArt />}
      title={text('moments.payout.title', { money: text.money(notice.amount_cents ?? 0) })}
      onClose={onClose}
    >
      <p>{text('moments.payout.body', { when: text.date(notice.at, { dateStyle: 'medium' }) })}</p>
      <ButtonLink look="secondary" href="/payout" isWide>
        {text('earnings.toPayout')}
      </ButtonLink>
    </NewsCard>
  )
}

function NewsCard({
  picture,
  title,
  onClose,
  children,
}: {
  picture: ReactNode
  title: ReactNode
  onClose(): void
  children: ReactNode
}) {
  const text = useText()
  return (
    <aside
      aria-label={text('moments.label')}
      className={
        'fixed inset-x-0 bottom-[calc(4.75rem+env(safe-area-inset-bottom))] z-10 mx-auto flex max-h-[65dvh] max-w-160 ' +
        'animate-rise px-3 wide:start-56 wide:bottom-4 print:hidden'
      }
    >
      <div className="flex min-w-0 flex-1 flex-col gap-2 overflow-y-auto rounded-card border border-border bg-surface p-4 shadow-card">
        <div className="flex items-start gap-3">
          <div role="status" className="flex min-w-0 flex-1 flex-wrap items-center gap-x-4 gap-y-2">
            {picture}
            <h2 className="min-w-0 flex-1 basis-32 text-lg font-bold">{title}</h2>
          </div>
          <span className="-me-2 -mt-2">
            <IconButton label={text('shell.close')} onPress={onClose}>
              <X aria-hidden />
            </IconButton>
          </span>
        </div>
        {children}
      </div>
    </aside>
  )
}
