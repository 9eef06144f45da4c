import { centsOf } from '../../shared/desk/cents.ts'
import type { Choice, Field } from '../api.ts'

const REQUIRED = 'Fill in this field'
const PROBLEMS: Record<Field['type'], string> = {
  text: REQUIRED,
  cents: 'Enter an amount, such as 12.50',
  days: 'Enter a whole number of days',
  tasks: 'Enter the IDs of tasks, such as task_…, separated by spaces',
  choice: 'Choose one',
}

export interface Filled {
  /** The decision's input; undefined while a field is missing or wrong. */
  input: Record<string, unknown> | undefined
  /** What is wrong, by the name of the field. */
  problems: Record<string, string>
}

/** The input of a decision: what its choice fixes, and what the operator has filled in. */
export function fill({ input, fields }: Choice, typed: Record<string, string>): Filled {
  const problems: Record<string, string> = {}
  const values: Record<string, unknown> = { ...input }
  for (const { name, type, is_required } of fields) {
    const text = (typed[name] ?? '').trim()
    if (text === '') {
      if (is_required) problems[name] = PROBLEMS[type]
      continue
    }
    const value = valueOf(type, text)
    if (value === undefined) problems[name] = PROBLEMS[type]
    else values[name] = value
  }
  return { input: Object.keys(problems).length === 0 ? values : undefined, problems }
}

function valueOf(type: Field['type'], text: string): string | number | string[] | undefined {
  if (type === 'cents') return centsOf(text)
  if (type === 'days') return /^\d{1,5}$/.test(text) ? Number(text) : undefined
  if (type === 'tasks') return idsIn(text)
  return text
}

function idsIn(text: string): string[] | undefined {
  const ids = text.split(/[\s,]+/).filter((id) => id !== '')
  return ids.every((id) => /^task_\w+$/.test(id)) ? ids : undefined
}
