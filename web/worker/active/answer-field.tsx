import { type ReactNode, useState } from 'react'
import { type Text, useText } from '../text/use-text.tsx'
import { BigChoice } from '../../shared/ui/choice.tsx'
import { Field } from '../../shared/ui/field.tsx'
import type { Fact } from '../brief/blocks.ts'
import { Spans } from '../brief/show-blocks.tsx'
import {
  type Problem,
  type Question,
  textOf,
  type ValueKind,
  valueIn,
  withValue,
} from './answer-kind.ts'

/** Fields for the typed answer, large enough to tap while walking. */
export function AnswerFields({
  questions,
  options,
  answer,
  problems,
  onChange,
}: {
  questions: Question[]
  /** The texts of the choices, if the task has them. */
  options: Fact[]
  answer: unknown
  /** In the order of the questions; empty until it is time to show them. */
  problems: (Problem | null)[]
  onChange(answer: unknown): void
}) {
  const text = useText()
  return questions.map((question, at) => {
    const label = question.label ?? text('active.answer.label')
    const problem = problems[at] ?? null
    return (
      <AnswerField
        key={question.name ?? ''}
        label={question.isRequired ? label : text('active.answer.optional', { label })}
        kind={question.value}
        options={options}
        value={valueIn(answer, question)}
        problem={problem === null ? undefined : problemText(problem, question.value, text)}
        onChange={(value) => onChange(withValue(answer, question, value))}
      />
    )
  })
}

interface FieldProps {
  label: string
  options?: Fact[]
  value: unknown
  problem: string | undefined
  onChange(value: unknown): void
}

function AnswerField({ kind, ...field }: FieldProps & { kind: ValueKind }) {
  const text = useText()
  switch (kind.kind) {
    case 'boolean':
      return (
        <Choice
          {...field}
          columns={2}
          choices={[
            { value: true, label: text('active.answer.yes') },
            { value: false, label: text('active.answer.no') },
          ]}
        />
      )
    case 'choice':
      return (
        <Choice
          {...field}
          columns={kind.isScale ? 5 : 1}
          choices={kind.values.map((value) => {
            const told = field.options?.find(({ name }) => name === value)?.value
            return {
              value,
              label: typeof value === 'number' ? text.number(value) : value,
              hint: told === undefined ? undefined : <Spans text={told} />,
            }
          })}
        />
      )
    case 'number':
      return <NumberField {...field} />
    case 'text':
      return (
        <Field
          label={field.label}
          rows={3}
          maxLength={kind.maxLength}
          value={textOf(field.value)}
          problem={field.problem}
          onChange={field.onChange}
        />
      )
  }
}

function Choice({
  label,
  value,
  problem,
  choices,
  columns,
  onChange,
}: FieldProps & {
  choices: { value: unknown; label: string; hint?: ReactNode }[]
  columns: number
}) {
  const chosen = choices.findIndex((choice) => choice.value === value)
  return (
    <div className="flex flex-col gap-1">
      <BigChoice
        label={label}
        columns={columns}
        value={chosen === -1 ? null : String(chosen)}
        options={choices.map((choice, at) => ({
          value: String(at),
          label: <span dir="auto">{choice.label}</span>,
          hint: choice.hint && (
            <span dir="auto" className="text-base">
              {choice.hint}
            </span>
          ),
        }))}
        onChange={(at) => onChange(choices[Number(at)]!.value)}
      />
      {problem !== undefined && (
        <p role="alert" className="text-sm font-semibold text-danger">
          {problem}
        </p>
      )}
    </div>
  )
}

/** Keeps the text as typed; the answer is the number in it. */
function NumberField({ label, value, problem, onChange }: FieldProps) {
  const [typed, setTyped] = useState(textOf(value))
  return (
    <Field
      label={label}
      inputMode="decimal"
      value={typed}
      problem={problem}
      onChange={(next) => {
        setTyped(next)
        const number = Number(next.replace(',', '.'))
        onChange(next.trim() === '' ? undefined : Number.isFinite(number) ? number : next)
      }}
    />
  )
}

function problemText(problem: Problem, kind: ValueKind, text: Text): string {
  switch (problem) {
    case 'missing':
      return text('active.answer.missing')
    case 'number':
      return text('active.answer.number')
    case 'whole':
      return text('active.answer.whole')
    case 'short':
    case 'long':
      return text('active.answer.length', {
        least: kind.kind === 'text' ? kind.minLength : 0,
        most: kind.kind === 'text' ? kind.maxLength : 0,
      })
    case 'range':
      return kind.kind !== 'number'
        ? text('active.answer.number')
        : kind.maximum === null
          ? text('active.answer.atLeast', { least: text.number(kind.minimum ?? 0) })
          : kind.minimum === null
            ? text('active.answer.atMost', { most: text.number(kind.maximum) })
            : text('active.answer.between', {
                least: text.number(kind.minimum),
                most: text.number(kind.maximum),
              })
  }
}
