/**
 * Generates what the Python SDK knows of the API from the part of the OpenAPI document that is for agents: `models.py`
 * (what the API returns), `inputs.py` (what calls take) and `error_classes.py` (a class for every error code).
 */
import type { Content, Document, Operation, Parameter, Schema } from './openapi-types.ts'

type Errors = Record<string, { message: string }>

/** The models of responses, the types of requests, and the fields of errors, which keep their names. */
type Kind = 'model' | 'input' | 'error'

interface Definition {
  text: string
  /** The names that must be defined before this one. */
  needs: Set<string>
}

const HEAD = '# Generated from the OpenAPI document by npm run generate.\n'
const PREFIX = '#/components/schemas/'
const WIDTH = 100
const DATE: Record<Kind, string> = { model: 'datetime', input: 'str | datetime', error: 'str' }
/** Python's keywords among the names of fields; the client removes the underscore. */
const KEYWORDS = new Set(['from', 'while'])
/** Attributes of every error, so fields of the same name are only in `fields`. */
const ERROR_ATTRIBUTES = new Set(['status', 'code', 'hint', 'doc_url', 'error', 'request_id'])

/** The definitions of one file, by name. */
class Definitions {
  readonly found = new Map<string, Definition>()
  readonly #schemas: Record<string, Schema>
  readonly #kind: Kind

  constructor(schemas: Record<string, Schema>, kind: Kind) {
    this.#schemas = schemas
    this.#kind = kind
  }

  /** Adds a schema of the document, and everything that it refers to. */
  add(name: string): string {
    if (!this.found.has(name)) {
      // Registered first, so that a schema that refers to itself ends.
      this.found.set(name, { text: '', needs: new Set() })
      this.define(name, this.#schemas[name]!)
    }
    return name
  }

  define(name: string, schema: Schema): string {
    const needs = new Set<string>()
    const text = isObject(schema)
      ? this.#class(name, schema, needs)
      : this.#alias(name, schema, needs)
    this.found.set(name, { text, needs })
    return name
  }

  typeOf(schema: Schema, name: string, needs: Set<string>): string {
    if (schema.$ref !== undefined) return use(this.add(schema.$ref.slice(PREFIX.length)), needs)
    if (schema.const !== undefined) return `Literal[${literal(schema.const)}]`
    if (schema.enum !== undefined) return use(this.define(name, schema), needs)
    const branches = schema.anyOf ?? schema.allOf
    if (branches !== undefined) return this.#union(branches, name, needs)
    if (schema.properties !== undefined) return use(this.define(name, schema), needs)
    const types = [schema.type ?? 'any'].flat()
    return types.map((type) => this.#simple(type, schema, { name, needs })).join(' | ')
  }

  #union(branches: Schema[], name: string, needs: Set<string>): string {
    const objects = branches.filter(isObject)
    // Which of several objects it is, only the server knows.
    if (this.#kind === 'model' && objects.length > 1) return 'dict[str, Any]'
    const types = branches.map((branch) => {
      if (!isObject(branch)) return this.typeOf(branch, name, needs)
      const own = branches.length === 1 || isNullable(branches) ? name : `${name}Object`
      return this.typeOf(branch, `${own}${numberOf(branch, objects)}`, needs)
    })
    return [...new Set(types)].join(' | ')
  }

  #simple(
    type: string,
    schema: Schema,
    { name, needs }: { name: string; needs: Set<string> },
  ): string {
    if (type === 'string') return schema.format === 'date-time' ? DATE[this.#kind] : 'str'
    if (type === 'integer') return 'int'
    if (type === 'number') return 'float'
    if (type === 'boolean') return 'bool'
    if (type === 'null') return 'None'
    if (type === 'array') return `list[${this.typeOf(schema.items ?? {}, singular(name), needs)}]`
    if (type === 'object') {
      const values = schema.additionalProperties
      const of = values === undefined ? 'Any' : this.typeOf(values, `${name}Value`, needs)
      return `dict[str, ${of}]`
    }
    return 'Any'
  }

  #alias(name: string, schema: Schema, needs: Set<string>): string {
    const type = schema.enum
      ? wrapped(`Literal[`, schema.enum.map(literal), ']')
      : this.typeOf(schema, name, needs)
    // A server that is newer than this package may return a value that the package doesn't know.
    const isOpen = this.#kind === 'model' && schema.enum !== undefined
    const value = isOpen ? `Annotated[\n${indented(`${type},\nOPEN,`)}\n]` : inLines(type)
    return `${name}: TypeAlias = ${value}\n${docOf(schema.description)}`
  }

  #class(name: string, schema: Schema, needs: Set<string>): string {
    const parts = schema.allOf ?? [schema]
    const bases = parts
      .filter(({ $ref }) => $ref !== undefined)
      .map(({ $ref }) => use(this.add($ref!.slice(PREFIX.length)), needs))
    const fields = parts.flatMap(({ properties = {}, required = [] }) =>
      Object.entries(properties).map(([field, one]) =>
        this.#field(field, one, { owner: name, isRequired: required.includes(field), needs }),
      ),
    )
    const base =
      this.#kind === 'model'
        ? bases.join(', ') || 'Model'
        : `${bases.join(', ') || 'TypedDict'}, total=False`
    const doc = docOf(schema.description)
    const body = `${doc}${fields.join('')}` || 'pass\n'
    return `class ${name}(${base}):\n${indented(body)}`
  }

