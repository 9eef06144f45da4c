/** Any record: what it is about, what has happened, what an operator can decide. */
import { useQuery } from '@tanstack/react-query'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { useLocation, useParams, useSearch } from 'wouter'
import { Id } from '../../shared/desk/id.tsx'
import { QueryResult } from '../../shared/desk/query-states.tsx'
import { Screen } from '../../shared/desk/screen.tsx'
import { IconButton } from '../../shared/ui/button.tsx'
import { Tag } from '../../shared/ui/card.tsx'
import type { Case as Shown } from '../api.ts'
import { Decide } from '../decide/decide.tsx'
import { useLastDecision } from '../decide/last-decision.tsx'
import { Due } from '../due.tsx'
import { useKeys } from '../keys.ts'
import { caseQuery } from '../queries.ts'
import { Facts, Links } from './facts.tsx'
import { LooksProvider } from './looks.tsx'
import { Notes } from './notes.tsx'
import { Proofs } from './proofs.tsx'
import { Records } from './records.tsx'
import { type Neighbors, Strip, useNeighbors } from './strip.tsx'
import { Asked, Said } from './texts.tsx'
import { Thread } from './thread.tsx'

export function Case() {
  const { id } = useParams<{ id: string }>()
  const asked = new URLSearchParams(useSearch()).get('queue') ?? undefined
  const [, go] = useLocation()
  const found = useQuery(caseQuery(id))
  const queue = asked ?? found.data?.waits.find((wait) => wait.queue !== null)?.queue ?? undefined
  const neighbors = useNeighbors(id, queue)
  const { before, after } = neighbors
  useKeys({
    j: after === undefined ? undefined : () => go(after),
    k: before === undefined ? undefined : () => go(before),
  })
  return (
    <Screen
      title={found.data?.title ?? 'Case'}
      isWide
      back={
        queue === undefined
          ? { href: '/', label: 'Queues' }
          : { href: `/queues/${queue}`, label: neighbors.title ?? 'Queue' }
      }
      actions={queue === undefined ? undefined : <Steps neighbors={neighbors} onGo={go} />}
    >
      <QueryResult query={found}>
        {(shown) => (
          <LooksProvider>
            <Head shown={shown} />
            <div
              className={`grid grid-cols-1 items-start gap-4 ${
                queue === undefined ? '' : 'broad:grid-cols-[13rem_minmax(0,1fr)]'
              }`}
            >
              {queue !== undefined && <Strip neighbors={neighbors} caseId={id} queue={queue} />}
              <Whole shown={shown} queue={queue} after={after} />
            </div>
          </LooksProvider>
        )}
      </QueryResult>
    </Screen>
  )
}

function Steps({
  neighbors: { before, after },
  onGo,
}: {
  neighbors: Neighbors
  onGo(href: string): void
}) {
  return (
    <>
      <IconButton
        label="Previous case"
        isDisabled={before === undefined}
        onPress={() => before !== undefined && onGo(before)}
      >
        <ChevronLeft size={20} aria-hidden />
      </IconButton>
      <IconButton
        label="Next case"
        isDisabled={after === undefined}
        onPress={() => after !== undefined && onGo(after)}
      >
        <ChevronRight size={20} aria-hidden />
      </IconButton>
    </>
  )
}

function Head({ shown: { id, kind, status, mode, waits } }: { shown: Shown }) {
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-1 text-muted">
      <span className="flex flex-wrap gap-1">
        <Tag>{kind}</Tag>
        <Tag>{status.replaceAll('_', ' ')}</Tag>
        {mode === 'test' && <Tag tone="warn">Test mode · play money</Tag>}
      </span>
      {waits.map(({ what, until }) => (
        <span key={what} className="flex flex-wrap items-baseline gap-x-1.5">
          {what}
          {until !== null && <Due at={until} />}
        </span>
      ))}
      <Id id={id} />
    </div>
  )
}

/** On a phone, the decision comes after what was asked and delivered, before the records. */
function Whole({
  shown,
  queue,
  after,
}: {
  shown: Shown
  queue: string | undefined
  after: string | undefined
}) {
  const [, go] = useLocation()
  const { setLast } = useLastDecision()
  const next = after ?? (queue === undefined ? undefined : `/queues/${queue}`)
  return (
    <div className="grid min-w-0 grid-cols-1 items-start gap-4 wide:grid-cols-[minmax(0,1fr)_19rem] wide:grid-rows-[auto_1fr]">
      <div className="flex min-w-0 flex-col gap-4 empty:hidden">
        <Asked shown={shown} />
        <Proofs shown={shown} />
        <Said shown={shown} />
        <Thread shown={shown} />
      </div>
      <div className="flex min-w-0 flex-col gap-4 wide:col-start-2 wide:row-span-2 wide:row-start-1">
        <Decide
          shown={shown}
          onNext={next === undefined ? undefined : () => go(next)}
          onMade={({ label }, { decision_id, state }) => {
            setLast({
              decisionId: decision_id,
              label,
              title: shown.title,
              state,
            })
            if (next !== undefined) go(next)
          }}
        />
        <Facts shown={shown} />
        <Notes shown={shown} />
        <Links shown={shown} />
      </div>
      <div className="flex min-w-0 flex-col gap-4 empty:hidden">
        <Records shown={shown} />
      </div>
    </div>
  )
}
