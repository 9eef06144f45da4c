/** One operator: the role, how the person signs in, and where the person is signed in. */
import { useQuery } from '@tanstack/react-query'
import { UserX } from 'lucide-react'
import { useState } from 'react'
import { useParams } from 'wouter'
import { Ago } from '../../shared/desk/ago.tsx'
import { ActionError, QueryResult } from '../../shared/desk/query-states.tsx'
import { Facts, Panel, Screen } from '../../shared/desk/screen.tsx'
import { TextLink } from '../../shared/desk/text-link.tsx'
import { useAction } from '../../shared/desk/use-action.ts'
import { Button, ButtonLink } from '../../shared/ui/button.tsx'
import { Banner } from '../../shared/ui/card.tsx'
import { Empty } from '../../shared/ui/states.tsx'
import { type Answer, api } from '../api.ts'
import { useDesk } from '../session.tsx'
import { ChangeOperator, type Change } from './change-operator.tsx'
import { operatorsQuery, sessionsOfQuery } from './queries.ts'
import { May, ROLE_NAMES } from './roles.tsx'
import { Sessions } from './sessions.tsx'
import { StatusTag, waysOf } from './team.tsx'

type Operators = Answer<'/operators'>
type Operator = Operators['operators'][number]

export function OperatorPage() {
  const { id } = useParams<{ id: string }>()
  const found = useQuery(operatorsQuery)
  const operator = found.data?.operators.find((one) => one.id === id)
  return (
    <Screen
      title={operator?.name ?? 'Operator'}
      back={{ href: '/team', label: 'Operators' }}
      actions={operator && <StatusTag status={operator.status} />}
    >
      <QueryResult query={found}>
        {({ roles }) =>
          operator === undefined ? (
            <Panel>
              <Empty
                icon={<UserX aria-hidden />}
                title="No such operator"
                actions={<ButtonLink href="/team">See all operators</ButtonLink>}
              >
                The link may be incomplete. Look for the person in the list.
              </Empty>
            </Panel>
          ) : (
            <Shown operator={operator} roles={roles} />
          )
        }
      </QueryResult>
    </Screen>
  )
}

function Shown({ operator, roles }: { operator: Operator; roles: Operators['roles'] }) {
  const { operator: self } = useDesk()
  const [change, setChange] = useState<Change>()
  const { id, name, email, role, status, created_at, disabled_at, seen_at } = operator
  const isOwn = self.id === id
  return (
    <>
      {isOwn && (
        <Banner tone="info" title="This is you">
          Only another administrator can change your role or disable your account. You manage your
          passkeys and sessions under Your account.
        </Banner>
      )}
      <div className="grid grid-cols-1 items-start gap-4 wide:grid-cols-2">
        <Panel
          title="Role"
          actions={
            !isOwn && (
              <Button look="secondary" onPress={() => setChange('role')}>
                Change role…
              </Button>
            )
          }
        >
          <p className="font-medium">{ROLE_NAMES[role]}</p>
          <May may={roles.find((one) => one.role === role)?.may ?? []} />
        </Panel>
        <Panel title="Account">
          <Facts
            facts={[
              ['Email', email],
              ['Signs in with', waysOf(operator)],
              ['Invited', <Ago key="at" at={created_at} />],
              ...(disabled_at === null
                ? []
                : [['Disabled', <Ago key="at" at={disabled_at} />] satisfies [string, unknown]]),
              ['Last seen', seen_at === null ? 'Unknown' : <Ago at={seen_at} />],
            ]}
          />
          {!isOwn && <AccountActions operator={operator} onChange={setChange} />}
          <TextLink href={`/audit?operator=${id}`}>What {name} did</TextLink>
          <TextLink href={`/audit?subject=${id}`}>What was done to this account</TextLink>
        </Panel>
      </div>
      {status === 'active' && <SessionsOf operator={operator} />}
      {change !== undefined && (
        <ChangeOperator
          operator={operator}
          roles={roles}
          change={change}
          onClose={() => setChange(undefined)}
        />
      )}
    </>
  )
}

function AccountActions({
  operator: { id, email, status, passkeys },
  onChange,
}: {
  operator: Operator
  onChange(change: Change): void
}) {
  const send = useAction({
    run: () => api.post('/operators/{id}/link', { params: { id } }),
    changes: ['audit log'],
  })
  return (
    <>
      <div className="flex flex-wrap gap-2">
        {status === 'disabled' ? (
          <Button look="secondary" onPress={() => onChange('enable')}>
            Enable account…
          </Button>
        ) : (
          <>
            <Button
              look="secondary"
              isPending={send.isPending}
              onPress={() => send.mutate(undefined)}
            >
              {status === 'invited' ? 'Send the invitation again' : 'Send a new link'}
            </Button>
            {passkeys > 0 && (
              <Button look="secondary" onPress={() => onChange('passkeys')}>
                Remove all passkeys…
              </Button>
            )}
            <Button look="danger" onPress={() => onChange('disable')}>
              Disable account…
            </Button>
          </>
        )}
      </div>
      {send.isSuccess && (
        <Banner tone="good">
          We sent a link to {email}. It works once, for 72 hours. Earlier links no longer work.
        </Banner>
      )}
      <ActionError error={send.error} />
    </>
  )
}

function SessionsOf({ operator: { id, name } }: { operator: Operator }) {
  const sessions = useQuery(sessionsOfQuery(id))
  const end = useAction({
    run: () => api.delete('/operators/{id}/sessions', { params: { id } }),
    changes: ['operator sessions', 'operators', 'session'],
  })
  return (
    <Panel
      title="Sessions"
      actions={
        sessions.data !== undefined &&
        sessions.data.sessions.length > 0 && (
          <Button look="secondary" isPending={end.isPending} onPress={() => end.mutate(undefined)}>
            End all sessions
          </Button>
        )
      }
    >
      <QueryResult query={sessions} rows={1}>
        {(data) =>
          data.sessions.length === 0 ? (
            <p className="text-muted">
              <bdi>{name}</bdi> isn’t signed in.
            </p>
          ) : (
            <Sessions sessions={data.sessions} />
          )
        }
      </QueryResult>
      <ActionError error={end.error} />
    </Panel>
  )
}
