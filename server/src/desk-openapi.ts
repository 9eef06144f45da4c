/**
 * Describes the desk's API as far as its app needs: `npm run generate` turns it into web/operators/types.ts. It isn't
 * published.
 */
import type { z } from 'zod'
import { deskOperations } from './desk-operations.ts'
import type { AnyDeskOperation } from './kit/desk-operation.ts'
import { type JsonSchema, renderSchemas, type Schemas } from './kit/named-schemas.ts'

export function renderDeskOpenApi() {
  const schemas = schemasOf(deskOperations)
  const paths: Record<string, Record<string, object>> = {}
  for (const operation of deskOperations) {
    const path = operation.path.replaceAll(/:(\w+)/g, '{$1}')
    paths[path] = {
      ...paths[path],
      [operation.method.toLowerCase()]: describe(operation, schemas),
    }
  }
  return { components: { schemas: schemas.usedBy(paths) }, paths }
}

const typeName = ({ name }: AnyDeskOperation) => name[0]!.toUpperCase() + name.slice(1)

function schemasOf(operations: readonly AnyDeskOperation[]): Schemas {
  const input = new Map<string, z.ZodType>()
  const output = new Map<string, z.ZodType>()
  for (const operation of operations) {
    const { query, body, success } = operation
    if (query) input.set(`${typeName(operation)}Query`, query)
    if (body) input.set(`${typeName(operation)}Input`, body)
    output.set(`${typeName(operation)}Result`, success.body)
  }
  return renderSchemas({ input, output })
}

function describe(operation: AnyDeskOperation, schemas: Schemas) {
  const name = typeName(operation)
  const { query, body, success } = operation
  const json = (schema: JsonSchema) => ({ content: { 'application/json': { schema } } })
  const { properties = {}, required = [] } = query ? schemas.get('input', `${name}Query`) : {}
  return {
    operationId: operation.name,
    parameters: Object.entries(properties).map(([field, { description, ...schema }]) => ({
      name: field,
      in: 'query',
      required: required.includes(field),
      ...(description === undefined ? {} : { description }),
      schema,
    })),
    ...(body ? { requestBody: json(schemas.refer('input', `${name}Input`)) } : {}),
    responses: { [success.status]: json(schemas.refer('output', `${name}Result`)) },
  }
}
