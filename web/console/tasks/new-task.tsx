/** Creates a task of any type, with its price and the equivalent API call. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { Refusal } from '../../shared/api/client.ts'
import { Button } from '../../shared/ui/button.tsx'
import { Segmented } from '../../shared/ui/choice.tsx'
import { Disclosure } from '../../shared/ui/disclosure.tsx'
import { Field } from '../../shared/ui/field.tsx'
import { Form } from '../../shared/ui/form.tsx'
import { Select } from '../../shared/ui/select.tsx'
import { api, type Body } from '../api.ts'
import { ActionError } from '../../shared/desk/query-states.tsx'
import { money } from '../../shared/desk/figures.ts'
import { RequiresScope } from '../scopes.tsx'
import { PERSONAS } from '../personas.ts'
import { meQuery } from '../queries.ts'
import { Sample } from '../sample.tsx'
import { Panel, Screen } from '../../shared/desk/screen.tsx'
import { useConsole } from '../session.tsx'
import { useAction } from '../../shared/desk/use-action.ts'
import { useSettled } from '../../shared/desk/use-settled.ts'
import { type Task, type TaskType, TYPES } from '../words.ts'
import { EffectLine } from './confirm.tsx'
import { quoteQuery } from './quote.ts'
import { bodyOf, type Chosen, exampleOf, FORMS, missingIn, type TaskForm } from './task-forms.ts'

const PROOFS: { value: Task['proof_required']; label: string }[] = [
  { value: 'text', label: 'Text' },
  { value: 'photo', label: 'Photo' },
  { value: 'video', label: 'Video' },
  { value: 'audio', label: 'Audio' },
]
const URGENCIES: { value: Task['urgency']; label: string }[] = [
  { value: 'instant', label: 'Instant (15 min)' },
  { value: 'urgent', label: 'Urgent (1 hr)' },
  { value: 'standard', label: 'Standard (4 hr)' },
  { value: 'flex', label: 'Flex (24 hr)' },
]
const FEE_PERCENT = 18
const FREE_MAX_CENTS = 2000

const startOf = (form: TaskForm, isTest: boolean): Chosen => ({
  values: {},
  budgetCents: form.budgetCents,
  people: 1,
  proof: form.proof,
  urgency: form.urgency,
  deadline: '',
  ...(isTest ? { persona: 'happy' } : {}),
})

export function NewTask() {
  const { isTest } = useConsole()
  const [type, setType] = useState<TaskType>('verification')
  const form = FORMS.find((one) => one.type === type)!
  const [chosen, setChosen] = useState(() => startOf(form, isTest))
  const [, go] = useLocation()
  const [isAsked, setIsAsked] = useState(false)
  const action = useAction({
    run: ({ path, body }: { path: TaskForm['path']; body: object }, key) =>
      api.post(path as '/tasks', { body: body as Body<'/tasks'>, key }),
    changes: ['tasks', 'stats', 'me', 'wallet'],
    onDone: ({ task }) => go(`/tasks/${task.id}`),
  })
  const body = bodyOf(form, chosen)
  const missing = isAsked ? missingIn(form, chosen.values) : []
  const fields = action.error instanceof Refusal ? action.error.fields : {}
  const problemOf = (name: string) =>
    missing.includes(name) ? 'Required' : (fields[name] ?? undefined)

  return (
    <Screen title="New task" back={{ href: '/tasks', label: 'Tasks' }}>
      <div className="grid grid-cols-1 items-start gap-4 wide:grid-cols-[minmax(0,1fr)_minmax(0,26rem)]">
        <Panel title="Task">
          <Form
            problems={{ missing, fields }}
            onSubmit={() => {
              setIsAsked(true)
              if (missingIn(form, chosen.values).length === 0)
                action.mutate({ path: form.path, body })
            }}
          >
            <Select
              label="Type"
              hint={form.says}
              value={type}
              options={FORMS.map((one) => ({
                value: one.type,
                label: `${TYPES[one.type]} · ${money(one.budgetCents)}`,
              }))}
              onChange={(next) => {
                setType(next)
                setIsAsked(false)
                const nextForm = FORMS.find((one) => one.type === next)!
                // Keep values of the fields that both forms share.
                setChosen((before) => ({
                  ...startOf(nextForm, isTest),
                  values: before.values,
                  people: before.people,
                  ...(before.persona === undefined ? {} : { persona: before.persona }),
                }))
              }}
            />
            {form.fields.map(({ name, label, hint, placeholder, rows }) => (
              <Field
                key={name}
                label={label}
                hint={hint}
                placeholder={placeholder}
                {...(rows === undefined ? {} : { rows })}
                value={chosen.values[name] ?? ''}
                onChange={(text) =>
                  setChosen((before) => ({ ...before, values: { ...before.values, [name]: text } }))
                }
                problem={problemOf(name)}
              />
            ))}
            <Common chosen={chosen} onChange={setChosen} problemOf={problemOf} />
            <ActionError error={action.error} />
            <RequiresScope scope="create">
              <div>
                <Button type="submit" isPending={action.isPending}>
                  Post for {money(chosen.budgetCents)}
                </Button>
              </div>
            </RequiresScope>
          </Form>
        </Panel>
        <div className="flex min-w-0 flex-col gap-4 wide:sticky wide:top-20">
          <Price form={form} chosen={chosen} />
          <Sample
            call={{
              method: 'POST',
              path: form.path,
              body: bodyOf(form, { ...chosen, values: exampleOf(form, chosen.values) }),
            }}
          />
        </div>
      </div>
    </Screen>
  )
}

function Common({
  chosen,
  onChange,
  problemOf,
}: {
  chosen: Chosen
  onChange(chosen: Chosen): void
  problemOf(name: string): string | undefined
}) {
  const [dollars, setDollars] = useState<string>()
  const set = (change: Partial<Chosen>) => onChange({ ...chosen, ...change })
  const persona = PERSONAS.find(({ value }) => value === chosen.persona)
  return (
    <>
      <div className="grid grid-cols-1 gap-4 min-[30rem]:grid-cols-2">
        <Field
          label="Budget, in dollars"
          inputMode="decimal"
          value={dollars ?? (chosen.budgetCents / 100).toFixed(2)}
          onChange={(text) => {
            setDollars(text)
            const cents = Math.round(Number(text) * 100)
            if (Number.isSafeInteger(cents) && cents > 0) set({ budgetCents: cents })
          }}
          onBlur={() => setDollars(undefined)}
          problem={problemOf('budget_cents')}
        />
        <Field
          label="People"
          hint="With more than one, their answers are combined into one result."
          inputMode="numeric"
          value={String(chosen.people)}
          onChange={(text) =>
            set({ people: Math.min(25, Math.max(1, Math.trunc(Number(text)) || 1)) })
          }
        />
      </div>
      <div className="flex flex-col gap-1">
        <span aria-hidden className="text-sm font-semibold">
          Proof
        </span>
        <Segmented
          label="Proof"
          value={chosen.proof}
          options={PROOFS}
          onChange={(proof) => set({ proof })}
        />
      </div>
      {persona !== undefined && (
        <Select
          label="Scripted worker"
          hint={persona.says}
          value={persona.value}
          options={PERSONAS}
          onChange={(value) => set({ persona: value })}
        />
      )}
      <Disclosure title="Urgency and deadline">
        <div className="grid grid-cols-1 gap-4 pt-2 min-[30rem]:grid-cols-2">
          <Select
            label="Urgency"
            value={chosen.urgency}
            options={URGENCIES}
            onChange={(urgency) => set({ urgency })}
          />
          <Field
            label="Deadline"
            placeholder="2h"
            hint="For example 30m, 2h, 3d or a date. By default it depends on the urgency."
            value={chosen.deadline}
            onChange={(deadline) => set({ deadline })}
            problem={problemOf('deadline')}
          />
        </div>
      </Disclosure>
    </>
  )
}

function Price({ form, chosen }: { form: TaskForm; chosen: Chosen }) {
  const { data: me } = useQuery(meQuery)
  const where = useSettled((chosen.values.location ?? '').trim())
  const { data: quote } = useQuery(
    quoteQuery({
      type: form.type,
      people: chosen.people,
      ...(where === '' ? {} : { where }),
    }),
  )
  const fee = Math.floor((chosen.budgetCents * FEE_PERCENT) / 100)
  const isFree = (me?.agent.free_tasks_remaining ?? 0) > 0 && chosen.budgetCents <= FREE_MAX_CENTS
  const isShort = me !== undefined && !isFree && me.agent.balance_cents < chosen.budgetCents
  return (
    <Panel title="Cost">
      <EffectLine>
        {`${money(chosen.budgetCents)} is locked now → ${
          chosen.people === 1 ? 'worker' : `${chosen.people} workers`
        } ${money(chosen.budgetCents - fee)} + fee ${money(fee)} when you approve`}
      </EffectLine>
      {isFree && <p>This is one of your free tasks. Legwork pays for it.</p>}
      {isShort && (
        <p className="text-danger">
          Your wallet has {money(me.agent.balance_cents)}. Add funds first.
        </p>
      )}
      {quote !== undefined && <p className="text-muted">{quote.says}</p>}
    </Panel>
  )
}
