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
    <Screen title="Requests" lead="Failed calls of the last 7 days. Secrets are redacted.">
      <QueryResult query={requests}>
        {({ requests: rows, total }) =>
          total === 0 ? (
            <Panel>
              <EmptyWithCall
                icon={<ScrollText aria-hidden />}
                title="No failed requests"
                call={{ method: 'POST', path: '/tasks', body: { budget_cents: 500 } }}
              >
                Every error response has a request_id that you can look up here. This call lacks a
                description, so it fails and appears here.
              </EmptyWithCall>
            </Panel>
          ) : (
            <Panel isFlush>
              <Table
                label="Failed requests"
                rows={rows}
                keyOf={({ id }) => id}
                columns={[
                  {
                    id: 'call',
                    label: 'Request',
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
                    label: 'Response',
                    cell: ({ status, code }) => (
                      <Tag tone={status >= 500 ? 'bad' : 'warn'}>
                        {status} {code}
                      </Tag>
                    ),
                  },
                  { id: 'ms', label: 'Duration', isNumber: true, cell: ({ ms }) => `${ms} ms` },
                  { id: 'when', label: 'Time', isNumber: true, cell: ({ at }) => <Ago at={at} /> },
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
