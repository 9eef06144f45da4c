import { useState } from 'react'
import { ActionError } from '../../shared/desk/query-states.tsx'
import { useAction } from '../../shared/desk/use-action.ts'
import { Button } from '../../shared/ui/button.tsx'
import { Field } from '../../shared/ui/field.tsx'
import { Form } from '../../shared/ui/form.tsx'
import { Sheet } from '../../shared/ui/sheet.tsx'
import { api } from '../api.ts'
import { useDraft } from '../drafts.ts'
import { REASON_MIN } from './reason.tsx'
import { CHANGED_BY_DECISIONS } from './waiting-decision.tsx'

/** Makes the decision that is the opposite of an earlier one. */
export function Undo({
  id,
  title,
  onDone,
  onClose,
}: {
  id: string
  title: string
  onDone(): void
  onClose(): void
}) {
  const [reason, setReason] = useDraft(`undo ${id}`)
  const [isTried, setIsTried] = useState(false)
  const undo = useAction({
    run: (text: string, key) =>
      api.post('/decisions/{id}/undo', {
        params: { id },
        body: { reason: text, request_key: key },
      }),
    changes: CHANGED_BY_DECISIONS,
    onDone() {
      setReason('')
      onDone()
    },
  })
  const isMissing = reason.trim().length < REASON_MIN
  const problem = isTried && isMissing ? 'Enter a reason' : undefined
  return (
    <Sheet title={`Undo: ${title}`} closeLabel="Close" isOpen onClose={onClose}>
      <Form
        problems={{ problem }}
        onSubmit={() => {
          setIsTried(true)
          if (!isMissing) undo.mutate(reason.trim())
        }}
      >
        <Field
          label="Reason"
          hint="Kept with both decisions."
          rows={3}
          autoFocus
          maxLength={500}
          value={reason}
          onChange={setReason}
          problem={problem}
        />
        <ActionError error={undo.error} />
        <div className="flex flex-wrap gap-2">
          <Button type="submit" isPending={undo.isPending}>
            Undo
          </Button>
          <Button look="secondary" onPress={onClose}>
            Go back
          </Button>
        </div>
      </Form>
    </Sheet>
  )
}
