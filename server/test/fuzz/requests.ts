/** Generates the requests: valid ones from an endpoint's schema, then mutated in one or two places. */
import type { AnyEndpoint } from '../../src/kit/endpoint.ts'
import { type Cast, deviceOf, idFor, type Kind, UPLOAD, uploadOf } from './cast.ts'
import type { Sent } from './client.ts'
import { REDIRECT } from '../oauth.ts'
import { PASSWORD } from '../people.ts'
import type { Random } from './random.ts'
import { inputSchema, isJsonObject, type JsonSchema, type Named, valid } from './schema.ts'
import { BROKEN_BODIES, HEADERS, mutate, hostileValue, PATH_PARTS, Raw, render } from './values.ts'

const BASE_PATH = '/api/v1'

/** An endpoint and its parsed schemas. */
export interface Operation {
  name: string
  endpoint: AnyEndpoint
  query: JsonSchema | undefined
  body: JsonSchema | undefined
}

export const operationOf = (endpoint: AnyEndpoint): Operation => ({
  name: `${endpoint.method} ${endpoint.path}`,
  endpoint,
  query: endpoint.query && inputSchema(endpoint.query),
  body: endpoint.body && inputSchema(endpoint.body),
})

export interface Made extends Sent {
  /** Path and method are unchanged, so only this operation's responses are allowed. */
  isOwn: boolean
}

/** The kinds of credential that an operation accepts. */
export function rightKinds({ name, endpoint }: Operation): Kind[] {
  if (name.includes('/test/')) return ['test key']
  if (endpoint.path.startsWith('/files')) return ['file link']
  if (endpoint.access?.person === 'required') return ['person cookie']
  const isLive = endpoint.auth === 'worker' && endpoint.access?.mode === 'live'
  if (isLive || /^\/worker\/(?:push|sessions|questions)\/:id/.test(endpoint.path))
    return ['worker token', 'worker cookie']
  if (endpoint.auth === 'agent' && endpoint.access?.mode === 'live')
    return ['live key', 'key in x-api-key', 'console cookie', 'person cookie']
  switch (endpoint.auth as string) {
    case 'agent':
      return ['live key', 'test key', 'key in x-api-key', 'console cookie', 'person cookie']
    case 'worker':
      return ['worker token', 'test worker token', 'worker cookie']
    case 'none':
      return ['none']
    default:
      return ['none', 'live key', 'worker cookie', 'console cookie']
  }
}

export function makeRequest(
  random: Random,
  operation: Operation,
  { cast, kind, isValid }: { cast: Cast; kind: Kind; isValid: boolean },
): Made {
  const { endpoint, name } = operation
  const { method, path } = endpoint as { method: string; path: string }
  const credential = cast.credential(kind, name)
  const mode = kind.startsWith('test') ? 'test' : 'live'
  const named = namesFor(random, operation, cast, mode)
  const isLetIn = rightKinds(operation).includes(kind)
  const often = isValid ? random.pick([0, 0, 0.1]) : random.pick([0, 0.05, 0.15, 0.4])

  const made: Made = {
    method,
    target: '',
    headers: [...credential.headers],
    isOwn: true,
  }
  const isMove = method === 'POST' && /^(?:\/worker)?\/tasks\/:id\//.test(path)
  const filled = path.replace(
    ':id',
    idFor(random, cast, mode, path, { method, isFresh: isValid && isMove && isLetIn }),
  )
  const query = new Map<string, unknown>(
    operation.query === undefined || (kind === 'file link' && path.startsWith('/files'))
      ? []
      : Object.entries(valid(random, operation.query, { named, often }) as object),
  )
  let body: unknown =
    operation.body === undefined ? undefined : valid(random, operation.body, { named, often })
  if (isJsonObject(body)) body = { ...body, ...fieldsFor(operation, cast, mode) }
  const draft: Draft = { made, filled, query, pairs: undefined, body, text: undefined }
  if (endpoint.raw === 'application/offset+octet-stream') {
    made.headers.push(['upload-offset', '0'], ['tus-resumable', '1.0.0'])
    draft.text = UPLOAD
  }

  if (!isValid)
    for (let changes = 1 + random.below(2); changes > 0; changes -= 1)
      change(random, operation, draft)
  return finish(draft, operation, credential.query)
}

/** A request while it is made. */
interface Draft {
  made: Made
  /** The path with its id. */
  filled: string
  query: Map<string, unknown>
  /** Replaces the query, if it has odd pairs. */
  pairs: string[] | undefined
  body: unknown
  /** Replaces the body, if it is not JSON. */
  text: string | Buffer | undefined
}

