/** The own passkeys: add one per device, and remove those of devices that are gone. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { KeyRound } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Refusal } from '../../shared/api/client.ts'
import { Ago } from '../../shared/desk/ago.tsx'
import { QueryResult } from '../../shared/desk/query-states.tsx'
import { Panel } from '../../shared/desk/screen.tsx'
import { Button } from '../../shared/ui/button.tsx'
import { Banner } from '../../shared/ui/card.tsx'
import { Field } from '../../shared/ui/field.tsx'
import { Form } from '../../shared/ui/form.tsx'
import { Sheet } from '../../shared/ui/sheet.tsx'
import { Empty } from '../../shared/ui/states.tsx'
import { type Answer, api } from '../api.ts'
import { createPasskey, problemWithPasskey, signInWithPasskey } from './passkey.ts'
import { passkeysQuery } from './queries.ts'

type Passkey = Answer<'/passkeys'>['passkeys'][number]

const NAME_MAX = 100

export function Passkeys() {
  const passkeys = useQuery(passkeysQuery)
  const [isAdding, setIsAdding] = useState(false)
  const [leaving, setLeaving] = useState<Passkey>()
  return (
    <Panel
      title="Passkeys"
      actions={
        <Button look="secondary" onPress={() => setIsAdding(true)}>
          Add a passkey…
        </Button>
      }
    >
      <QueryResult query={passkeys} rows={1}>
        {({ passkeys: all }) =>
          all.length === 0 ? (
            <Empty icon={<KeyRound aria-hidden />} title="No passkeys">
              You sign in with your company account. Add a passkey to sign in when that doesn’t
              work.
            </Empty>
          ) : (
            <ul className="flex flex-col divide-y divide-border">
              {all.map((passkey) => (
                <Row key={passkey.id} passkey={passkey} onRemove={() => setLeaving(passkey)} />
              ))}
            </ul>
          )
        }
      </QueryResult>
      {isAdding && <Add onClose={() => setIsAdding(false)} />}
      {leaving !== undefined && <Remove passkey={leaving} onClose={() => setLeaving(undefined)} />}
    </Panel>
  )
}

function Row({ passkey, onRemove }: { passkey: Passkey; onRemove(): void }) {
  const { name, created_at, used_at } = passkey
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-3 first:pt-0 last:pb-0">
      <span className="flex min-w-0 flex-1 basis-60 items-start gap-3">
        <KeyRound size={20} aria-hidden className="mt-0.5 shrink-0 text-muted" />
        <span className="flex min-w-0 flex-col">
          <span className="font-medium" dir="auto">
            {name}
          </span>
          <span className="text-sm text-muted">
            {used_at === null ? (
              'Not used to sign in yet'
            ) : (
              <>
                Last used <Ago at={used_at} />
              </>
            )}{' '}
            · added <Ago at={created_at} />
          </span>
        </span>
      </span>
      <Button look="secondary" onPress={onRemove}>
        Remove…
        <span className="sr-only">{name}</span>
      </Button>
    </li>
  )
}

function Add({ onClose }: { onClose(): void }) {
  const [name, setName] = useState('')
  const add = useChange({
    async run() {
      const asked = await api.post('/passkeys/begin')
      const passkey = await createPasskey(asked)
      const { challenge_id } = asked
      await api.post('/passkeys/finish', {
        body: { challenge_id, passkey, ...(name.trim() === '' ? {} : { name: name.trim() }) },
      })
    },
    onDone: onClose,
  })
  return (
    <Sheet title="Add a passkey" closeLabel="Close" isOpen onClose={onClose}>
      <p className="text-muted">
        Your browser asks where to keep it: on this device, on a phone or on a security key.
      </p>
      <Form onSubmit={() => add.mutate()}>
        <Field
          label="Name"
          hint="To tell your passkeys apart. Leave it empty to use the name of this browser."
          placeholder="Security key at home"
          maxLength={NAME_MAX}
          value={name}
          onChange={setName}
        />
        <Failure error={add.error} onConfirmed={() => add.mutate()} />
        <div>
          <Button type="submit" isPending={add.isPending}>
            Add passkey
          </Button>
        </div>
      </Form>
    </Sheet>
  )
}

function Remove({ passkey: { id, name }, onClose }: { passkey: Passkey; onClose(): void }) {
  const remove = useChange({
    run: () => api.delete('/passkeys/{id}', { params: { id } }),
    onDone: onClose,
  })
  return (
    <Sheet title="Remove a passkey" closeLabel="Close" isOpen onClose={onClose}>
      <p>
        The passkey <b dir="auto">{name}</b> will no longer sign you in. Sessions that it began stay
        open; end them under Sessions if the device is lost. Your device may still offer the
        passkey: delete it there too.
      </p>
      <Failure error={remove.error} onConfirmed={() => remove.mutate()} />
      <div>
        <Button look="danger" isPending={remove.isPending} onPress={() => remove.mutate()}>
          Remove passkey
        </Button>
      </div>
    </Sheet>
  )
}

function useChange({ run, onDone }: { run(): Promise<unknown>; onDone(): void }) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: run,
    async onSuccess() {
      onDone()
      await client.invalidateQueries({ queryKey: passkeysQuery.queryKey })
    },
  })
}

/** Ten minutes after signing in, the server asks again who is at the screen. */
function Failure({ error, onConfirmed }: { error: unknown; onConfirmed(): void }): ReactNode {
  const confirm = useMutation({ mutationFn: signInWithPasskey, onSuccess: onConfirmed })
  if (error === null) return null
  if (!(error instanceof Refusal && error.code === 'sign_in_again'))
    return (
      <Banner tone="bad" isAlert>
        {problemWithPasskey(error, 'create')}
      </Banner>
    )
  return (
    <Banner
      tone="warn"
      isAlert
      title="Confirm that it’s you"
      action={
        <div className="pt-1">
          <Button look="secondary" isPending={confirm.isPending} onPress={() => confirm.mutate()}>
            Confirm with a passkey
          </Button>
        </div>
      }
    >
      {confirm.error === null
        ? 'You signed in more than ten minutes ago. Without a passkey, sign out and sign in again.'
        : problemWithPasskey(confirm.error, 'sign in')}
    </Banner>
  )
}