  #field(
    field: string,
    schema: Schema,
    { owner, isRequired, needs }: { owner: string; isRequired: boolean; needs: Set<string> },
  ): string {
    const type = this.typeOf(schema, `${owner}${pascal(field)}`, needs)
    const name = KEYWORDS.has(field) ? `${field}_` : field
    // The description of an alias is at the alias.
    const doc = docOf(schema.enum ? undefined : schema.description)
    if (this.#kind !== 'model') return `${name}: ${isRequired ? `Required[${type}]` : type}\n${doc}`
    const isOptional = !isRequired || type.endsWith(' | None')
    const whole = isOptional && !/(?:^Any| \| None)$/.test(type) ? `${type} | None` : type
    return `${name}: ${whole}${isOptional || type === 'Any' ? ' = None' : ''}\n${doc}`
  }

  /** All definitions, each after those that it needs. */
  text(): string {
    const sorted: string[] = []
    const seen = new Set<string>()
    const visit = (name: string) => {
      const definition = this.found.get(name)
      if (definition === undefined || seen.has(name)) return
      seen.add(name)
      for (const one of [...definition.needs].sort()) visit(one)
      sorted.push(definition.text)
    }
    for (const name of [...this.found.keys()].sort()) visit(name)
    return sorted.join('\n\n')
  }
}

/** The models of responses: a pydantic model for each object. */
export function renderPythonModels(openapi: string): string {
  const document = JSON.parse(openapi) as Document
  const models = new Definitions(document.components.schemas, 'model')
  for (const { operation } of operationsOf(document)) {
    const name = schemaOf(successOf(operation))
    if (name !== undefined) models.add(name)
  }
  const events = Object.entries(document.webhooks).map(
    ([type, { post }]) => [type, models.add(schemaOf(post.requestBody!)!)] as const,
  )
  const event = wrapped(
    'Union[',
    events.map(([, name]) => name),
    ']',
  )
  const byType = events.map(([type, name]) => `    ${literal(type)}: ${name},\n`).join('')
  return [
    HEAD,
    '"""What the API returns. Names of fields are those of the API."""\n',
    'from __future__ import annotations\n',
    'from datetime import datetime',
    'from typing import Annotated, Any, Literal, Union\n',
    'from typing_extensions import TypeAlias\n',
    'from ._model import OPEN, Model\n\n',
    models.text(),
    '',
    `WebhookEvent: TypeAlias = ${event}`,
    '"""The body of a webhook, or an entry of the event log; `type` tells the event."""\n',
    `EVENT_MODELS: dict[str, type[Model]] = {\n${byType}}`,
    '"""The model of each type of event."""\n',
  ].join('\n')
}

/** The types of requests: a TypedDict for each body and query. */
export function renderPythonInputs(openapi: string): string {
  const document = JSON.parse(openapi) as Document
  const inputs = new Definitions(document.components.schemas, 'input')
  for (const { operation } of operationsOf(document)) {
    const body = schemaOf(operation.requestBody ?? {})
    if (body !== undefined) inputs.add(body)
    const query = queryOf(operation)
    if (query !== undefined) inputs.define(`${pascal(operation.operationId)}Query`, query)
  }
  return [
    HEAD,
    '"""What calls take, as typed dictionaries: the keyword arguments of the methods."""\n',
    'from __future__ import annotations\n',
    'from datetime import datetime',
    'from typing import Any, Literal\n',
    'from typing_extensions import Required, TypeAlias, TypedDict\n\n',
    inputs.text(),
  ].join('\n')
}

