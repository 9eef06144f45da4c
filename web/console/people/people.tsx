/** The people of the agent: who they are, what they may do, and how they join and leave. */
import { useQuery } from '@tanstack/react-query'
import { UserPlus } from 'lucide-react'
import { useState } from 'react'
import { Ago } from '../../shared/desk/ago.tsx'
import { QueryResult } from '../../shared/desk/query-states.tsx'
import { Panel, Screen } from '../../shared/desk/screen.tsx'
import { TextLink } from '../../shared/desk/text-link.tsx'
import { Button } from '../../shared/ui/button.tsx'
import { Tag } from '../../shared/ui/card.tsx'
import { Table } from '../../shared/ui/table.tsx'
import { useConsole } from '../session.tsx'
import { ChangeRole, Invite, Leave, Remove } from './dialogs.tsx'
import { type Person, peopleQuery } from './queries.ts'
import { ROLES } from './words.ts'

type Open = { what: 'invite' | 'leave' } | { what: 'role' | 'remove' | 'again'; person: Person }

export function People() {
  const { person: self } = useConsole()
  return self === undefined ? <ForPeople /> : <Members self={self} />
}

/** A key has no people: they log in by email. */
function ForPeople() {
  const { agent, isTest } = useConsole()
  return (
    <Screen title="People">
      <Panel title="Log in with your email to manage people">
        <p className="text-muted">
          You’re logged in with an API key of {agent.name}. Log out, then ask for a link to your
          email address. The first person who logs in with the agent’s own confirmed email becomes
          its owner and can invite others.
        </p>
        <TextLink href="/settings">
          {isTest ? 'Show the agent’s email' : 'Check that the email is confirmed'}
        </TextLink>
      </Panel>
    </Screen>
  )
}

function Members({ self }: { self: { id: string; rights: readonly string[] } }) {
  const people = useQuery(peopleQuery)
  const [open, setOpen] = useState<Open>()
  const close = () => setOpen(undefined)
  const isOwner = self.rights.includes('people')
  return (
    <Screen
      title="People"
      lead="Everyone who can log in to this console by email, and what their role allows."
      actions={
        <div className="flex flex-wrap gap-2">
          {isOwner && (
            <Button onPress={() => setOpen({ what: 'invite' })}>
              <UserPlus size={16} aria-hidden />
              Invite
            </Button>
          )}
          <Button look="secondary" onPress={() => setOpen({ what: 'leave' })}>
            Leave…
          </Button>
        </div>
      }
    >
      <QueryResult query={people}>
        {({ people: rows }) => (
          <Panel isFlush>
            <Table
              label="People"
              rows={rows}
              keyOf={({ id }) => id}
              columns={[
                { id: 'name', label: 'Name', cell: (one) => <Name person={one} self={self} /> },
                { id: 'role', label: 'Role', cell: ({ role }) => ROLES[role].label },
                { id: 'state', label: 'Joined', cell: (one) => <State person={one} /> },
                ...(isOwner
                  ? [
                      {
                        id: 'actions',
                        label: 'Actions',
                        cell: (one: Person) => <Actions person={one} onOpen={setOpen} />,
                      },
                    ]
                  : []),
              ]}
            />
          </Panel>
        )}
      </QueryResult>
      <RolesExplained />
      {open?.what === 'invite' && <Invite onClose={close} />}
      {open?.what === 'again' && <Invite person={open.person} onClose={close} />}
      {open?.what === 'role' && <ChangeRole person={open.person} onClose={close} />}
      {open?.what === 'remove' && <Remove person={open.person} onClose={close} />}
      {open?.what === 'leave' && <Leave onClose={close} />}
    </Screen>
  )
}

function Name({ person, self }: { person: Person; self: { id: string } }) {
  return (
    <span className="flex min-w-0 flex-col">
      <span className="inline-flex flex-wrap items-center gap-2 font-medium">
        <bdi>{person.name}</bdi>
        {person.id === self.id && <Tag tone="good">You</Tag>}
      </span>
      <span className="text-sm break-all text-muted">{person.email}</span>
    </span>
  )
}

function State({ person: { status, invited_at, accepted_at } }: { person: Person }) {
  if (status === 'active' && accepted_at !== null) return <Ago at={accepted_at} />
  return (
    <span className="inline-flex flex-wrap items-center gap-2">
      <Tag tone="warn">{status === 'invited' ? 'Invited' : 'Invitation expired'}</Tag>
      <Ago at={invited_at} />
    </span>
  )
}

function Actions({ person, onOpen }: { person: Person; onOpen(open: Open): void }) {
  return (
    <span className="flex flex-wrap gap-2">
      {person.status !== 'active' && (
        <Button
          look="secondary"
          onPress={() => onOpen({ what: 'again', person })}
          aria-label={`Invite again: ${person.name}`}
        >
          Invite again…
        </Button>
      )}
      <Button
        look="secondary"
        onPress={() => onOpen({ what: 'role', person })}
        aria-label={`Change the role of ${person.name}`}
      >
        Role…
      </Button>
      <Button
        look="secondary"
        onPress={() => onOpen({ what: 'remove', person })}
        aria-label={`Remove ${person.name}`}
      >
        Remove…
      </Button>
    </span>
  )
}

function RolesExplained() {
  return (
    <Panel title="Roles">
      <dl className="flex flex-col gap-2">
        {Object.entries(ROLES).map(([role, { label, may }]) => (
          <div key={role}>
            <dt className="font-medium">{label}</dt>
            <dd className="text-sm text-muted">{may}.</dd>
          </div>
        ))}
      </dl>
    </Panel>
  )
}
