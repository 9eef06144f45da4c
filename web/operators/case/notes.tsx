import { useRef, useState } from 'react'
import { Ago } from '../../shared/desk/ago.tsx'
import { ActionError } from '../../shared/desk/query-states.tsx'
import { Panel } from '../../shared/desk/screen.tsx'
import { useAction } from '../../shared/desk/use-action.ts'
import { Button } from '../../shared/ui/button.tsx'
import { Field } from '../../shared/ui/field.tsx'
import { Form } from '../../shared/ui/form.tsx'
import { Kbd } from '../../shared/ui/kbd.tsx'
import { api, type Case } from '../api.ts'
import { useDraft } from '../drafts.ts'
import { useKeys } from '../keys.ts'
import { useDesk } from '../session.tsx'
import { Assignment } from './assignment.tsx'

/** Who works on the case, and what operators have written about it for each other. */
export function Notes({ shown }: { shown: Case }) {
  const { can } = useDesk()
  const { notes } = shown
  return (
    <Panel title="Notes">
      <Assignment shown={shown} />
      {notes.length > 0 && (
        <ul aria-label="Notes" className="flex flex-col gap-3 border-t border-border pt-3">
          {notes.map(({ id, operator, text, at }) => (
            <li key={id} className="flex flex-col">
              <span className="text-sm text-muted">
                <bdi className="font-medium text-text">{operator.name}</bdi> · <Ago at={at} />
              </span>
              <p className="whitespace-pre-wrap" dir="auto">
                {text}
              </p>
            </li>
          ))}
        </ul>
      )}
      {can('note') && <NewNote caseId={shown.id} />}
    </Panel>
  )
}

function NewNote({ caseId }: { caseId: string }) {
  const box = useRef<HTMLDivElement>(null)
  const [text, setText] = useDraft(`note ${caseId}`)
  const [isTried, setIsTried] = useState(false)
  useKeys({ n: () => box.current?.querySelector('textarea')?.focus() })
  const add = useAction({
    run: (words: string) =>
      api.post('/cases/{id}/notes', { params: { id: caseId }, body: { text: words } }),
    changes: ['case'],
    onDone() {
      setText('')
      setIsTried(false)
    },
  })
  const problem = isTried && text.trim() === '' ? 'Enter a note' : undefined
  return (
    <div ref={box}>
      <Form
        problems={{ problem }}
        onSubmit={() => {
          setIsTried(true)
          if (text.trim() !== '') add.mutate(text.trim())
        }}
      >
        <Field
          label="New note"
          hint="Only operators see notes."
          rows={2}
          maxLength={2000}
          value={text}
          onChange={setText}
          problem={problem}
        />
        <ActionError error={add.error} />
        <div>
          <Button type="submit" look="secondary" isPending={add.isPending} aria-keyshortcuts="n">
            Add note <Kbd>n</Kbd>
          </Button>
        </div>
      </Form>
    </div>
  )
}
