import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { Refusal } from '../../shared/api/client.ts'
import { QueryPlaceholder } from '../../shared/desk/query-states.tsx'
import { useAction } from '../../shared/desk/use-action.ts'
import { useSettled } from '../../shared/desk/use-settled.ts'
import { Button } from '../../shared/ui/button.tsx'
import { Field as TextInput } from '../../shared/ui/field.tsx'
import { Form } from '../../shared/ui/form.tsx'
import { Select } from '../../shared/ui/select.tsx'
import { api, type Body, type Choice, type Field, type Made } from '../api.ts'
import { useDraft } from '../drafts.ts'
import { gapOf, GAPS_PROBLEM } from '../gaps.ts'
import { Effect } from './effect.tsx'
import { fill } from './input.ts'
import { Late } from './late.tsx'
import { Reason, REASON_MIN } from './reason.tsx'

/** Fields, reason, effect, and the button of a choice. */
export function ChoiceForm({
  caseId,
  choice,
  confirms,
  onMade,
  onNext,
  onClose,
}: {
  caseId: string
  choice: Choice
  /** Grows when the operator presses the key that confirms. */
  confirms: number
  onMade(made: Made): void
  onNext: (() => void) | undefined
  onClose(): void
}) {
  const { kind, subject, label, fields, is_danger } = choice
  const form = useRef<HTMLDivElement>(null)
  const [typed, setTyped] = useState<Record<string, string>>({})
  const [reason, setReason] = useDraft(`reason ${caseId} ${kind} ${label}`)
  const [isTried, setIsTried] = useState(false)
  const { input, problems } = fill(choice, typed)
  const preview = usePreview({ kind, subject, input })
  const make = useAction({
    run: (body: Omit<Body<'/decisions'>, 'request_key'>, key) =>
      api.post('/decisions', { body: { ...body, request_key: key } }),
    changes: ['queues', 'queue', 'case', 'decisions'],
    onDone({ decision }) {
      setReason('')
      onMade(decision)
    },
  })
  const reasonWrong =
    reason.trim().length < REASON_MIN ? 'Enter a reason' : gapOf(reason) && GAPS_PROBLEM
  const shownProblems = isTried ? problems : {}
  const reasonProblem = isTried ? reasonWrong : undefined
  const submit = () => {
    setIsTried(true)
    if (
      input === undefined ||
      reasonWrong !== undefined ||
      preview.data === undefined ||
      make.isPending
    )
      return
    make.mutate({ kind, subject, input, reason: reason.trim() })
  }
  useStart(form)
  useConfirm(confirms, submit)
  return (
    <div ref={form}>
      <Form onSubmit={submit} problems={{ ...shownProblems, reasonProblem }}>
        {fields.map((field) => (
          <ChoiceField
            key={field.name}
            field={field}
            problem={shownProblems[field.name]}
            value={typed[field.name] ?? ''}
            onChange={(value) => setTyped({ ...typed, [field.name]: value })}
          />
        ))}
        <Reason
          choice={choice}
          value={reason}
          problem={reasonProblem}
          onChange={setReason}
          onEnter={() => buttonOf(form.current)?.focus()}
        />
        {input !== undefined && preview.data === undefined && (
          <QueryPlaceholder query={preview} rows={1} />
        )}
        {preview.data !== undefined && (
          <Effect
            effect={preview.data.effect}
            needsSecond={preview.data.needs_second}
            overCents={preview.data.over_cents}
          />
        )}
        <Late error={make.error} caseId={caseId} onNext={onNext} />
        <div className="flex flex-wrap gap-2">
          <Button
            type="submit"
            data-confirm
            look={is_danger ? 'danger' : 'primary'}
            isPending={make.isPending}
            isDisabled={isTaken(make.error)}
          >
            {preview.data?.needs_second ? `Propose: ${label}` : label}
          </Button>
          <Button look="secondary" onPress={onClose}>
            Cancel
          </Button>
        </div>
      </Form>
    </div>
  )
}

const isTaken = (error: unknown) => error instanceof Refusal && error.status === 409

const buttonOf = (form: HTMLElement | null) =>
  form?.querySelector<HTMLElement>('[type=submit]') ?? undefined

function usePreview({
  input,
  ...asked
}: {
  kind: string
  subject: string
  input: object | undefined
}) {
  const settled = useSettled(JSON.stringify(input))
  return useQuery({
    queryKey: ['preview', asked.kind, asked.subject, settled],
    queryFn: ({ signal }) =>
      api.post('/decisions/preview', {
        body: { ...asked, input: JSON.parse(settled!) as Record<string, unknown> },
        signal,
      }),
    enabled: settled !== undefined,
    retry: false,
  })
}

/** The first thing to fill in gets the focus. */
function useStart(form: { current: HTMLElement | null }): void {
  useEffect(() => {
    form.current
      ?.querySelector<HTMLElement>('input, select, [data-template], textarea')
      ?.focus({ preventScroll: true })
    form.current?.scrollIntoView({ block: 'nearest' })
  }, [form])
}

function useConfirm(confirms: number, submit: () => void): void {
  const latest = useRef(submit)
  latest.current = submit
  useEffect(() => {
    if (confirms > 0) latest.current()
  }, [confirms])
}

const HINTS: Partial<Record<Field['type'], string>> = {
  cents: 'In dollars',
  tasks: 'IDs, separated by spaces; the person affected sees these tasks',
}

function ChoiceField({
  field: { label, type, options = [], is_required },
  value,
  problem,
  onChange,
}: {
  field: Field
  value: string
  problem: string | undefined
  onChange(value: string): void
}) {
  const name = is_required ? label : `${label} (optional)`
  if (type === 'choice')
    return (
      <Select
        label={name}
        value={value}
        options={[{ value: '', label: 'Choose…' }, ...options]}
        onChange={onChange}
        {...(problem === undefined ? {} : { hint: problem })}
      />
    )
  return (
    <TextInput
      label={name}
      value={value}
      onChange={onChange}
      problem={problem}
      {...(type === 'cents' || type === 'days' ? { inputMode: 'decimal' } : {})}
      hint={HINTS[type]}
    />
  )
}
