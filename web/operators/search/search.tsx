/** Records that match the text of the search box. */
import { useQuery } from '@tanstack/react-query'
import { SearchX } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { Link, useLocation, useSearch } from 'wouter'
import { Id } from '../../shared/desk/id.tsx'
import { QueryResult } from '../../shared/desk/query-states.tsx'
import { Panel, Screen } from '../../shared/desk/screen.tsx'
import { Empty } from '../../shared/ui/states.tsx'
import { Table } from '../../shared/ui/table.tsx'
import { addressOf } from '../addresses.ts'
import type { Answer } from '../api.ts'
import { useRowKeys } from '../keys.ts'
import { searchQuery } from '../queries.ts'

export function Search() {
  const text = new URLSearchParams(useSearch()).get('q')?.trim() ?? ''
  const found = useQuery(searchQuery(text))
  return (
    <Screen
      title="Search"
      lead={text === '' ? undefined : <span dir="auto">Results for “{text}”</span>}
    >
      {text === '' ? (
        <Panel>
          <Empty title="Search for anything">
            Enter an ID, a name, an email address, a phone number, a photo’s hash or a reference of
            the payment processor in the box above.
          </Empty>
        </Panel>
      ) : (
        <QueryResult query={found}>
          {({ hits, hint }) => (hits.length === 0 ? <NoHits hint={hint} /> : <Hits hits={hits} />)}
        </QueryResult>
      )}
    </Screen>
  )
}

function NoHits({ hint }: { hint: string | null }) {
  return (
    <Panel>
      <Empty icon={<SearchX aria-hidden />} title="No results">
        {hint ?? 'Check the spelling. Email addresses and phone numbers must be complete.'}
      </Empty>
    </Panel>
  )
}

/** A single hit opens at once. */
function Hits({ hits }: { hits: Answer<'/search'>['hits'] }) {
  const [, go] = useLocation()
  const list = useRef<HTMLDivElement>(null)
  useRowKeys(list)
  const only = hits.length === 1 ? hits[0] : undefined
  useEffect(() => {
    if (only !== undefined) go(addressOf(only), { replace: true })
  }, [only, go])
  return (
    <div ref={list}>
      <Panel isFlush>
        <Table
          label="Results"
          rows={hits}
          keyOf={({ id, why }) => `${id} ${why}`}
          columns={[
            { id: 'kind', label: 'Kind', cell: ({ kind }) => kind },
            {
              id: 'title',
              label: 'Record',
              cell: (hit) => (
                <Link
                  href={addressOf(hit)}
                  data-row
                  className="inline-flex min-h-7 items-center font-medium text-brand hover:underline"
                >
                  <span dir="auto">{hit.title}</span>
                </Link>
              ),
            },
            { id: 'id', label: 'ID', cell: ({ id }) => <Id id={id} /> },
            { id: 'why', label: 'Matches', cell: ({ why }) => why },
          ]}
        />
      </Panel>
    </div>
  )
}
