import { useState } from 'react'
import { Refusal } from '../../shared/api/client.ts'
import { Chips } from '../../shared/ui/choice.tsx'
import { Field } from '../../shared/ui/field.tsx'
import { Select } from '../../shared/ui/select.tsx'
import { Toggle } from '../../shared/ui/toggle.tsx'
import { api, type Body } from '../api.ts'
import { SecretOnce } from '../secret-once.tsx'
import { Confirm } from '../tasks/confirm.tsx'
import { useAction } from '../../shared/desk/use-action.ts'
import { type TaskType, TYPE_NAMES, TYPES } from '../words.ts'
import { CapFields, capsOf, NO_CAPS } from './caps.tsx'
import { SCOPE_NAMES, SCOPES, type Scope } from './tree.ts'

const LIVES = [
  { value: '', label: 'Never' },
  { value: '1', label: '1 day' },
  { value: '7', label: '7 days' },
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
]
const DAY_MS = 86_400_000

export function CreateKey({ onClose }: { onClose(): void }) {
  const [name, setName] = useState('')
  const [scopes, setScopes] = useState<Scope[]>(['create', 'read'])
  const [types, setTypes] = useState<TaskType[]>([])
  const [dollars, setDollars] = useState(NO_CAPS)
  const [days, setDays] = useState('')
  const [isAsked, setIsAsked] = useState(false)
  const action = useAction({
    run: (body: Body<'/agents/keys'>, key) => api.post('/agents/keys', { body, key }),
    changes: ['keys'],
  })
  const caps = capsOf(dollars)
  const fields = action.error instanceof Refusal ? action.error.fields : {}
  const nameless = isAsked && name.trim() === '' ? 'Enter a name' : fields.name
  const made = action.data?.key
  const create = () => {
    setIsAsked(true)
    if (name.trim() === '' || Object.values(caps).includes(undefined)) return
    action.mutate({
      name: name.trim(),
      scopes,
      ...(types.length === 0 ? {} : { types }),
      ...Object.fromEntries(Object.entries(caps).filter(([, cents]) => cents !== null)),
      ...(days === ''
        ? {}
        : { expires_at: new Date(Date.now() + Number(days) * DAY_MS).toISOString() }),
    })
  }
  if (made !== undefined)
    return (
      <Confirm
        title="Your new key"
        does="I’ve copied it"
        action={action}
        onConfirm={onClose}
        onClose={onClose}
      >
        <SecretOnce label="API key" secret={made.api_key} />
      </Confirm>
    )
  return (
    <Confirm
      title="Create API key"
      does="Create key"
      action={action}
      problems={{ nameless, fields }}
      onConfirm={create}
      onClose={onClose}
    >
      <Field
        label="Name"
        placeholder="Price checker in production"
        value={name}
        onChange={setName}
        problem={nameless}
        autoFocus
      />
      <fieldset className="flex flex-col">
        <legend className="font-semibold">Scopes</legend>
        {SCOPE_NAMES.map((scope) => (
          <Toggle
            key={scope}
            isOn={scopes.includes(scope)}
            hint={SCOPES[scope].says}
            onChange={(isOn) =>
              setScopes(SCOPE_NAMES.filter((one) => (one === scope ? isOn : scopes.includes(one))))
            }
          >
            {SCOPES[scope].label}
          </Toggle>
        ))}
      </fieldset>
      <CapFields dollars={dollars} problems={fields} onChange={setDollars} />
      <fieldset className="flex flex-col gap-2">
        <legend className="pb-2 font-semibold">Task types (none selected means all)</legend>
        <Chips
          options={TYPE_NAMES.map((type) => ({ value: type, label: TYPES[type] }))}
          chosen={types}
          onChange={setTypes}
        />
      </fieldset>
      <Select label="Expires after" value={days} options={LIVES} onChange={setDays} />
    </Confirm>
  )
}
