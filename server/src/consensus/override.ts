import type { Selectable } from 'kysely'
import type { Warning } from '../kit/endpoint.ts'
import { invalidField } from '../kit/errors.ts'
import type { Schema } from '../kit/schema.ts'
import { checkAnswer, coerceAnswer } from './answer.ts'

type Asked = Pick<
  Selectable<Schema['tasks']>,
  'type' | 'answer_schema' | 'is_schema_default' | 'context'
>

/**
 * Reads the agent's own result. If the agent supplied the answer schema, the result must match it. A schema that a
 * shorthand added is only a default: the value is coerced where possible, and otherwise accepted with a warning.
 */
export function readOverride(
  task: Asked,
  value: unknown,
): { result: unknown; warnings: Warning[] } {
  if (value === undefined) return { result: undefined, warnings: [] }
  const isDefault = hasDefaultSchema(task)
  const result = isDefault ? coerceAnswer(task.answer_schema, value) : value
  const misfit = checkAnswer(task.answer_schema, result)
  if (misfit === undefined) return { result, warnings: [] }
  if (!isDefault) throw invalidField('override_result', misfit)
  const message = `override_result ${misfit} to be comparable with the workers’ answers; it is stored as sent`
  return { result, warnings: [{ code: 'result_misfit', path: 'override_result', message }] }
}

/**
 * Older tasks don't store `is_schema_default`. For those it is inferred from the schema's shape, since each shorthand
 * adds a fixed one.
 */
function hasDefaultSchema({ is_schema_default, type, answer_schema, context }: Asked): boolean {
  if (is_schema_default !== null) return is_schema_default
  const schema = answer_schema as Record<string, unknown> | null
  if (type === 'verification') return schema?.type === 'boolean' && Object.keys(schema).length === 1
  const scale = (context as Record<string, unknown> | null)?.scale
  return (
    (type === 'gut_check' || type === 'vibe_reader') &&
    typeof scale === 'string' &&
    (schema?.type === 'integer' || schema?.type === 'number')
  )
}
