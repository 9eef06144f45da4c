/** The own account: passkeys, and where one is signed in. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { ActionError, QueryResult } from '../../shared/desk/query-states.tsx'
import { Facts, Panel, Screen } from '../../shared/desk/screen.tsx'
import { Button } from '../../shared/ui/button.tsx'
import { api } from '../api.ts'
import { useDesk } from '../session.tsx'
import { Passkeys } from './passkeys.tsx'
import { sessionsQuery } from './queries.ts'
import { type Role, ROLE_NAMES } from './roles.tsx'
import { type DeskSession, Sessions } from './sessions.tsx'

export function Account() {
  const { operator, signOut } = useDesk()
  return (
    <Screen
      title="Your account"
      actions={
        <Button look="secondary" onPress={() => void signOut()}>
          Sign out
        </Button>
      }
    >
      <Panel>
        <Facts
          facts={[
            ['Name', <bdi key="name">{operator.name}</bdi>],
            ['Email', operator.email],
            ['Role', `${ROLE_NAMES[operator.role]}. ${whoChanges(operator.role)} can change it.`],
          ]}
        />
      </Panel>
      <Passkeys />
      <OwnSessions />
    </Screen>
  )
}

const whoChanges = (role: Role) =>
  role === 'admin' ? 'Only another administrator' : 'Only an administrator'

function OwnSessions() {
  const client = useQueryClient()
  const sessions = useQuery(sessionsQuery)
  const end = useMutation({
    async mutationFn(ended: DeskSession[]) {
      for (const { id } of ended) await api.delete('/sessions/{id}', { params: { id } })
    },
    onSettled: () => client.invalidateQueries({ queryKey: sessionsQuery.queryKey }),
  })
  const others = sessions.data?.sessions.filter(({ is_own }) => !is_own) ?? []
  return (
    <Panel
      title="Sessions"
      actions={
        others.length > 0 && (
          <Button look="secondary" isPending={end.isPending} onPress={() => end.mutate(others)}>
            End all others
          </Button>
        )
      }
    >
      <p className="text-sm text-muted">
        End sessions that you don’t recognize, and tell an administrator.
      </p>
      <QueryResult query={sessions} rows={1}>
        {(data) => (
          <Sessions
            sessions={data.sessions}
            isPending={end.isPending}
            onEnd={(session) => end.mutate([session])}
          />
        )}
      </QueryResult>
      <ActionError error={end.error} />
    </Panel>
  )
}