/** Changes a request in one place. */
function change(random: Random, operation: Operation, draft: Draft): void {
  const { made } = draft
  const { method, path } = operation.endpoint as { method: string; path: string }
  switch (random.pick(waysFor(operation))) {
    case 'body':
      draft.body = mutate(random, draft.body, operation.body)
      break
    case 'broken body':
      draft.text = brokenBody(random, draft.body)
      break
    case 'query': {
      const [field, schema] = random.pick(Object.entries(operation.query!.properties ?? {}))
      const value = hostileValue(random, schema)
      // A long poll waits a minute on purpose; that is not a slow response.
      draft.query.set(field, field === 'wait' && Number(value) > 1 ? 56 : value)
      if (random.chance(0.3)) draft.pairs = [...pairsOf(draft.query), ...oddPairs(random, field)]
      break
    }
    case 'path':
      draft.filled = path.replace(':id', random.pick(PATH_PARTS))
      break
    case 'address': {
      const at = 1 + random.below(draft.filled.length)
      draft.filled = `${draft.filled.slice(0, at)}${random.pick(PATH_PARTS)}${draft.filled.slice(at)}`
      made.isOwn = false
      break
    }
    case 'header': {
      const [header, values] = random.pick(HEADERS)
      if (random.chance(0.7)) made.headers = made.headers.filter(([one]) => one !== header)
      made.headers.push([header, random.pick(values)])
      break
    }
    case 'method':
      made.method = random.pick(['PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND', 'HEAD', 'POST'])
      made.isOwn = made.method === method
      break
    case 'chunked':
      made.isChunked = true
      break
    case 'cut':
      made.isCut = true
      break
    default:
      made.headers.push([
        'idempotency-key',
        random.pick(['fuzz-key-of-20-letters-1', random.word()]),
      ])
  }
}

function finish(
  { made, filled, query, pairs, body, text }: Draft,
  { endpoint }: Operation,
  credentialQuery: string,
): Made {
  const parts = [...(pairs ?? pairsOf(query)), ...(credentialQuery ? [credentialQuery] : [])]
  made.target = `${BASE_PATH}${filled}${parts.length > 0 ? `?${parts.join('&')}` : ''}`
  // A literal space would end the request target.
  made.target = made.target.replaceAll(' ', '%20')
  made.body = bytesOf(text ?? (body === undefined ? undefined : render(body)))
  if (endpoint.raw !== undefined && made.body === undefined) made.body = Buffer.from('{}')
  const hasType = made.headers.some(([one]) => one === 'content-type')
  if (made.body !== undefined && !hasType)
    made.headers.push(['content-type', endpoint.raw ?? 'application/json'])
  if (made.body === undefined) made.isCut = false
  return made
}

type Way =
  | 'body'
  | 'broken body'
  | 'query'
  | 'path'
  | 'address'
  | 'header'
  | 'method'
  | 'chunked'
  | 'cut'
  | 'idempotency key'

function waysFor({ endpoint, query, body }: Operation): Way[] {
  const ways: Way[] = ['header', 'header', 'address', 'method']
  if (body !== undefined)
    ways.push('body', 'body', 'body', 'body', 'body', 'body', 'broken body', 'chunked', 'cut')
  else if (endpoint.raw !== undefined) ways.push('broken body', 'broken body', 'chunked', 'cut')
  else if (endpoint.method !== 'GET' && endpoint.method !== 'HEAD') ways.push('broken body')
  if (Object.keys(query?.properties ?? {}).length > 0) ways.push('query', 'query', 'query')
  if (endpoint.params !== undefined) ways.push('path', 'path')
  if (endpoint.method === 'POST') ways.push('idempotency key')
  return ways
}

function brokenBody(random: Random, body: unknown): string | Buffer {
  const whole = Buffer.from(render(body ?? {}))
  switch (random.below(5)) {
    case 0: {
      // Invalid UTF-8, inside a string where there is one.
      const quote = Math.max(0, whole.lastIndexOf('"'))
      const bad = Buffer.from(random.pick([[0xff], [0xc0, 0xaf], [0xed, 0xa0, 0x80], [0xe2, 0x82]]))
      return Buffer.concat([whole.subarray(0, quote), bad, whole.subarray(quote)])
    }
    case 1:
      return Buffer.from(whole.toString(), 'utf16le')
    case 2:
      return whole.subarray(0, random.below(whole.length))
    default:
      return random.pick(BROKEN_BODIES)
  }
}

const bytesOf = (text: string | Buffer | undefined) =>
  typeof text === 'string' ? Buffer.from(text) : text

const pairsOf = (query: Map<string, unknown>): string[] =>
  [...query].map(([name, value]) => `${name}=${escape(value)}`)

/** Encodes like a client would; what can't be encoded is sent as the bytes that some clients produce. */
function escape(value: unknown): string {
  const text = value instanceof Raw ? value.text : typeof value === 'string' ? value : render(value)
  try {
    return encodeURIComponent(text.slice(0, 3000))
  } catch {
    return '%ED%A0%80'
  }
}

