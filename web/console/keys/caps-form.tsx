import { useState } from 'react'
import { Refusal } from '../../shared/api/client.ts'
import { Field } from '../../shared/ui/field.tsx'
import { api, type Body } from '../api.ts'
import { Confirm } from '../tasks/confirm.tsx'
import { useAction } from '../../shared/desk/use-action.ts'
import { CapFields, CAPS, capsOf, type Dollars } from './caps.tsx'
import type { Key } from './tree.ts'

/** Edits the name and limits of an existing key. Its scopes can't change after creation. */
export function CapsForm({ apiKey: key, onClose }: { apiKey: Key; onClose(): void }) {
  const [name, setName] = useState(key.name)
  const [dollars, setDollars] = useState(
    () =>
      Object.fromEntries(
        CAPS.map(({ name: cap }) => {
          const cents = key.caps[cap]
          return [cap, cents === null ? '' : (cents / 100).toFixed(2)]
        }),
      ) as Dollars,
  )
  const action = useAction({
    run: (body: Body<'/agents/keys/{id}', 'patch'>) =>
      api.patch('/agents/keys/{id}', { params: { id: key.id }, body }),
    changes: ['keys'],
    onDone: onClose,
  })
  const caps = capsOf(dollars)
  const problems = action.error instanceof Refusal ? action.error.fields : {}
  return (
    <Confirm
      title={`Edit ${key.name}`}
      does="Save"
      action={action}
      problems={problems}
      onConfirm={() => {
        if (!Object.values(caps).includes(undefined))
          action.mutate({ name: name.trim(), ...caps } as Body<'/agents/keys/{id}', 'patch'>)
      }}
      onClose={onClose}
    >
      <Field label="Name" value={name} onChange={setName} problem={problems.name} />
      <CapFields dollars={dollars} problems={problems} onChange={setDollars} />
    </Confirm>
  )
}
