/** The cases of a queue, in the order in which they should be decided. */
import { useInfiniteQuery } from '@tanstack/react-query'
import { CircleCheck } from 'lucide-react'
import { useRef, useState } from 'react'
import { Link, useParams } from 'wouter'
import { Ago } from '../../shared/desk/ago.tsx'
import { count } from '../../shared/desk/figures.ts'
import { Money } from '../../shared/desk/money.tsx'
import { QueryResult } from '../../shared/desk/query-states.tsx'
import { Panel, Screen } from '../../shared/desk/screen.tsx'
import { Button, ButtonLink } from '../../shared/ui/button.tsx'
import { Chip } from '../../shared/ui/choice.tsx'
import { Empty } from '../../shared/ui/states.tsx'
import { type Column, Table } from '../../shared/ui/table.tsx'
import { addressOf } from '../addresses.ts'
import type { QueueRow } from '../api.ts'
import { Due } from '../due.tsx'
import { useRowKeys } from '../keys.ts'
import { queueQuery } from '../queries.ts'
import { useDesk } from '../session.tsx'

export function Queue() {
  const { name } = useParams<{ name: string }>()
  const [isMine, setIsMine] = useState(false)
  const queue = useInfiniteQuery(queueQuery(name, { isMine }))
  const summary = queue.data?.pages[0]?.queue
  return (
    <Screen
      title={summary?.title ?? 'Queue'}
      lead={summary?.clock}
      back={{ href: '/', label: 'Queues' }}
      actions={
        <Chip isOn={isMine} onChange={setIsMine}>
          Assigned to me
        </Chip>
      }
    >
      <QueryResult query={queue}>
        {({ pages }) => {
          const rows = pages.flatMap((page) => page.rows)
          return rows.length === 0 ? (
            <Nothing isMine={isMine} onShowAll={() => setIsMine(false)} />
          ) : (
            <Rows
              name={name}
              rows={rows}
              words={sizeWords(pages[0]!.queue, { shown: rows.length, isMine })}
              more={queue.hasNextPage ? () => void queue.fetchNextPage() : undefined}
              isLoading={queue.isFetchingNextPage}
            />
          )
        }}
      </QueryResult>
    </Screen>
  )
}

function sizeWords(
  { count: all, is_more }: { count: number; is_more: boolean },
  { shown, isMine }: { shown: number; isMine: boolean },
): string {
  if (isMine) return `${count(shown)} assigned to you`
  return `${count(shown)} of ${count(all)}${is_more ? '+' : ''}`
}

function Rows({
  name,
  rows,
  words,
  more,
  isLoading,
}: {
  name: string
  rows: QueueRow[]
  words: string
  more: (() => void) | undefined
  isLoading: boolean
}) {
  const { operator } = useDesk()
  const list = useRef<HTMLDivElement>(null)
  useRowKeys(list)
  const withMoney = rows.some(({ amount_cents }) => amount_cents !== null)
  return (
    <div ref={list}>
      <Panel isFlush>
        <div>
          <Table
            label="Cases"
            rows={rows}
            keyOf={({ id }) => id}
            columns={columnsOf({ queue: name, withMoney, operatorId: operator.id })}
          />
          <div className="flex flex-wrap items-center justify-between gap-2 border-t border-border px-4 py-2 text-sm text-muted">
            <span>{words}</span>
            {more !== undefined && (
              <Button look="secondary" onPress={more} isPending={isLoading}>
                Load more
              </Button>
            )}
          </div>
        </div>
      </Panel>
    </div>
  )
}

function columnsOf({
  queue,
  withMoney,
  operatorId,
}: {
  queue: string
  withMoney: boolean
  operatorId: string
}): Column<QueueRow>[] {
  return [
    {
      id: 'case',
      label: 'Case',
      cell: (row) => (
        <span className="flex min-w-0 flex-col">
          <Link
            href={addressOf(row, queue)}
            data-row
            className="inline-flex min-h-7 items-center self-start font-medium text-brand hover:underline"
          >
            <span dir="auto">{row.title}</span>
          </Link>
          {row.facts.length > 0 && (
            <span className="text-sm text-muted" dir="auto">
              {row.facts.join(' · ')}
            </span>
          )}
        </span>
      ),
    },
    ...(withMoney
      ? [
          {
            id: 'amount',
            label: 'Amount',
            isNumber: true,
            cell: ({ amount_cents }: QueueRow) =>
              amount_cents === null ? '–' : <Money cents={amount_cents} />,
          },
        ]
      : []),
    {
      id: 'since',
      label: 'Waiting since',
      isNumber: true,
      cell: ({ since }) => (since === null ? '–' : <Ago at={since} />),
    },
    {
      id: 'due',
      label: 'Deadline',
      isNumber: true,
      cell: ({ due_at }) => (due_at === null ? '–' : <Due at={due_at} />),
    },
    {
      id: 'assigned',
      label: 'Assigned to',
      cell: ({ assigned }) =>
        assigned === null ? (
          <span className="text-muted">Nobody</span>
        ) : (
          <span dir="auto">{assigned.id === operatorId ? 'You' : assigned.name}</span>
        ),
    },
  ]
}

function Nothing({ isMine, onShowAll }: { isMine: boolean; onShowAll(): void }) {
  return (
    <Panel>
      <Empty
        icon={<CircleCheck aria-hidden />}
        title={isMine ? 'No case is assigned to you' : 'This queue is empty'}
        actions={
          isMine ? (
            <Button look="secondary" onPress={onShowAll}>
              Show all cases
            </Button>
          ) : (
            <ButtonLink look="secondary" href="/">
              Go to the queues
            </ButtonLink>
          )
        }
      >
        {isMine ? 'Open a case and press a to take it.' : 'New cases appear here automatically.'}
      </Empty>
    </Panel>
  )
}