const oddPairs = (random: Random, name: string): string[] => [
  random.pick([
    name,
    `${name}=`,
    `${name}=1&${name}=2`,
    `${name}[]=1`,
    `${name}[a]=1`,
    `${name}=%00`,
    `${name}=%`,
    `${name}=%ff`,
    '__proto__=1',
    '&&&=',
    `${'n'.repeat(65)}=1`,
    `${name}=${'a'.repeat(2049)}`,
  ]),
]

/** The meaning of a field is in its name, not in its schema. */
function namesFor(
  random: Random,
  { name: operation, endpoint }: Operation,
  cast: Cast,
  mode: 'live' | 'test',
): Named {
  return (name, schema) => {
    if (schema.type === 'array' || schema.type === 'object') return undefined
    switch (name) {
      case 'email':
        return operation.includes('forgot') || operation.includes('resend')
          ? cast.person.email
          : `fuzz-${random.word()}@example.com`
      case 'webhook_url':
      case 'callback_url':
      case 'url':
        return 'http://127.0.0.1:9/hook'
      case 'client_id':
        return cast.pools.live.get('app')?.[0]
      case 'redirect_uri':
        return REDIRECT
      case 'code_challenge':
        return 'x'.repeat(43)
      case 'resource':
        return `${cast.origin}/mcp`
      case 'wait':
        return random.pick([0, 0, 0.01])
      case 'by':
        return random.pick(['1s', '30s', '5m'])
      case 'deadline':
        return random.pick(['30m', '2h', '3d'])
      case 'auto_approve_after':
        return random.pick(['30m', 3600])
      case 'scale':
        return random.pick(['1-10', '0.0-1.0'])
      case 'number':
        return '+1 415 555 2671'
      case 'country':
        return 'US'
      case 'tz':
        return random.pick(['UTC', 'Europe/Berlin'])
      case 'from':
      case 'to':
        if (schema.format === 'date-time') return new Date(Date.now() - 1e7).toISOString()
        return schema.format === 'date' ? '2026-01-05' : '21:30'
      case 'expires_at':
        return new Date(Date.now() + 1e9).toISOString()
      case 'captured_at':
      case 'scheduled_at':
      case 'at':
        return new Date(Date.now() + 1e6).toISOString()
      case 'password':
        return 'correct horse battery staple'
      case 'api_key':
        return cast.agent.api_key
      case 'cursor':
      case 'before':
      case 'after':
        return patterned(schema) ?? (schema.type === 'integer' ? 1 : undefined)
      case 'task_id':
        return idFor(random, cast, mode, '/tasks')
      case 'token':
        return cast.tokens.get(endpoint.path) ?? cast.tokens.get(operation) ?? cast.testWorker
      default:
        return patterned(schema)
    }
  }
}

/** An id that matches the pattern; other patterns are not supported. */
function patterned({ pattern }: JsonSchema): string | undefined {
  const prefix = /^\^\(?(?:latest\|)?([a-z]+_)\[/.exec(pattern ?? '')?.[1]
  return prefix === undefined ? undefined : `${prefix}${'0'.repeat(26)}`
}

/** Fields that only make sense together. */
function fieldsFor({ name }: Operation, cast: Cast, mode: 'live' | 'test'): object {
  const { pools, tokens, once, person, testWorker } = cast
  const link = tokens.get('/worker/objections')
  switch (name) {
    case 'POST /tasks':
      return { budget_cents: 500, ...(mode === 'test' ? { context: { sim: 'me' } } : {}) }
    case 'POST /worker/uploads':
      return uploadOf(pools[mode].get('held')?.at(-1) ?? '')
    case 'POST /worker/login':
    case 'POST /worker/session':
      return { email: person.email, password: person.password }
    case 'POST /worker/session/play':
      return { token: testWorker }
    case 'POST /worker/push':
      return deviceOf({ now: () => new Date() })
    case 'POST /worker/email':
    case 'POST /worker/close':
      return { current_password: PASSWORD }
    case 'POST /worker/password':
      return { current_password: PASSWORD, password: `${PASSWORD} again` }
    case 'POST /worker/objections/payout-account':
      return { token: link }
    case 'POST /worker/objections/appeal':
      return { token: link, task_id: once.linkTask }
    case 'POST /worker/tasks/:id/proof':
      return { text: 'Done' }
    case 'POST /events/replay':
      return {
        from: new Date(Date.now() - 3_600_000).toISOString(),
        after: undefined,
        to: undefined,
      }
    case 'POST /console/connect':
      return { scopes: ['read'], scope: 'read', budget_cents: 1 }
    case 'POST /wallet/deposit':
      return { amount_cents: 1000 }
    case 'POST /call':
    case 'POST /verify':
    case 'POST /gut-check':
    case 'POST /field':
    case 'POST /escalate':
    case 'POST /vibe':
      return { description: 'Look', budget_cents: 500 }
    default:
      return {}
  }
}
