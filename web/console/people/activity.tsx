/** Lists the actions of the agent's people, newest first. */
import { useInfiniteQuery } from '@tanstack/react-query'
import { History } from 'lucide-react'
import { Link } from 'wouter'
import { Ago } from '../../shared/desk/ago.tsx'
import { Id } from '../../shared/desk/id.tsx'
import { QueryResult } from '../../shared/desk/query-states.tsx'
import { Panel, Screen } from '../../shared/desk/screen.tsx'
import { Button } from '../../shared/ui/button.tsx'
import { Tag } from '../../shared/ui/card.tsx'
import { Empty } from '../../shared/ui/states.tsx'
import { Table } from '../../shared/ui/table.tsx'
import { useConsole } from '../session.tsx'
import { type Action, actionsQuery } from './queries.ts'
import { operationWords } from './words.ts'

export function Activity() {
  const { person, isTest } = useConsole()
  if (person === undefined)
    return (
      <Screen title="Activity">
        <Panel title="Log in with your email to see the activity">
          <p className="text-muted">
            It shows what people did in the console. What API keys did is under Tasks and Events.
          </p>
        </Panel>
      </Screen>
    )
  return <Actions mode={isTest ? 'test' : 'live'} />
}

function Actions({ mode }: { mode: string }) {
  const actions = useInfiniteQuery(actionsQuery)
  return (
    <Screen
      title="Activity"
      lead={`What people changed in ${mode} mode. API keys don’t appear here. Kept for 400 days.`}
    >
      <QueryResult query={actions}>
        {({ pages }) => {
          const rows = pages.flatMap((page) => page.actions)
          if (rows.length === 0)
            return (
              <Panel>
                <Empty icon={<History aria-hidden />} title="Nothing yet">
                  Everything that a person changes in the console appears here.
                </Empty>
              </Panel>
            )
          return (
            <Panel isFlush>
              <Table
                label="Activity"
                rows={rows}
                keyOf={({ id }) => id}
                columns={[
                  { id: 'at', label: 'Time', cell: ({ at }) => <Ago at={at} /> },
                  {
                    id: 'person',
                    label: 'Person',
                    cell: ({ person }) => <bdi>{person.name ?? person.id}</bdi>,
                  },
                  { id: 'what', label: 'Action', cell: (one) => <What action={one} /> },
                  { id: 'object', label: 'Object', cell: (one) => <Target action={one} /> },
                ]}
              />
              {actions.hasNextPage && (
                <div className="border-t border-border px-4 py-2">
                  <Button
                    look="secondary"
                    isPending={actions.isFetchingNextPage}
                    onPress={() => void actions.fetchNextPage()}
                  >
                    Show older
                  </Button>
                </div>
              )}
            </Panel>
          )
        }}
      </QueryResult>
    </Screen>
  )
}

function What({ action: { operation, outcome } }: { action: Action }) {
  return (
    <span className="inline-flex flex-wrap items-center gap-2">
      {operationWords(operation)}
      {outcome === 'unknown' && <Tag tone="warn">Outcome unknown</Tag>}
    </span>
  )
}

function Target({ action: { object_id } }: { action: Action }) {
  if (object_id === null) return <span className="text-muted">–</span>
  if (!object_id.startsWith('task_')) return <Id id={object_id} />
  return (
    <Link
      href={`/tasks/${object_id}`}
      className="inline-flex min-h-7 items-center font-mono text-sm break-all text-brand hover:underline"
    >
      {object_id}
    </Link>
  )
}