/** A class for every error code that an agent can meet. */
export function renderPythonErrors(openapi: string, whole: string): string {
  const { schemas } = (JSON.parse(openapi) as Document).components
  const { components, 'x-errors': errors } = JSON.parse(whole) as Document & { 'x-errors': Errors }
  const parts = new Definitions(schemas, 'error')
  // Errors that occur before routing are in no response and have no schema; every client can meet them.
  const codes = Object.keys(errors).filter(
    (code) => schemas[classOf(code)] ?? !components.schemas[classOf(code)],
  )
  const classes = codes.sort().map((code) => {
    const name = classOf(code)
    const { properties = {}, required = [] } = schemas[name]?.allOf?.[1] ?? {}
    const fields = Object.entries(properties)
      .filter(([field]) => !ERROR_ATTRIBUTES.has(field))
      .map(([field, schema]) => {
        const type = parts.typeOf(schema, `${name}${pascal(field)}`, new Set())
        const [returns, value] = required.includes(field)
          ? [type, `self.fields["${field}"]`]
          : [`${type} | None`, `self.fields.get("${field}")`]
        const lines = [`@property`, `def ${field}(self) -> ${returns}:`]
        return `\n${[...lines, `    return ${value}`].map((line) => `    ${line}`).join('\n')}\n`
      })
    return `class ${name}(LegworkError):\n${indented(docOf(`\`${code}\`: ${errors[code]!.message}`))}${fields.join('')}`
  })
  const byCode = codes.map((code) => `    ${literal(code)}: ${classOf(code)},\n`).join('')
  const names = codes.map((code) => `    ${literal(classOf(code))},\n`).join('')
  return [
    HEAD,
    '"""One exception class per error code."""\n',
    'from __future__ import annotations\n',
    'from typing import Any, Literal\n',
    'from typing_extensions import Required, TypeAlias, TypedDict\n',
    'from .errors import LegworkError\n',
    `__all__ = [\n${names}]\n\n`,
    parts.text(),
    '',
    classes.join('\n\n'),
    '',
    `ERROR_CLASSES: dict[str, type[LegworkError]] = {\n${byCode}}`,
    '"""The class of each code."""\n',
  ].join('\n')
}

function operationsOf({ paths }: Document): { operation: Operation }[] {
  return Object.values(paths).flatMap((methods) =>
    Object.values(methods).map((operation) => ({ operation })),
  )
}

function schemaOf({ content }: Content): string | undefined {
  return content?.['application/json']?.schema?.$ref?.slice(PREFIX.length)
}

const successOf = ({ responses }: Operation): Content =>
  responses[Object.keys(responses).find((status) => status.startsWith('2'))!]!

function queryOf({ parameters = [] }: Operation): Schema | undefined {
  const query = parameters.filter(
    (parameter): parameter is Parameter => 'in' in parameter && parameter.in === 'query',
  )
  if (query.length === 0) return undefined
  return {
    type: 'object',
    properties: Object.fromEntries(
      query.map(({ name, description, schema }) => [
        name,
        description === undefined ? schema : { ...schema, description },
      ]),
    ),
    required: query.filter(({ required }) => required).map(({ name }) => name),
  }
}

const isObject = ({ properties, allOf }: Schema): boolean =>
  properties !== undefined || (allOf?.some((part) => part.properties !== undefined) ?? false)

const isNullable = (branches: Schema[]): boolean =>
  branches.length === 2 && branches.some(({ type }) => type === 'null')

const numberOf = (branch: Schema, all: Schema[]): string =>
  all.length > 1 ? String(all.indexOf(branch) + 1) : ''

function use(name: string, needs: Set<string>): string {
  needs.add(name)
  return name
}

const literal = (value: string | number | boolean): string => {
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  return JSON.stringify(value)
}

/** `no_slot` → `NoSlotError`; `server_error` → `ServerError`. */
const classOf = (code: string): string => `${pascal(code.replace(/_error$/, ''))}Error`

const pascal = (name: string): string =>
  name
    .split('_')
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join('')

/** The name of one item of a list: `checks` → `check`. */
const singular = (name: string): string =>
  /(?<![su])s$/.test(name) ? name.replace(/ies$/, 'y').replace(/(?<!y)s$/, '') : `${name}Item`

const indented = (text: string): string => text.replaceAll(/^(?=.)/gm, '    ')

const wrapped = (open: string, items: string[], close: string): string =>
  `${open}\n${indented(items.map((item) => `${item},`).join('\n'))}\n${close}`

/** A union that is too long for one line, with a type per line. */
function inLines(type: string): string {
  if (type.length < WIDTH - 40 || type.includes('\n') || type.includes('[')) return type
  return `(\n${indented(type.replaceAll(' | ', '\n| '))}\n)`
}

/** A docstring. Backslashes and quotes don't occur in descriptions, or they would need escapes. */
function docOf(text: string | undefined): string {
  if (text === undefined) return ''
  if (/\\|"""/.test(text)) throw new Error(`can't be a docstring: ${text}`)
  const lines: string[] = []
  for (const word of text.split(/\s+/)) {
    const last = lines.at(-1)
    // Room for the quotes and the indent.
    if (last !== undefined && last.length + word.length < WIDTH - 12)
      lines[lines.length - 1] += ` ${word}`
    else lines.push(word)
  }
  const end = lines.length > 1 ? '\n' : ''
  return `"""${lines.join('\n')}${lines.length === 1 && text.endsWith('"') ? ' ' : ''}${end}"""\n`
}
