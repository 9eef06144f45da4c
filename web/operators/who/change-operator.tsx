/** Changes an account after saying what that means for the person, for open cases and for proposals. */
import { type ReactNode, useState } from 'react'
import { ActionError } from '../../shared/desk/query-states.tsx'
import { useAction } from '../../shared/desk/use-action.ts'
import { Button } from '../../shared/ui/button.tsx'
import { Field } from '../../shared/ui/field.tsx'
import { Form } from '../../shared/ui/form.tsx'
import { Sheet } from '../../shared/ui/sheet.tsx'
import { type Answer, api } from '../api.ts'
import { ChooseRole, type Role } from './roles.tsx'

type Operators = Answer<'/operators'>
export type Change = 'role' | 'disable' | 'enable' | 'passkeys'

const REASON_MIN = 3
const REASON_MAX = 500

const WORDS: Record<Change, { title: string; button: string; effects: readonly string[] }> = {
  role: {
    title: 'Change the role',
    button: 'Change role',
    effects: [
      'The new role applies from the next request on. Nobody is signed out.',
      'Proposals that the new role may not make can no longer be agreed to.',
      'All administrators get an email.',
    ],
  },
  disable: {
    title: 'Disable the account',
    button: 'Disable account',
    effects: [
      'All sessions end at once, and no passkey, company account or link works anymore.',
      'Decisions that were made stay. Proposals that wait for a second operator can’t be agreed to: decline them, and propose them again if they are right.',
      'Cases stay assigned to this person until a colleague takes them.',
      'Passkeys are kept, for when the account is enabled again.',
    ],
  },
  enable: {
    title: 'Enable the account',
    button: 'Enable account',
    effects: [
      'The person can sign in again with the same role and the same passkeys. Ended sessions don’t come back.',
      'Whoever never had a passkey needs a new link.',
      'All administrators get an email.',
    ],
  },
  passkeys: {
    title: 'Remove all passkeys',
    button: 'Remove all passkeys',
    effects: [
      'For somebody whose device was lost or stolen. All sessions end at once.',
      'The person can’t sign in with a passkey until you send a new link.',
      'A company account still works. Disable the account if that isn’t safe either.',
    ],
  },
}

export function ChangeOperator({
  operator: { id, name, role: current },
  roles,
  change,
  onClose,
}: {
  operator: Operators['operators'][number]
  roles: Operators['roles']
  change: Change
  onClose(): void
}) {
  const [role, setRole] = useState<Role>(current)
  const [reason, setReason] = useState('')
  const [isTried, setIsTried] = useState(false)
  const { title, button, effects } = WORDS[change]
  const carryOut = useAction({
    run(words: string): Promise<unknown> {
      if (change === 'passkeys') return api.delete('/operators/{id}/passkeys', { params: { id } })
      const what = change === 'role' ? { role } : { is_disabled: change === 'disable' }
      return api.put('/operators/{id}', { params: { id }, body: { ...what, reason: words } })
    },
    changes: ['operators', 'operator sessions', 'colleagues', 'audit log'],
    onDone: onClose,
  })
  const problems = {
    role: change === 'role' && role === current ? 'Choose another role' : undefined,
    reason:
      change !== 'passkeys' && reason.trim().length < REASON_MIN ? 'Enter a reason' : undefined,
  }
  return (
    <Sheet title={`${title}: ${name}`} closeLabel="Close" isOpen onClose={onClose}>
      <Form
        problems={isTried ? problems : {}}
        onSubmit={() => {
          setIsTried(true)
          if (problems.role === undefined && problems.reason === undefined)
            carryOut.mutate(reason.trim())
        }}
      >
        {change === 'role' && <ChooseRole roles={roles} value={role} onChange={setRole} />}
        <Effects>{effects}</Effects>
        {isTried && problems.role !== undefined && (
          <p role="alert" className="text-sm font-semibold text-danger">
            {problems.role}
          </p>
        )}
        {change !== 'passkeys' && (
          <Field
            label="Reason"
            hint="It is kept in the audit log."
            rows={2}
            maxLength={REASON_MAX}
            value={reason}
            onChange={setReason}
            problem={isTried ? problems.reason : undefined}
          />
        )}
        <ActionError error={carryOut.error} />
        <div>
          <Button
            type="submit"
            look={change === 'disable' || change === 'passkeys' ? 'danger' : 'primary'}
            isPending={carryOut.isPending}
          >
            {button}
          </Button>
        </div>
      </Form>
    </Sheet>
  )
}

function Effects({ children }: { children: readonly string[] }): ReactNode {
  return (
    <ul className="flex list-disc flex-col gap-1 ps-5">
      {children.map((effect) => (
        <li key={effect}>{effect}</li>
      ))}
    </ul>
  )
}
