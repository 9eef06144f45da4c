/** The parts of an OpenAPI document that the generators of the SDKs read. */
export interface Schema {
  [key: string]: unknown
  $ref?: string
  type?: string | string[]
  description?: string
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  allOf?: Schema[]
  anyOf?: Schema[]
  enum?: (string | number)[]
  const?: string | boolean
  format?: string
  additionalProperties?: Schema
}

export interface Content {
  content?: Record<string, { schema?: Schema }>
}

export interface Parameter {
  name: string
  in: string
  required: boolean
  description?: string
  schema: Schema
}

export interface Operation {
  operationId: string
  parameters?: (Parameter | { $ref: string })[]
  requestBody?: Content
  responses: Record<string, Content>
}

export interface Document {
  components: { schemas: Record<string, Schema> }
  paths: Record<string, Record<string, Operation>>
  webhooks: Record<string, { post: Operation }>
  'x-errors': Record<string, { status: number; message: string }>
}
