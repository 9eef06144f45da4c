/** Decisions of all operators: those that wait for a second one, or all. */
import { useInfiniteQuery } from '@tanstack/react-query'
import { CircleCheck } from 'lucide-react'
import { useRef, useState } from 'react'
import { Link } from 'wouter'
import { Ago } from '../../shared/desk/ago.tsx'
import { Money } from '../../shared/desk/money.tsx'
import { QueryResult } from '../../shared/desk/query-states.tsx'
import { Panel, Screen } from '../../shared/desk/screen.tsx'
import { Button } from '../../shared/ui/button.tsx'
import { Tag } from '../../shared/ui/card.tsx'
import { Segmented } from '../../shared/ui/choice.tsx'
import { Empty } from '../../shared/ui/states.tsx'
import { Table } from '../../shared/ui/table.tsx'
import type { Decision } from '../api.ts'
import { useRowKeys } from '../keys.ts'
import { decisionsQuery } from '../queries.ts'
import { STATES } from './words.ts'

export function Decisions() {
  const [state, setState] = useState<'waiting' | 'all'>('waiting')
  const found = useInfiniteQuery(decisionsQuery(state))
  return (
    <Screen
      title="Decisions"
      lead="Above a limit, a decision takes effect only after a second operator has agreed."
      actions={
        <Segmented<'waiting' | 'all'>
          label="Decisions"
          value={state}
          options={[
            { value: 'waiting', label: 'Waiting' },
            { value: 'all', label: 'All' },
          ]}
          onChange={setState}
        />
      }
    >
      <QueryResult query={found}>
        {({ pages }) => {
          const decisions = pages.flatMap((page) => page.decisions)
          return decisions.length === 0 ? (
            <Panel>
              <Empty icon={<CircleCheck aria-hidden />} title="No decisions">
                {state === 'waiting'
                  ? 'No decision waits for a second operator.'
                  : 'Nobody has decided anything yet.'}
              </Empty>
            </Panel>
          ) : (
            <Rows
              decisions={decisions}
              more={found.hasNextPage ? () => void found.fetchNextPage() : undefined}
            />
          )
        }}
      </QueryResult>
    </Screen>
  )
}

function Rows({ decisions, more }: { decisions: Decision[]; more: (() => void) | undefined }) {
  const list = useRef<HTMLDivElement>(null)
  useRowKeys(list)
  return (
    <div ref={list}>
      <Panel isFlush>
        <Table
          label="Decisions"
          rows={decisions}
          keyOf={({ id }) => id}
          columns={[
            {
              id: 'decision',
              label: 'Decision',
              cell: ({ id, title, reason }) => (
                <span className="flex min-w-0 flex-col">
                  <Link
                    href={`/decisions/${id}`}
                    data-row
                    className="inline-flex min-h-7 items-center self-start font-medium text-brand hover:underline"
                  >
                    {title}
                  </Link>
                  <span className="line-clamp-2 max-w-[60ch] text-sm text-muted" dir="auto">
                    {reason}
                  </span>
                </span>
              ),
            },
            {
              id: 'amount',
              label: 'Amount',
              isNumber: true,
              cell: ({ amount_cents }) =>
                amount_cents === null ? '–' : <Money cents={amount_cents} />,
            },
            {
              id: 'by',
              label: 'Proposed by',
              cell: ({ proposed_by }) => <span dir="auto">{proposed_by.name}</span>,
            },
            {
              id: 'at',
              label: 'Time',
              isNumber: true,
              cell: ({ proposed_at }) => <Ago at={proposed_at} />,
            },
            { id: 'state', label: 'State', cell: ({ state }) => <StateTag state={state} /> },
          ]}
        />
        {more !== undefined && (
          <div className="flex justify-end border-t border-border px-4 py-2">
            <Button look="secondary" onPress={more}>
              Load more
            </Button>
          </div>
        )}
      </Panel>
    </div>
  )
}

export function StateTag({ state }: { state: string }) {
  const { word, tone } = STATES[state] ?? { word: state, tone: 'plain' }
  return <Tag tone={tone}>{word}</Tag>
}
