/** The rows behind a figure of a board. */
import { infiniteQueryOptions, useInfiniteQuery } from '@tanstack/react-query'
import { useParams, useSearch } from 'wouter'
import { Ago } from '../../shared/desk/ago.tsx'
import { QueryResult } from '../../shared/desk/query-states.tsx'
import { Panel, Screen } from '../../shared/desk/screen.tsx'
import { Button } from '../../shared/ui/button.tsx'
import { Table } from '../../shared/ui/table.tsx'
import { type Answer, api } from '../api.ts'
import { BOARDS, isNumber, Value } from './values.tsx'

type Page = Answer<'/boards/{name}/rows/{figure}'>

const rowsQuery = (name: string, figure: string, window: 'day' | 'week') =>
  infiniteQueryOptions({
    queryKey: ['board-rows', name, figure, window],
    queryFn: ({ pageParam, signal }) =>
      api.get('/boards/{name}/rows/{figure}', {
        params: { name, figure },
        query: { window, ...(pageParam === null ? {} : { cursor: pageParam }) },
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor }) => next_cursor,
  })

export function BoardRows() {
  const { name, figure } = useParams<{ name: string; figure: string }>()
  const window = new URLSearchParams(useSearch()).get('window') === 'week' ? 'week' : 'day'
  const rows = useInfiniteQuery(rowsQuery(name, figure, window))
  const first = rows.data?.pages[0]
  const board = BOARDS.find((one) => one.name === name)
  return (
    <Screen
      title={first?.title ?? 'Rows'}
      lead={first && `${first.definition} ${howOf(first)}`}
      back={{
        href: `/boards/${board?.name ?? 'money'}`,
        label: `${board?.label ?? 'Money'} board`,
      }}
      isWide
    >
      <QueryResult query={rows}>{({ pages }) => <Rows pages={pages} />}</QueryResult>
      {rows.hasNextPage && (
        <Button
          look="secondary"
          isPending={rows.isFetchingNextPage}
          onPress={() => void rows.fetchNextPage()}
        >
          Show more
        </Button>
      )}
    </Screen>
  )
}

/** How the rows make up the figure. */
function howOf({ makes: { by, column }, columns }: Page): string {
  const name = column === null ? '' : columns[column]!.name
  switch (by) {
    case 'count':
      return 'These are the rows that it counts, newest first.'
    case 'sum':
      return `The amounts below “${name}” add up to it, newest first.`
    case 'share':
      return `It is the share of these rows with a yes below “${name}”, newest first.`
    case 'p50':
    case 'p95':
      return `Newest first, with the time of each below “${name}”.`
  }
}

function Rows({ pages }: { pages: Page[] }) {
  const rows = pages.flatMap((page) => page.rows)
  if (rows.length === 0)
    return (
      <Panel>
        <p>No rows</p>
      </Panel>
    )
  return (
    <Panel isFlush>
      <Table
        label={pages[0]!.title}
        rows={rows}
        keyOf={({ at, cells }) => JSON.stringify([at, cells])}
        columns={[
          { id: 'at', label: 'When', cell: ({ at }) => <Ago at={at} /> },
          ...pages[0]!.columns.map((column, at) => ({
            id: column.name,
            label: column.name,
            isNumber: isNumber(column),
            cell: ({ cells }: Page['rows'][number]) => <Value value={cells[at]!} as={column.as} />,
          })),
        ]}
      />
    </Panel>
  )
}
