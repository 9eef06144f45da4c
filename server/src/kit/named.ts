/** Names of the schemas that the OpenAPI document defines once and references elsewhere. */
import assert from 'node:assert'
import type { z } from 'zod'

const schemas = new Map<string, z.ZodType>()

/** Gives a schema its name in `openapi.json`: `named('Task', z.object({…}))`. A name belongs to one schema. */
export function named<S extends z.ZodType>(name: string, schema: S): S {
  assert(!schemas.has(name), `two schemas are named ${name}`)
  schemas.set(name, schema)
  return schema
}

export const namedSchemas: ReadonlyMap<string, z.ZodType> = schemas
