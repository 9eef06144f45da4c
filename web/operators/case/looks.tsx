/** Personal data is masked, and proofs are not loaded, until an operator asks with a reason. Each look is logged. */
import { useMutation } from '@tanstack/react-query'
import { createContext, type ReactNode, useContext, useState } from 'react'
import { ActionError } from '../../shared/desk/query-states.tsx'
import { Button } from '../../shared/ui/button.tsx'
import { Field } from '../../shared/ui/field.tsx'
import { Form } from '../../shared/ui/form.tsx'
import { Sheet } from '../../shared/ui/sheet.tsx'
import { api, type Look, type LookWhat } from '../api.ts'
import { useDesk } from '../session.tsx'

interface Wanted {
  subject: string
  what: LookWhat
}

interface Looks {
  canLook: boolean
  /** What was shown on this page already. */
  seen(wanted: Wanted): Look['value'] | undefined
  /** Asks for the reason, then shows it; calls `onSeen` afterwards. */
  ask(wanted: Wanted, onSeen?: () => void): void
}

const LooksContext = createContext<Looks | undefined>(undefined)

export function useLooks(): Looks {
  const looks = useContext(LooksContext)
  if (looks === undefined) throw new Error('useLooks needs a LooksProvider around it')
  return looks
}

const keyOf = ({ subject, what }: Wanted) => `${subject} ${what}`

export function LooksProvider({ children }: { children: ReactNode }) {
  const { can } = useDesk()
  const [seen, setSeen] = useState<Record<string, Look['value']>>({})
  const [asked, setAsked] = useState<Wanted & { onSeen?: (() => void) | undefined }>()
  return (
    <LooksContext
      value={{
        canLook: can('look'),
        seen: (wanted) => seen[keyOf(wanted)],
        ask: (wanted, onSeen) => setAsked({ ...wanted, onSeen }),
      }}
    >
      {children}
      {asked !== undefined && (
        <AskReason
          wanted={asked}
          onClose={() => setAsked(undefined)}
          onSeen={(value) => {
            setSeen((before) => ({ ...before, [keyOf(asked)]: value }))
            setAsked(undefined)
            asked.onSeen?.()
          }}
        />
      )}
    </LooksContext>
  )
}

const NAMES: Record<LookWhat, string> = {
  email: 'the email address',
  phone: 'the phone number',
  place: 'the exact place',
  proof: 'the proof',
  attachment: 'the attachments',
  contact: 'whom to call',
}

const REASONS = [
  'Needed to decide this case',
  'Second opinion for a colleague',
  'The person asked us about it',
  'Suspected fraud',
]

function AskReason({
  wanted: { subject, what },
  onSeen,
  onClose,
}: {
  wanted: Wanted
  onSeen(value: Look['value']): void
  onClose(): void
}) {
  const [own, setOwn] = useState('')
  const [isShort, setIsShort] = useState(false)
  const look = useMutation({
    mutationFn: (reason: string) => api.post('/looks', { body: { subject, what, reason } }),
    onSuccess: ({ look: { value } }) => onSeen(value),
  })
  const problem = isShort && own.trim().length < 3 ? 'Enter a reason' : undefined
  return (
    <Sheet title={`Show ${NAMES[what]}`} closeLabel="Close" isOpen onClose={onClose}>
      <p className="text-muted">Choose a reason. The audit log records it with your name.</p>
      <div className="flex flex-col gap-2">
        {REASONS.map((reason, at) => (
          <Button
            key={reason}
            look="secondary"
            isWide
            autoFocus={at === 0}
            isDisabled={look.isPending}
            onPress={() => look.mutate(reason)}
          >
            {reason}
          </Button>
        ))}
      </div>
      <Form
        problems={{ problem }}
        onSubmit={() => {
          setIsShort(own.trim().length < 3)
          if (own.trim().length >= 3) look.mutate(own.trim())
        }}
      >
        <Field
          label="Another reason"
          value={own}
          onChange={setOwn}
          maxLength={200}
          problem={problem}
        />
        <ActionError error={look.error} />
        <div>
          <Button type="submit" isPending={look.isPending}>
            Show
          </Button>
        </div>
      </Form>
    </Sheet>
  )
}
