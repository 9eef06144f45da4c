import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Ago } from '../../shared/desk/ago.tsx'
import { ActionError, QueryResult } from '../../shared/desk/query-states.tsx'
import { useAction } from '../../shared/desk/use-action.ts'
import { Button } from '../../shared/ui/button.tsx'
import { Field } from '../../shared/ui/field.tsx'
import { Form } from '../../shared/ui/form.tsx'
import { Kbd } from '../../shared/ui/kbd.tsx'
import { Select } from '../../shared/ui/select.tsx'
import { Sheet } from '../../shared/ui/sheet.tsx'
import { api, type Body, type Case } from '../api.ts'
import { useDraft } from '../drafts.ts'
import { useKeys } from '../keys.ts'
import { colleaguesQuery } from '../queries.ts'
import { useDesk } from '../session.tsx'

const CHANGES = ['case', 'queue']

function useAssign(id: string, onDone?: () => void) {
  return useAction({
    run: (body: Body<'/cases/{id}/assignment', 'put'>) =>
      api.put('/cases/{id}/assignment', { params: { id }, body }),
    changes: CHANGES,
    ...(onDone === undefined ? {} : { onDone }),
  })
}

/** Who works on the case. `a` takes it. */
export function Assignment({ shown: { id, assignment } }: { shown: Case }) {
  const { operator, can } = useDesk()
  const [isOpen, setIsOpen] = useState(false)
  const assign = useAssign(id)
  const release = useAction({
    run: () => api.delete('/cases/{id}/assignment', { params: { id } }),
    changes: CHANGES,
  })
  const isMine = assignment?.operator.id === operator.id
  const take = () => assign.mutate({ operator_id: operator.id })
  useKeys(can('note') && !isMine ? { a: take } : {})
  return (
    <div className="flex flex-col gap-2">
      {assignment === null ? (
        <p className="text-muted">Nobody works on this case.</p>
      ) : (
        <div>
          <p>
            Assigned to{' '}
            <bdi className="font-medium">{isMine ? 'you' : assignment.operator.name}</bdi>,{' '}
            <Ago at={assignment.since} />
          </p>
          {assignment.words !== null && (
            <blockquote
              className="mt-1 border-s-4 border-border ps-3 whitespace-pre-wrap"
              dir="auto"
            >
              {assignment.words}
            </blockquote>
          )}
        </div>
      )}
      <ActionError error={assign.error ?? release.error} />
      {can('note') && (
        <div className="flex flex-wrap gap-2">
          {!isMine && (
            <Button
              look="secondary"
              isPending={assign.isPending}
              onPress={take}
              aria-keyshortcuts="a"
            >
              Assign to me <Kbd>a</Kbd>
            </Button>
          )}
          {isMine && (
            <Button
              look="secondary"
              isPending={release.isPending}
              onPress={() => release.mutate(undefined)}
            >
              Release
            </Button>
          )}
          <Button look="secondary" onPress={() => setIsOpen(true)}>
            Hand over…
          </Button>
        </div>
      )}
      {isOpen && <HandOver id={id} onClose={() => setIsOpen(false)} />}
    </div>
  )
}

function HandOver({ id, onClose }: { id: string; onClose(): void }) {
  const { operator } = useDesk()
  const colleagues = useQuery(colleaguesQuery)
  const [to, setTo] = useState('')
  const [words, setWords] = useDraft(`hand-over ${id}`)
  const [isTried, setIsTried] = useState(false)
  const assign = useAssign(id, () => {
    setWords('')
    onClose()
  })
  return (
    <Sheet title="Hand over this case" closeLabel="Close" isOpen onClose={onClose}>
      <QueryResult query={colleagues} rows={1}>
        {({ operators }) => (
          <Form
            onSubmit={() => {
              setIsTried(true)
              if (to === '') return
              assign.mutate({
                operator_id: to,
                ...(words.trim() === '' ? {} : { words: words.trim() }),
              })
            }}
          >
            <Select
              label="Colleague"
              value={to}
              options={[
                { value: '', label: 'Choose…' },
                ...operators
                  .filter((one) => one.id !== operator.id)
                  .map(({ id: value, name, role }) => ({ value, label: `${name}, ${role}` })),
              ]}
              onChange={setTo}
              {...(isTried && to === '' ? { hint: 'Choose a colleague' } : {})}
            />
            <Field
              label="What should they know? (optional)"
              rows={3}
              maxLength={500}
              value={words}
              onChange={setWords}
            />
            <ActionError error={assign.error} />
            <div>
              <Button type="submit" isPending={assign.isPending}>
                Hand over
              </Button>
            </div>
          </Form>
        )}
      </QueryResult>
    </Sheet>
  )
}
