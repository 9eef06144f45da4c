/** The dialogs of the page People. */
import { useState } from 'react'
import { Refusal } from '../../shared/api/client.ts'
import { useAction } from '../../shared/desk/use-action.ts'
import { Field } from '../../shared/ui/field.tsx'
import { Select } from '../../shared/ui/select.tsx'
import { api, type Body } from '../api.ts'
import { Confirm } from '../tasks/confirm.tsx'
import type { Person, Role } from './queries.ts'
import { ROLE_OPTIONS, ROLES } from './words.ts'

const CHANGES = ['people', 'actions', 'session']

function RoleField({ value, onChange }: { value: Role; onChange(role: Role): void }) {
  return (
    <Select
      label="Role"
      hint={`${ROLES[value].may}.`}
      value={value}
      options={ROLE_OPTIONS}
      onChange={onChange}
    />
  )
}

/** Invites someone; with a person, sends another link. */
export function Invite({ person, onClose }: { person?: Person; onClose(): void }) {
  const [name, setName] = useState(person?.name ?? '')
  const [email, setEmail] = useState(person?.email ?? '')
  const [role, setRole] = useState<Role>(person?.role ?? 'developer')
  const [isAsked, setIsAsked] = useState(false)
  const action = useAction({
    run: (body: Body<'/console/people'>, key) => api.post('/console/people', { body, key }),
    changes: CHANGES,
    onDone: onClose,
  })
  const fields = action.error instanceof Refusal ? action.error.fields : {}
  const nameless = isAsked && name.trim() === '' ? 'Enter a name' : fields.name
  const mailless =
    isAsked && email.trim() === ''
      ? 'Enter an email address'
      : fields.email && 'Enter a valid email address'
  return (
    <Confirm
      title={person === undefined ? 'Invite a person' : `Invite ${person.name} again`}
      does="Send invitation"
      action={action}
      problems={{ nameless, mailless }}
      onConfirm={() => {
        setIsAsked(true)
        if (name.trim() !== '' && email.trim() !== '')
          action.mutate({ name: name.trim(), email: email.trim(), role })
      }}
      onClose={onClose}
    >
      <Field
        label="Name"
        autoComplete="off"
        problem={nameless}
        value={name}
        onChange={setName}
        maxLength={100}
      />
      {person === undefined ? (
        <Field
          label="Email address"
          type="email"
          autoComplete="off"
          problem={mailless}
          value={email}
          onChange={setEmail}
        />
      ) : (
        <p className="text-muted">
          We’ll send a new link to {email}. The earlier one stops working.
        </p>
      )}
      <RoleField value={role} onChange={setRole} />
      <p className="text-sm text-muted">The link in the email works once, for 7 days.</p>
    </Confirm>
  )
}

export function ChangeRole({ person, onClose }: { person: Person; onClose(): void }) {
  const [role, setRole] = useState(person.role)
  const action = useAction({
    run: (body: Body<'/console/people/{id}', 'patch'>) =>
      api.patch('/console/people/{id}', { params: { id: person.id }, body }),
    changes: CHANGES,
    onDone: onClose,
  })
  return (
    <Confirm
      title={`Role of ${person.name}`}
      does="Save"
      action={action}
      onConfirm={() => action.mutate({ role })}
      onClose={onClose}
    >
      <RoleField value={role} onChange={setRole} />
      <p className="text-sm text-muted">It applies immediately, in open sessions too.</p>
    </Confirm>
  )
}

export function Remove({ person, onClose }: { person: Person; onClose(): void }) {
  const action = useAction({
    run: (id: string) => api.delete('/console/people/{id}', { params: { id } }),
    changes: CHANGES,
    onDone: onClose,
  })
  return (
    <Confirm
      title={`Remove ${person.name}`}
      does="Remove"
      isDanger
      action={action}
      onConfirm={() => action.mutate(person.id)}
      onClose={onClose}
    >
      <p>All sessions of {person.name} end immediately.</p>
      <p className="text-muted">
        API keys that they created or copied keep working. Rotate or revoke them under API keys.
      </p>
    </Confirm>
  )
}

export function Leave({ onClose }: { onClose(): void }) {
  const action = useAction({
    run: () => api.delete('/console/people/me'),
    changes: [],
    // A full page load, so that no screen keeps data of this agent.
    onDone: () => location.assign('/console'),
  })
  return (
    <Confirm
      title="Leave this agent"
      does="Leave"
      isDanger
      action={action}
      onConfirm={() => action.mutate(undefined)}
      onClose={onClose}
    >
      <p>All your sessions end immediately. An owner has to invite you to come back.</p>
    </Confirm>
  )
}
