/** One failed request: what was sent, the response, the cause, and a sample to retry it. */
import { useQuery } from '@tanstack/react-query'
import { useParams } from 'wouter'
import { Tag } from '../../shared/ui/card.tsx'
import { Code } from '../../shared/ui/code.tsx'
import { Ago } from '../../shared/desk/ago.tsx'
import { QueryResult } from '../../shared/desk/query-states.tsx'
import { moment } from '../../shared/desk/figures.ts'
import { Id } from '../../shared/desk/id.tsx'
import { Sample } from '../sample.tsx'
import type { Call } from '../samples.ts'
import { Facts, Panel, Screen } from '../../shared/desk/screen.tsx'
import { AskLink } from '../support/can-ask.tsx'
import { PolicyRefusal, readRefusal } from './policy-refusal.tsx'
import { requestQuery } from './queries.ts'

export function Request() {
  const { id } = useParams<{ id: string }>()
  const request = useQuery(requestQuery(id))
  return (
    <Screen title="Request" name={id} back={{ href: '/requests', label: 'Requests' }}>
      <QueryResult query={request}>
        {({ request: shown }) => {
          const { method, path, status, code, ms, at, key_id, user_agent } = shown
          const body = parsed(shown.request_body)
          const answer = parsed(shown.response_body)
          const refused = readRefusal(answer)
          return (
            <>
              <Panel
                title={
                  <span className="font-mono break-all">
                    {method} {path}
                  </span>
                }
                actions={
                  <Tag tone={status >= 500 ? 'bad' : 'warn'}>
                    {status} {code}
                  </Tag>
                }
              >
                <Facts
                  facts={[
                    ['ID', <Id key="id" id={shown.id} />],
                    [
                      'Time',
                      <span key="when">
                        {moment(at)} (<Ago at={at} />)
                      </span>,
                    ],
                    ['Duration', `${ms} ms`],
                    ...(key_id === null
                      ? []
                      : ([['Key', <Id key="key" id={key_id} />]] as [string, React.ReactNode][])),
                    ...(user_agent === null
                      ? []
                      : ([['Client', user_agent]] as [string, string][])),
                    [
                      'Error',
                      <a
                        key="docs"
                        href={`/docs/errors/${code}`}
                        className="inline-flex min-h-7 items-center text-brand underline"
                      >
                        What {code} means and how to fix it
                      </a>,
                    ],
                  ]}
                />
                {refused === undefined && (
                  <AskLink about={{ request: shown.id }}>Ask a person about this request</AskLink>
                )}
              </Panel>
              {refused !== undefined && <PolicyRefusal refused={refused} requestId={shown.id} />}
              <div className="grid grid-cols-1 items-start gap-4 wide:grid-cols-2">
                <Panel title="Request body">
                  {body === undefined ? (
                    <p className="text-muted">Empty.</p>
                  ) : (
                    <Code label="request body">{textOf(body)}</Code>
                  )}
                </Panel>
                <Panel title="Response body">
                  {answer === undefined ? (
                    <p className="text-muted">Empty.</p>
                  ) : (
                    <Code label="response body">{textOf(answer)}</Code>
                  )}
                </Panel>
              </div>
              <Sample
                call={{
                  method: method as Call['method'],
                  path: path.replace(/^\/api\/v1/, ''),
                  ...(body === undefined ? {} : { body }),
                }}
                // MCP has its own URL outside the API's base path.
                {...(path.startsWith('/api/v1') ? {} : { base: location.origin })}
              />
            </>
          )
        }}
      </QueryResult>
    </Screen>
  )
}

/** Parses JSON; a truncated body isn't valid JSON and is returned as text. */
function parsed(text: string | null): unknown {
  if (text === null || text === '') return undefined
  try {
    return JSON.parse(text) as unknown
  } catch {
    return text
  }
}

const textOf = (value: unknown) =>
  typeof value === 'string' ? value : JSON.stringify(value, null, 2)
