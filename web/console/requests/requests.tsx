/** Requests that were refused or failed, with their responses. */
import { useQuery } from '@tanstack/react-query'
import { ScrollText } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'wouter'
import { Tag } from '../../shared/ui/card.tsx'
import { Table } from '../../shared/ui/table.tsx'
import { Ago } from '../../shared/desk/ago.tsx'
import { QueryResult } from '../../shared/desk/query-states.tsx'
import { Pager } from '../../shared/desk/pager.tsx'
import { Panel, Screen } from '../../shared/desk/screen.tsx'
import { EmptyWithCall } from '../empty-with-call.tsx'
import { requestsQuery } from './queries.ts'

const ROWS = 25

export function Requests() {
  const [offset, setOffset] = useState(0)
  const requests = useQuery(requestsQuery({ limit: ROWS, offset }))
  return (
    <Screen
      title="Requests"
      lead="Calls of the last 7 days that were refused or failed. Secrets in them are blanked."
    >
      <QueryResult query={requests}>
        {({ requests: rows, total }) =>
          total === 0 ? (
            <Panel>
              <EmptyWithCall
                icon={<ScrollText aria-hidden />}
                title="Nothing was refused"
                call={{ method: 'POST', path: '/tasks', body: { budget_cents: 500 } }}
              >
                Every answer but a good one has a request_id; here is what it belongs to. This call
                forgets its description, and would stand here.
              </EmptyWithCall>
            </Panel>
          ) : (
            <Panel isFlush>
              <Table
                label="Refused calls"
                rows={rows}
                keyOf={({ id }) => id}
                columns={[
                  {
                    id: 'call',
                    label: 'Call',
                    cell: ({ id, method, path }) => (
                      <Link
                        href={`/requests/${id}`}
                        className="inline-flex min-h-7 items-center font-mono text-sm break-all text-brand hover:underline"
                      >
                        {method} {path}
                      </Link>
                    ),
                  },
                  {
                    id: 'status',
                    label: 'Answer',
                    cell: ({ status, code }) => (
                      <Tag tone={status >= 500 ? 'bad' : 'warn'}>
                        {status} {code}
                      </Tag>
                    ),
                  },
                  { id: 'ms', label: 'Took', isNumber: true, cell: ({ ms }) => `${ms} ms` },
                  { id: 'when', label: 'When', isNumber: true, cell: ({ at }) => <Ago at={at} /> },
                ]}
              />
              <Pager
                offset={offset}
                shown={rows.length}
                total={total}
                step={ROWS}
                onGo={setOffset}
              />
            </Panel>
          )
        }
      </QueryResult>
    </Screen>
  )
}
