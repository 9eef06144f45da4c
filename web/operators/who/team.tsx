/** All operators, and inviting one. */
import { useQuery } from '@tanstack/react-query'
import { Ban, CircleCheck, MailOpen } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'wouter'
import { Ago } from '../../shared/desk/ago.tsx'
import { plural } from '../../shared/desk/figures.ts'
import { QueryResult } from '../../shared/desk/query-states.tsx'
import { Panel, Screen } from '../../shared/desk/screen.tsx'
import { Button } from '../../shared/ui/button.tsx'
import { Banner, Tag } from '../../shared/ui/card.tsx'
import { Table } from '../../shared/ui/table.tsx'
import type { Answer } from '../api.ts'
import { Invite } from './invite.tsx'
import { operatorsQuery } from './queries.ts'
import { ROLE_NAMES } from './roles.tsx'

type Operator = Answer<'/operators'>['operators'][number]

export function Team() {
  const found = useQuery(operatorsQuery)
  const [isInviting, setIsInviting] = useState(false)
  const [invited, setInvited] = useState<Operator>()
  return (
    <Screen
      title="Operators"
      lead="Everybody who can sign in to the desk. All administrators get an email when somebody is invited, gets another role or is enabled again."
      actions={<Button onPress={() => setIsInviting(true)}>Invite an operator…</Button>}
    >
      {invited !== undefined && (
        <Banner tone="good" title={`${invited.name} is invited`}>
          We sent a link to {invited.email}. It works once, for 72 hours.
        </Banner>
      )}
      <QueryResult query={found}>
        {({ operators, roles }) => (
          <>
            <Operators operators={operators} />
            {isInviting && (
              <Invite
                roles={roles}
                onClose={() => setIsInviting(false)}
                onInvited={(operator) => {
                  setIsInviting(false)
                  setInvited(operator)
                }}
              />
            )}
          </>
        )}
      </QueryResult>
    </Screen>
  )
}

const STATUSES = {
  active: { word: 'Active', tone: 'good', icon: CircleCheck },
  invited: { word: 'Invited', tone: 'info', icon: MailOpen },
  disabled: { word: 'Disabled', tone: 'bad', icon: Ban },
} as const

export function StatusTag({ status }: Pick<Operator, 'status'>) {
  const { word, tone, icon: Icon } = STATUSES[status]
  return (
    <Tag tone={tone} icon={<Icon size={16} aria-hidden />}>
      {word}
    </Tag>
  )
}

/** How somebody can sign in. */
export const waysOf = ({ passkeys, has_company_account }: Operator) =>
  [
    ...(passkeys > 0 ? [plural(passkeys, 'passkey')] : []),
    ...(has_company_account ? ['company account'] : []),
  ].join(', ') || 'None yet'

/** Disabled accounts come last. */
const inOrder = (operators: Operator[]) =>
  operators.toSorted((a, b) => Number(a.status === 'disabled') - Number(b.status === 'disabled'))

function Operators({ operators }: { operators: Operator[] }) {
  return (
    <Panel isFlush>
      <Table
        label="Operators"
        rows={inOrder(operators)}
        keyOf={({ id }) => id}
        columns={[
          {
            id: 'name',
            label: 'Name',
            cell: ({ id, name, email }) => (
              <span className="flex min-w-0 flex-col items-end wide:items-start">
                <Link
                  href={`/team/${id}`}
                  className="inline-flex min-h-7 items-center font-medium text-brand hover:underline"
                >
                  <bdi>{name}</bdi>
                </Link>
                <span className="text-sm break-all text-muted">{email}</span>
              </span>
            ),
          },
          { id: 'role', label: 'Role', cell: ({ role }) => ROLE_NAMES[role] },
          { id: 'status', label: 'Status', cell: (row) => <StatusTag status={row.status} /> },
          { id: 'ways', label: 'Signs in with', cell: waysOf },
          {
            id: 'seen',
            label: 'Last seen',
            isNumber: true,
            cell: ({ seen_at }) => (seen_at === null ? '–' : <Ago at={seen_at} />),
          },
        ]}
      />
    </Panel>
  )
}
