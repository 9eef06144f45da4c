/** All events of the last 30 days, newest first, with the payload that was or would be sent. */
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Activity } from 'lucide-react'
import { useSearchParams } from 'wouter'
import { Button } from '../../shared/ui/button.tsx'
import { Banner } from '../../shared/ui/card.tsx'
import { Code } from '../../shared/ui/code.tsx'
import { Select } from '../../shared/ui/select.tsx'
import { Table } from '../../shared/ui/table.tsx'
import { api } from '../api.ts'
import { Ago } from '../../shared/desk/ago.tsx'
import { QueryResult, ActionError } from '../../shared/desk/query-states.tsx'
import { moment } from '../../shared/desk/figures.ts'
import { Id } from '../../shared/desk/id.tsx'
import { RequiresScope } from '../scopes.tsx'
import { Panel, Screen } from '../../shared/desk/screen.tsx'
import { EmptyWithCall } from '../empty-with-call.tsx'
import { useAction } from '../../shared/desk/use-action.ts'
import { EVENT_TYPES, type Event, eventsQuery, oneEventQuery, taskOf } from './queries.ts'

const ANY = ''

export function Events() {
  const [search, setSearch] = useSearchParams()
  const type = EVENT_TYPES.find((one) => one === search.get('type'))
  const chosen = search.get('id')
  const events = useInfiniteQuery(eventsQuery(type))
  const set = (name: string, value: string) =>
    setSearch((before) => {
      const next = new URLSearchParams(before)
      if (value === ANY) next.delete(name)
      else next.set(name, value)
      return next
    })

  return (
    <Screen
      title="Events"
      lead="Everything that happened in the last 30 days, whether or not it was sent to a webhook."
    >
      <div className="max-w-72">
        <Select<Event['type'] | ''>
          label="Type"
          value={type ?? ANY}
          options={[
            { value: ANY, label: 'All types' },
            ...EVENT_TYPES.map((one) => ({ value: one, label: one })),
          ]}
          onChange={(value) => set('type', value)}
        />
      </div>
      <QueryResult query={events}>
        {({ pages }) => {
          const rows = pages.flatMap((page) => page.events)
          const first = chosen ?? rows[0]?.id
          return rows.length === 0 && chosen === null ? (
            <Panel>
              <NoEvents isFiltered={type !== undefined} />
            </Panel>
          ) : (
            <div className="grid grid-cols-1 items-start gap-4 wide:grid-cols-[minmax(0,1fr)_24rem]">
              <Panel isFlush>
                <EventsTable rows={rows} currentId={first} onChoose={(id) => set('id', id)} />
                {events.hasNextPage && (
                  <div className="border-t border-border p-3">
                    <Button
                      look="secondary"
                      isPending={events.isFetchingNextPage}
                      onPress={() => void events.fetchNextPage()}
                    >
                      Show older
                    </Button>
                  </div>
                )}
              </Panel>
              {first !== undefined && (
                <OneEvent key={first} id={first} known={rows.find(({ id }) => id === first)} />
              )}
            </div>
          )
        }}
      </QueryResult>
    </Screen>
  )
}

function NoEvents({ isFiltered }: { isFiltered: boolean }) {
  return (
    <EmptyWithCall
      icon={<Activity aria-hidden />}
      title={isFiltered ? 'No events of this type' : 'No events yet'}
      call={{ method: 'GET', path: '/events?after=latest&wait=30' }}
    >
      Every change to a task is an event. This call waits for the next one without a webhook.
    </EmptyWithCall>
  )
}

function EventsTable({
  rows,
  currentId,
  onChoose,
}: {
  rows: Event[]
  currentId: string | undefined
  onChoose(id: string): void
}) {
  return (
    <Table
      label="Events"
      rows={rows}
      keyOf={({ id }) => id}
      isCurrent={({ id }) => id === currentId}
      columns={[
        {
          id: 'type',
          label: 'Event',
          cell: ({ id, type }) => (
            <button
              type="button"
              onClick={() => onChoose(id)}
              className="min-h-7 text-start font-mono text-sm text-brand hover:underline"
            >
              {type}
            </button>
          ),
        },
        {
          id: 'task',
          label: 'Task',
          cell(event) {
            const task = taskOf(event)
            return task === undefined ? '–' : <Id id={task} href={`/tasks/${task}`} />
          },
        },
        {
          id: 'when',
          label: 'Time',
          isNumber: true,
          cell: ({ created_at }) => <Ago at={created_at} />,
        },
      ]}
    />
  )
}

function OneEvent({ id, known }: { id: string; known: Event | undefined }) {
  const asked = useQuery({ ...oneEventQuery(id), enabled: known === undefined })
  const again = useAction({
    run: (_: undefined, key) => api.post('/events/{id}/redeliver', { params: { id }, key }),
    changes: ['deliveries'],
  })
  const event = known ?? asked.data
  return (
    <Panel title="Payload">
      <Id id={id} />
      {event === undefined ? (
        <QueryResult query={asked} rows={1}>
          {() => null}
        </QueryResult>
      ) : (
        <>
          <span className="text-muted">{moment(event.created_at)}</span>
          <Code label="event">{JSON.stringify(event, null, 2)}</Code>
        </>
      )}
      <ActionError error={again.error} />
      {again.isSuccess && <Banner tone="good">Sending it again.</Banner>}
      <RequiresScope scope="manage" isQuiet>
        <div>
          <Button
            look="secondary"
            isPending={again.isPending}
            onPress={() => again.mutate(undefined)}
          >
            Resend
          </Button>
        </div>
      </RequiresScope>
    </Panel>
  )
}
