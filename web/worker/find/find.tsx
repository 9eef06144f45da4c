import { useQuery } from '@tanstack/react-query'
import { Banknote, Camera, ChevronRight, type LucideIcon } from 'lucide-react'
import { Suspense } from 'react'
import { Link } from 'wouter'
import { QueryPlaceholder } from '../query-states.tsx'
import { LoadMore } from '../load-more.tsx'
import { profileQuery } from '../queries.ts'
import { useSession } from '../session.tsx'
import { useText } from '../text/use-text.tsx'
import { lazyScreen } from '../../shared/lazy-screen.ts'
import { Page } from '../../shared/ui/page.tsx'
import { hasPractised } from '../practised.ts'
import { TaskCard } from '../task-card.tsx'
import { Count } from './count.tsx'
import { FindHead } from './find-head.tsx'
import { useFeed } from './use-feed.ts'
import { useWishes } from './use-wishes.ts'

/** Most workers have tasks, so it isn't part of the first load. */
const NothingFound = lazyScreen(() => import('./nothing-found.tsx'), 'NothingFound')

export function Find() {
  const text = useText()
  const [wishes] = useWishes()
  const feed = useFeed(wishes)
  const profile = useQuery(profileQuery)
  // The first steps are above the tasks and would push them down, so both are shown together.
  const isProfileNear = profile.isLoading && profile.failureCount === 0
  // A banner says why there are no tasks.
  const isClosing = typeof profile.data?.worker.closes_at === 'string'
  const cards = isProfileNear ? undefined : feed.cards
  return (
    <Page title={text('nav.find')} isTitleHidden>
      <FindHead shown="list" />
      {cards !== undefined && <FirstSteps />}
      {cards !== undefined && (
        <Count
          count={cards.length}
          of={feed.hasNextPage ? 'more' : 'all'}
          staleSince={feed.staleSince}
        />
      )}
      {cards === undefined && <QueryPlaceholder query={feed} />}
      {cards !== undefined && cards.length > 0 && (
        <ul className="flex flex-col gap-3">
          {cards.map((card) => (
            <li key={card.id}>
              <TaskCard task={card} />
            </li>
          ))}
        </ul>
      )}
      {cards?.length === 0 && !feed.hasNextPage && !isClosing && (
        <Suspense>
          <NothingFound />
        </Suspense>
      )}
      <LoadMore query={feed} />
    </Page>
  )
}

const UNPAID = ['not_connected', 'onboarding', 'restricted']

/** Shown until payouts are set up and the worker has practiced with the camera. */
function FirstSteps() {
  const text = useText()
  const { data } = useQuery(profileQuery)
  const { worker } = useSession()
  // Play money isn't paid out.
  if (data === undefined || worker?.mode === 'test') return null
  const { payout_status, stats } = data.worker
  return (
    <>
      {UNPAID.includes(payout_status) && (
        <Step href="/payout" icon={Banknote} title={text('find.getPaid')}>
          {text('find.getPaidBody')}
        </Step>
      )}
      {stats.completed + stats.disputed === 0 && !hasPractised() && (
        <Step href="/practice" icon={Camera} title={text('find.practice')}>
          {text('find.practiceBody')}
        </Step>
      )}
    </>
  )
}

function Step({
  href,
  icon: Icon,
  title,
  children,
}: {
  href: string
  icon: LucideIcon
  title: string
  children: string
}) {
  return (
    <Link
      href={href}
      className="flex items-center gap-3 rounded-card bg-brand-soft p-3 text-on-brand-soft"
    >
      <Icon size={22} aria-hidden className="shrink-0" />
      <span className="min-w-0 flex-1">
        <strong className="block">{title}</strong>
        <span className="block text-sm">{children}</span>
      </span>
      <ChevronRight size={20} aria-hidden className="shrink-0 rtl:-scale-x-100" />
    </Link>
  )
}
