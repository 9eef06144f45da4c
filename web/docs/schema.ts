/** Renders a schema as a list of fields with types and limits; nested objects expand on demand. */
import type { Operation, Schema } from './openapi.ts'
import { escape } from './html.ts'

/** An object with at least this many fields and uses is documented once and linked. */
const SHARED_FIELDS_MIN = 7
const SHARED_USES_MIN = 3

export interface Shared {
  name: string
  anchor: string
  schema: Schema
}

/** Objects that several responses contain, by the name of their schema. The reference explains each once. */
export type SharedObjects = Map<string, Shared>

export function sharedObjects(operations: Operation[]): SharedObjects {
  const found = new Map<string, { uses: number; schema: Schema }>()
  for (const { success } of operations)
    walk(success.schema, (schema) => {
      if (schema.name === undefined) return
      if (Object.keys(schema.properties ?? {}).length < SHARED_FIELDS_MIN) return
      const known = found.get(schema.name)
      if (known) known.uses += 1
      else found.set(schema.name, { uses: 1, schema })
    })
  return new Map(
    [...found]
      .filter(([, { uses }]) => uses >= SHARED_USES_MIN)
      .map(([name, { schema }]) => [
        name,
        { name, anchor: `object-${name.toLowerCase()}`, schema },
      ]),
  )
}

const sharedOf = (schema: Schema | undefined, shared: SharedObjects) =>
  schema?.name === undefined ? undefined : shared.get(schema.name)

function walk(schema: Schema | undefined, visit: (schema: Schema) => void) {
  if (schema === undefined) return
  if (schema.properties !== undefined) visit(schema)
  for (const inner of Object.values(schema.properties ?? {})) walk(inner, visit)
  walk(schema.items, visit)
  for (const inner of choices(schema)) walk(inner, visit)
}

const choices = (schema: Schema) => schema.anyOf ?? schema.oneOf ?? []

/** Removes the null alternative of a nullable schema. */
const withoutNull = (schema: Schema): Schema => {
  const some = choices(schema).filter(({ type }) => type !== 'null')
  return some.length === 1 && some.length < choices(schema).length
    ? { ...some[0], ...(schema.description ? { description: schema.description } : {}) }
    : schema
}

const isNullable = (schema: Schema) =>
  (Array.isArray(schema.type) && schema.type.includes('null')) ||
  choices(schema).some(({ type }) => type === 'null')

export function typeOf(schema: Schema): string {
  const bare = withoutNull(schema)
  const or = isNullable(schema) ? ' or null' : ''
  if (bare.const !== undefined) return JSON.stringify(bare.const) + or
  const inner = choices(bare).filter(({ type }) => type !== 'null')
  if (inner.length > 0) return [...new Set(inner.map((one) => typeOf(one)))].join(' or ') + or
  const type = Array.isArray(bare.type) ? bare.type.find((one) => one !== 'null') : bare.type
  if (type === 'array')
    return `list of ${bare.items ? plural(typeOf(bare.items)) : 'anything'}${or}`
  if (bare.format === 'date-time') return `time${or}`
  return (type ?? 'any JSON') + or
}

const plural = (type: string) =>
  /^(?:string|integer|number|object|time)$/.test(type) ? `${type}s` : type

/** Describes a value's constraints beyond its type. */
export function boundsOf(schema: Schema): string {
  const bare = withoutNull(schema)
  const range = (from: number | undefined, to: number | undefined, unit: string) => {
    if (from !== undefined && to !== undefined)
      return `${from.toLocaleString('en')} to ${to.toLocaleString('en')}${unit}`
    if (from !== undefined && from > 0) return `at least ${from.toLocaleString('en')}${unit}`
    return to === undefined ? '' : `at most ${to.toLocaleString('en')}${unit}`
  }
  return [
    range(bare.minimum, bare.maximum, ''),
    range(bare.minLength, bare.maxLength, ' characters'),
    range(bare.minItems, bare.maxItems, ' items'),
  ]
    .filter((text) => text !== '')
    .join('; ')
}

const valuesOf = (schema: Schema) =>
  withoutNull(schema)
    .enum?.filter((value) => value !== null)
    .map((value) => (typeof value === 'string' ? value : JSON.stringify(value)))

/** The nested object to expand, if there is one. */
function insideOf(schema: Schema): Schema | undefined {
  const bare = withoutNull(schema)
  if (bare.properties !== undefined) return bare
  if (bare.items !== undefined) return insideOf(bare.items)
  const objects = choices(bare).filter((one) => insideOf(one) !== undefined)
  return objects.length === 1 ? insideOf(objects[0]!) : undefined
}

const DEPTH_MAX = 5

export const capital = (text: string) => text.slice(0, 1).toUpperCase() + text.slice(1)

export function fieldsHtml(schema: Schema, shared: SharedObjects, depth = 0): string {
  const fields = Object.entries(schema.properties ?? {})
  return `<ul class="fields">${fields
    .map(([name, field]) => fieldHtml({ name, field, schema, shared, depth }))
    .join('')}</ul>`
}

interface FieldPlace {
  name: string
  field: Schema
  schema: Schema
  shared: SharedObjects
  depth: number
}

