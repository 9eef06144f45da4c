import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'wouter'
import { NoLeadersArt } from '../art/no-leaders.tsx'
import { QueryPlaceholder } from '../query-states.tsx'
import { type Answer, api } from '../api.ts'
import { useText } from '../text/use-text.tsx'
import { ButtonLink } from '../../shared/ui/button.tsx'
import { Banner } from '../../shared/ui/card.tsx'
import { Segmented } from '../../shared/ui/choice.tsx'
import { Page } from '../../shared/ui/page.tsx'
import { Empty } from '../../shared/ui/states.tsx'

type Leaders = Answer<'/worker/leaderboard'>
const PERIODS = ['week', 'month', 'all'] as const

/** The leaderboard: shows no money, and nobody who has opted out. */
export function Board() {
  const text = useText()
  const [period, setPeriod] = useState<Leaders['period']>('week')
  const query = useQuery({
    queryKey: ['board', period],
    queryFn: ({ signal }) => api.get('/worker/leaderboard', { query: { period }, signal }),
  })
  return (
    <Page title={text('board.title')} back="/me" backLabel={text('me.title')}>
      <Segmented<Leaders['period']>
        label={text('board.period')}
        value={period}
        options={PERIODS.map((value) => ({ value, label: text(`board.${value}`) }))}
        onChange={setPeriod}
      />
      {query.data ? <Leaderboard leaders={query.data} /> : <QueryPlaceholder query={query} />}
    </Page>
  )
}

function Leaderboard({ leaders: { entries, me } }: { leaders: Leaders }) {
  const text = useText()
  const isAmong = entries.some(({ worker }) => worker.id === me?.worker.id)
  return (
    <>
      {entries.length === 0 ? (
        <Empty
          picture={<NoLeadersArt />}
          title={text('board.emptyTitle')}
          actions={
            <>
              <ButtonLink href="/">{text('shell.toFind')}</ButtonLink>
              <ButtonLink href="/active" look="secondary">
                {text('nav.active')}
              </ButtonLink>
            </>
          }
        >
          {text('board.empty')}
        </Empty>
      ) : (
        <ol className="flex flex-col divide-y divide-border rounded-card bg-surface shadow-card">
          {entries.map((entry) => (
            <Entry key={entry.worker.id} entry={entry} isMe={entry.worker.id === me?.worker.id} />
          ))}
        </ol>
      )}
      {me && !isAmong && (
        <ul className="rounded-card bg-surface shadow-card">
          <Entry entry={me} isMe />
        </ul>
      )}
      {me === null && <Banner tone="info">{text('board.isOut')}</Banner>}
      <p className="flex flex-wrap items-center gap-x-2 text-sm text-muted">
        {text('board.rules')}
        <Link href="/me/profile" className="inline-flex min-h-11 items-center text-brand">
          {text(me === null ? 'board.in' : 'board.out')}
        </Link>
      </p>
    </>
  )
}

function Entry({ entry, isMe }: { entry: NonNullable<Leaders['me']>; isMe: boolean }) {
  const text = useText()
  const { rank, worker, completed } = entry
  return (
    <li
      aria-current={isMe ? 'true' : undefined}
      className={`flex min-h-14 items-center gap-3 rounded-card px-4 py-2 ${isMe ? 'bg-brand-soft text-on-brand-soft' : ''}`}
    >
      <span className="w-8 shrink-0 text-center text-lg font-bold">
        {rank === null ? text('board.noRank') : text.number(rank)}
      </span>
      <Link
        href={`/u/${worker.id}`}
        className="flex min-h-11 min-w-0 flex-1 flex-col justify-center"
      >
        <strong className="truncate rtl:text-right" dir="auto">
          {isMe ? text('board.you', { name: worker.name }) : worker.name}
        </strong>
        <span className={`text-sm ${isMe ? '' : 'text-muted'}`}>
          {text('board.level', { level: worker.level })}
        </span>
      </Link>
      <span className="shrink-0 text-end font-semibold">
        {text('board.tasks', { count: completed })}
      </span>
    </li>
  )
}
