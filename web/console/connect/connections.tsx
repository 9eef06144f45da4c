/** The apps that have access, on the page of the keys: each has a limited key there. */
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Ago } from '../../shared/desk/ago.tsx'
import { Panel } from '../../shared/desk/screen.tsx'
import { useAction } from '../../shared/desk/use-action.ts'
import { Button } from '../../shared/ui/button.tsx'
import { type Answer, api } from '../api.ts'
import { Confirm } from '../tasks/confirm.tsx'

type Connection = Answer<'/agents/connections'>['connections'][number]

const connectionsQuery = queryOptions({
  queryKey: ['connections'],
  queryFn: ({ signal }) => api.get('/agents/connections', { signal }),
})

export function Connections() {
  const { data } = useQuery(connectionsQuery)
  const [ending, setEnding] = useState<Connection>()
  if (data === undefined || data.connections.length === 0) return null
  return (
    <Panel title="Connected apps">
      <ul className="flex flex-col gap-3" aria-label="Connected apps">
        {data.connections.map((one) => (
          <li key={one.id} className="flex flex-wrap items-center justify-between gap-2">
            <span className="flex min-w-0 flex-col">
              <bdi className="font-semibold">{one.app_name}</bdi>
              <span className="text-sm text-muted">
                {one.redirect_host}, connected <Ago at={one.created_at} />, ends{' '}
                <Ago at={one.expires_at} />
              </span>
            </span>
            <Button
              look="secondary"
              onPress={() => setEnding(one)}
              aria-label={`Disconnect ${one.app_name}`}
            >
              Disconnect…
            </Button>
          </li>
        ))}
      </ul>
      <p className="text-sm text-muted">
        The key below each app’s name has its limits and spending.
      </p>
      {ending !== undefined && (
        <Disconnect connection={ending} onClose={() => setEnding(undefined)} />
      )}
    </Panel>
  )
}

function Disconnect({ connection, onClose }: { connection: Connection; onClose(): void }) {
  const action = useAction({
    run: (id: string) => api.delete('/agents/connections/{id}', { params: { id } }),
    changes: ['connections', 'keys'],
    onDone: onClose,
  })
  return (
    <Confirm
      title={`Disconnect ${connection.app_name}?`}
      does="Disconnect"
      isDanger
      action={action}
      onConfirm={() => action.mutate(connection.id)}
      onClose={onClose}
    >
      <p>
        The app loses access within seconds. Tasks that it has posted continue. It can ask you for
        access again.
      </p>
    </Confirm>
  )
}
