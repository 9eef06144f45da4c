import { useQuery } from '@tanstack/react-query'
import { Table } from '../../shared/ui/table.tsx'
import { Ago } from '../../shared/desk/ago.tsx'
import { QueryResult } from '../../shared/desk/query-states.tsx'
import { Id } from '../../shared/desk/id.tsx'
import { Panel } from '../../shared/desk/screen.tsx'
import { latestEventsQuery, taskOf } from '../webhooks/queries.ts'
import { TextLink } from '../../shared/desk/text-link.tsx'

const ROWS = 6

export function LatestEvents() {
  const events = useQuery(latestEventsQuery(ROWS))
  return (
    <Panel title="Latest events" isFlush actions={<TextLink href="/events">All events</TextLink>}>
      <QueryResult query={events} rows={1}>
        {({ events: latest }) =>
          latest.length === 0 ? (
            <p className="px-4 pb-4 text-muted">No events yet.</p>
          ) : (
            <Table
              label="Latest events"
              rows={latest}
              keyOf={({ id }) => id}
              columns={[
                {
                  id: 'type',
                  label: 'Event',
                  cell: ({ type }) => <span className="font-mono text-sm">{type}</span>,
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
                  label: 'When',
                  isNumber: true,
                  cell: ({ created_at }) => <Ago at={created_at} />,
                },
              ]}
            />
          )
        }
      </QueryResult>
    </Panel>
  )
}
