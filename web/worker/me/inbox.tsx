import {
  type InfiniteData,
  infiniteQueryOptions,
  useInfiniteQuery,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query'
import {
  CircleDollarSign,
  CircleSlash,
  HeartPulse,
  Hourglass,
  Landmark,
  type LucideIcon,
  MapPin,
  MessageCircleReply,
  MessageSquareWarning,
  RotateCcw,
  Scale,
  Timer,
  TrendingDown,
  TriangleAlert,
} from 'lucide-react'
import { useEffect } from 'react'
import { Link } from 'wouter'
import { type Answer, api } from '../api.ts'
import { NoMessagesArt } from '../art/no-messages.tsx'
import { QueryResult } from '../query-states.tsx'
import { LoadMore } from '../load-more.tsx'
import { noticeLink } from '../notice-link.ts'
import { unreadQuery } from '../queries.ts'
import { useText } from '../text/use-text.tsx'
import { ButtonLink } from '../../shared/ui/button.tsx'
import { Page } from '../../shared/ui/page.tsx'
import { Empty } from '../../shared/ui/states.tsx'
import { type Notice, wordsOf } from './notice-words.ts'

type Notices = Answer<'/worker/notices'>

const noticesQuery = infiniteQueryOptions({
  queryKey: ['notices', 'list'],
  initialPageParam: undefined as string | undefined,
  queryFn: ({ signal, pageParam }) =>
    api.get('/worker/notices', {
      query: pageParam === undefined ? {} : { cursor: pageParam },
      signal,
    }),
  getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
  refetchOnMount: 'always',
  meta: { isKept: true },
})

const ICONS: Record<Notice['kind'], LucideIcon> = {
  new_task: MapPin,
  half_time: Timer,
  check_in: HeartPulse,
  paid: CircleDollarSign,
  disputed: MessageSquareWarning,
  dispute_held: Hourglass,
  decided: Scale,
  level_lowered: TrendingDown,
  revision_requested: RotateCcw,
  cancelled: CircleSlash,
  payout_paid: Landmark,
  payout_failed: TriangleAlert,
  question_answered: MessageCircleReply,
}
const GOOD = 'bg-brand-soft text-on-brand-soft'
const BAD = 'bg-danger-soft text-danger'
const PLAIN = 'bg-raised text-muted'
const GROUNDS: Partial<Record<Notice['kind'], string>> = {
  paid: GOOD,
  payout_paid: GOOD,
  question_answered: GOOD,
  disputed: BAD,
  payout_failed: BAD,
}

/** Notices, newest first. Unread ones stay marked while the screen is open. */
export function Inbox() {
  const text = useText()
  const notices = useInfiniteQuery(noticesQuery)
  useReading(notices.data)
  return (
    <Page title={text('nav.inbox')}>
      <QueryResult query={notices}>
        {({ pages }) => {
          const shown = pages.flatMap((page) => page.notices)
          if (shown.length === 0) return <NothingYet />
          const decided = shown.filter(({ kind }) => kind === 'decided')
          return (
            <ul className="flex flex-col gap-2">
              {shown.map((notice) => (
                <Row
                  key={notice.id}
                  notice={notice}
                  isOver={decided.some(({ task_id }) => task_id === notice.task_id)}
                />
              ))}
            </ul>
          )
        }}
      </QueryResult>
      <LoadMore query={notices} />
    </Page>
  )
}

/** Marks shown notices as read, and updates the badge in the tab bar. */
function useReading(data: InfiniteData<Notices> | undefined): void {
  const client = useQueryClient()
  const { mutate } = useMutation({
    mutationFn: (upTo: string) => api.post('/worker/notices/read', { body: { up_to: upTo } }),
    onSuccess: ({ unread }) => {
      client.setQueryData(unreadQuery.queryKey, (known) => known && { ...known, unread })
      if ('setAppBadge' in navigator) void navigator.setAppBadge(unread).catch(() => undefined)
    },
  })
  const first = data?.pages[0]
  const newest = first !== undefined && first.unread > 0 ? first.notices[0]?.id : undefined
  useEffect(() => {
    if (newest !== undefined) mutate(newest)
  }, [newest, mutate])
}

function NothingYet() {
  const text = useText()
  return (
    <Empty
      picture={<NoMessagesArt />}
      title={text('inbox.nothing')}
      actions={
        <>
          <ButtonLink href="/">{text('inbox.find')}</ButtonLink>
          <ButtonLink look="secondary" href="/me/notify">
            {text('inbox.notify')}
          </ButtonLink>
        </>
      }
    >
      {text('inbox.nothingWhy')}
    </Empty>
  )
}

/** `isOver`: the dispute is decided, so its deadline is hidden. */
function Row({ notice, isOver }: { notice: Notice; isOver: boolean }) {
  const text = useText()
  const Icon = ICONS[notice.kind]
  const { title, quote, until } = wordsOf(notice, text)
  const isNew = notice.read_at === null
  return (
    <li>
      <Link
        href={noticeLink(notice)}
        className="flex gap-3 rounded-card bg-surface p-4 shadow-card"
      >
        <span
          aria-hidden
          className={`flex size-10 shrink-0 items-center justify-center rounded-full ${GROUNDS[notice.kind] ?? PLAIN}`}
        >
          <Icon size={20} />
        </span>
        <span className="flex min-w-0 flex-1 flex-col gap-1">
          <span className="flex flex-wrap items-start justify-between gap-x-2">
            <span className={`min-w-0 flex-1 basis-36 ${isNew ? 'font-bold' : 'font-medium'}`}>
              {title}
            </span>
            {isNew && (
              <span className="shrink-0 rounded-full bg-accent-soft px-2 text-xs font-semibold text-accent">
                {text('inbox.new')}
              </span>
            )}
          </span>
          {notice.title !== null && (
            <span className="line-clamp-2 text-sm" dir="auto">
              {notice.title}
            </span>
          )}
          {quote !== undefined && (
            <q className="line-clamp-3 text-sm text-muted" dir="auto">
              {quote}
            </q>
          )}
          {until !== undefined && !isOver && <strong className="text-sm text-warn">{until}</strong>}
          <time dateTime={notice.at} className="text-sm text-muted">
            {text.ago(notice.at)}
          </time>
        </span>
      </Link>
    </li>
  )
}