function fieldHtml({ name, field, schema, shared, depth }: FieldPlace): string {
  const isRequired = schema.required?.includes(name)
  const values = valuesOf(field)
  const inside = insideOf(field)
  const known = sharedOf(inside, shared)
  const words = [
    field.description ?? withoutNull(field).description ?? '',
    values ? `One of ${values.map((value) => `<code>${escape(value)}</code>`).join(', ')}` : '',
    boundsOf(field),
  ]
    .map((text, i) => (i === 0 ? inlineCode(text) : capital(text)))
    .filter((text) => text !== '')
  const below =
    inside === undefined || depth >= DEPTH_MAX
      ? ''
      : known
        ? ` <a href="#${known.anchor}">${known.name}</a>`
        : `<details><summary>Fields of ${escape(name)}</summary>${fieldsHtml(inside, shared, depth + 1)}</details>`
  return `<li><p class="field"><code>${escape(name)}</code> <span class="type">${escape(typeOf(field))}</span>${
    isRequired && depth === 0 ? ' <span class="required">required</span>' : ''
  }</p>${words.length > 0 ? `<p class="about">${words.join('. ')}</p>` : ''}${below}</li>`
}

export const inlineCode = (text: string) =>
  escape(text).replaceAll(/`([^`]+)`/g, (_, code: string) => `<code>${code}</code>`)

export function fieldsMarkdown(schema: Schema, shared: SharedObjects, depth = 0): string {
  return Object.entries(schema.properties ?? {})
    .map(([name, field]) => {
      const inside = insideOf(field)
      const known = sharedOf(inside, shared)
      const words = [
        typeOf(field) + (schema.required?.includes(name) && depth === 0 ? ', required' : ''),
        field.description ?? '',
        valuesOf(field)
          ?.map((value) => `\`${value}\``)
          .join(', ') ?? '',
        boundsOf(field),
        known ? `see ${known.name}` : '',
      ].filter((text) => text !== '')
      const line = `${'  '.repeat(depth)}- \`${name}\`: ${words.join('; ')}\n`
      const isOpened = inside && !known && depth < DEPTH_MAX
      return line + (isOpened ? fieldsMarkdown(inside, shared, depth + 1) : '')
    })
    .join('')
}

const TIME = '2026-11-15T12:00:00.000Z'

const ID = '01m7fh382revhrpf3ec4gb30ke'
const PREFIXES: Record<string, string> = {
  agent_id: 'agent',
  worker_id: 'worker',
  task_id: 'task',
  assignment_id: 'asg',
  event_id: 'evt',
  proof_id: 'proof',
  key_id: 'key',
  upload_id: 'upl',
  parent_id: 'key',
  request_id: 'req',
  transaction_id: 'txn',
  agent: 'agent',
  worker: 'worker',
  task: 'task',
  tasks: 'task',
  assignment: 'asg',
  assignments: 'asg',
  key: 'key',
  keys: 'key',
  proof: 'proof',
  proofs: 'proof',
  transactions: 'txn',
  payouts: 'po',
  dispute: 'dsp',
  deliveries: 'dlv',
  requests: 'req',
  events: 'evt',
}

/** An example response: valid for its schema, but not a real task. */
export function exampleOf(schema: Schema, name = '', parent = ''): unknown {
  if (schema.const !== undefined) return schema.const
  if (isNullable(schema) && schema.properties === undefined && !name.endsWith('_at')) {
    if (!withoutNull(schema).properties || parent !== '') return null
  }
  const bare = withoutNull(schema)
  const values = valuesOf(bare)
  if (values) return values[0]
  const inner = choices(bare).filter(({ type }) => type !== 'null')
  if (inner.length > 0) return exampleOf(inner[0]!, name, parent)
  const type = Array.isArray(bare.type) ? bare.type.find((one) => one !== 'null') : bare.type
  switch (type) {
    case 'object':
      return Object.fromEntries(
        Object.entries(bare.properties ?? {})
          .filter(([field]) => field !== 'warnings')
          .map(([field, one]) => [field, exampleOf(one, field, name)]),
      )
    case 'array':
      return bare.items && /object/.test(typeOf(bare.items))
        ? [exampleOf(bare.items, name, parent)]
        : []
    case 'integer':
    case 'number':
      return numberFor(bare, name)
    case 'boolean':
      return name === 'untrusted'
    case 'string':
      return textFor(bare, name, parent)
    default:
      return null
  }
}

function numberFor({ minimum = 0, maximum = 1_000_000 }: Schema, name: string): number {
  const wished =
    name === 'balance_cents'
      ? 120
      : name.endsWith('_cents')
        ? 500
        : name === 'limit'
          ? 50
          : name === 'total'
            ? 1
            : 0
  return Math.min(Math.max(wished, minimum), maximum)
}

function textFor(schema: Schema, name: string, parent: string): string {
  if (schema.format === 'date-time' || name.endsWith('_at')) return TIME
  if (name === 'deposit_url') return '/api/v1/wallet/deposit'
  if (schema.format === 'uri' || name.endsWith('url')) return 'https://agent.example/hooks'
  if (name === 'id') return `${PREFIXES[parent] ?? 'task'}_${ID}`
  if (PREFIXES[name] !== undefined) return `${PREFIXES[name]}_${ID}`
  if (name === 'description') return 'Is the bakery at Moorweg 12 open?'
  if (name === 'name') return 'Ada'
  if (name === 'email') return 'ada@example.com'
  if (name === 'balance_formatted') return '$12.34'
  if (name === 'webhook_secret') return 'whsec_…'
  if (name.endsWith('api_key')) return 'lw_test_…'
  return '…'
}
