import { useState } from 'react'
import { ActionError } from '../../shared/desk/query-states.tsx'
import { useAction } from '../../shared/desk/use-action.ts'
import { Button } from '../../shared/ui/button.tsx'
import { Field } from '../../shared/ui/field.tsx'
import { Form } from '../../shared/ui/form.tsx'
import { Sheet } from '../../shared/ui/sheet.tsx'
import { type Answer, api, type Body } from '../api.ts'
import { ChooseRole, type Role } from './roles.tsx'

type Operators = Answer<'/operators'>

const EMAIL = /^\S+@\S+\.\S+$/

/** Invites somebody by email, as a viewer unless another role is chosen. */
export function Invite({
  roles,
  onInvited,
  onClose,
}: {
  roles: Operators['roles']
  onInvited(operator: Operators['operators'][number]): void
  onClose(): void
}) {
  const [name, setName] = useState('')
  const [email, setEmail] = useState('')
  const [role, setRole] = useState<Role>('viewer')
  const [isTried, setIsTried] = useState(false)
  const invite = useAction({
    run: (body: Body<'/operators'>) => api.post('/operators', { body }),
    changes: ['operators', 'colleagues'],
    onDone: ({ operator }) => onInvited(operator),
  })
  const problems = {
    name: name.trim() === '' ? 'Enter the person’s name' : undefined,
    email: EMAIL.test(email.trim()) ? undefined : 'Enter an email address, such as ada@example.com',
  }
  return (
    <Sheet title="Invite an operator" closeLabel="Close" isOpen onClose={onClose}>
      <Form
        problems={isTried ? problems : {}}
        onSubmit={() => {
          setIsTried(true)
          if (problems.name === undefined && problems.email === undefined)
            invite.mutate({ name: name.trim(), email: email.trim(), role })
        }}
      >
        <Field
          label="Name"
          hint="Colleagues see it beside every decision. Workers and agents don’t."
          maxLength={100}
          value={name}
          onChange={setName}
          problem={isTried ? problems.name : undefined}
        />
        <Field
          label="Email"
          type="email"
          hint="We send a link there that works once, for 72 hours."
          maxLength={200}
          value={email}
          onChange={setEmail}
          problem={isTried ? problems.email : undefined}
        />
        <ChooseRole roles={roles} value={role} onChange={setRole} />
        <ActionError error={invite.error} />
        <div>
          <Button type="submit" isPending={invite.isPending}>
            Send invitation
          </Button>
        </div>
      </Form>
    </Sheet>
  )
}
