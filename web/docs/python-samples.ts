/**
 * Python samples for each endpoint, generated from the OpenAPI declaration and the values of the curl sample: calls of
 * the SDK's client for agents, and plain HTTP for endpoints that it doesn't have. scripts/guide.test.ts runs them.
 */
import type { Operation } from './openapi.ts'

/** Operation → the method of the client, and the name of what it returns; `''` for a call without a result. */
const METHODS: Record<string, [method: string, result: string]> = {
  'POST /tasks': ['tasks.create', 'task'],
  'GET /tasks': ['tasks.list', 'page'],
  'GET /tasks/:id': ['tasks.get', 'task'],
  'GET /tasks/:id/proof': ['tasks.proof', 'proofs'],
  'POST /tasks/:id/approve': ['tasks.approve', 'approved'],
  'POST /tasks/:id/dispute': ['tasks.dispute', 'disputed'],
  'POST /tasks/:id/dispute/withdraw': ['tasks.withdraw_dispute', ''],
  'POST /tasks/:id/dispute/answer': ['tasks.answer_appeal', ''],
  'POST /tasks/:id/request-revision': ['tasks.request_revision', ''],
  'POST /tasks/:id/cancel': ['tasks.cancel', 'cancelled'],
  'POST /tasks/:id/payout': ['tasks.payout', 'payouts'],
  'POST /verify': ['verify', 'task'],
  'POST /call': ['call', 'task'],
  'POST /gut-check': ['gut_check', 'task'],
  'POST /field': ['field', 'task'],
  'POST /escalate': ['escalate', 'task'],
  'POST /vibe': ['vibe', 'task'],
  'GET /quote': ['quote', 'quote'],
  'GET /wallet': ['wallet.get', 'wallet'],
  'POST /wallet/deposit': ['wallet.deposit', 'deposit'],
  'GET /stats': ['stats.get', 'stats'],
  'GET /stats/spend': ['stats.spend', 'spend'],
  'POST /agents/register': ['agents.register', 'registered'],
  'POST /agents/recover': ['agents.recover', ''],
  'POST /agents/recover/confirm': ['agents.confirm_recovery', 'recovered'],
  'POST /agents/verify': ['agents.verify_email', ''],
  'POST /agents/verify/resend': ['agents.resend_verification', ''],
  'GET /agents/me': ['agents.me', 'me'],
  'PATCH /agents/me': ['agents.update', 'agent'],
  'GET /agents/me/checklist': ['agents.checklist', 'checklist'],
  'GET /agents/keys': ['keys.list', 'keys'],
  'POST /agents/keys': ['keys.create', 'key'],
  'PATCH /agents/keys/:id': ['keys.update', 'key'],
  'POST /agents/keys/:id/rotate': ['keys.rotate', 'rotated'],
  'DELETE /agents/keys/:id': ['keys.delete', ''],
  'GET /agents/connections': ['connections.list', 'connections'],
  'DELETE /agents/connections/:id': ['connections.end', ''],
  'POST /agents/questions': ['questions.ask', 'question'],
  'GET /agents/questions': ['questions.list', 'page'],
  'GET /agents/questions/:id': ['questions.get', 'question'],
  'POST /agents/questions/:id/replies': ['questions.reply', ''],
  'POST /agents/questions/:id/close': ['questions.close', ''],
  'GET /events': ['events.list', 'page'],
  'POST /events/:id/redeliver': ['events.redeliver', ''],
  'POST /events/replay': ['events.replay', ''],
  'GET /webhooks/deliveries': ['webhooks.deliveries', 'page'],
  'POST /webhooks/ping': ['webhooks.ping', ''],
  'POST /webhooks/rotate-secret': ['webhooks.rotate_secret', 'rotated'],
  'GET /requests': ['requests.list', 'page'],
  'GET /requests/:id': ['requests.get', 'request'],
  'POST /test/clock/advance': ['test.advance_clock', 'advanced'],
  'GET /test/clock': ['test.clock', 'clock'],
  'POST /test/workers': ['test.create_worker', 'made'],
}

const WIDTH = 84
/** Names that are keywords of Python; the client adds an underscore. */
const KEYWORDS = new Set(['from', 'while'])

interface Values {
  body?: Record<string, unknown> | undefined
  /** As in a URL. */
  query?: string | undefined
  /** The variable of the id in the path: `$TASK_ID`. */
  id: string
}

export function pythonOf(operation: Operation, values: Values): string {
  const { name, path } = operation
  const query = queryOf(values.query)
  if (name === 'POST /test/agents')
    return call('made = Legwork.create_test_agent', named(values.body ?? {}))
  const [method, result] = METHODS[name] ?? []
  if (method === undefined) return httpOf(operation, values, query)
  const target = `${result ? `${result} = ` : ''}legwork.${method}`
  const fields = values.body ?? query
  if (method === 'test.advance_clock') return call(target, [literal(fields.by)])
  return call(target, [...(path.includes(':id') ? [nameOf(values.id)] : []), ...named(fields)])
}

/** The variables of the samples have the names of those in curl, in lower case. */
function httpOf(
  { method, path, caller, rawBody }: Operation,
  { body, id }: Values,
  query: Record<string, unknown>,
): string {
  const target = path.replace(':id', `{${nameOf(id)}}`)
  const token = { agent: 'api_key', worker: 'worker_token', anyone: undefined }[caller]
  const headers = [
    ...(token === undefined ? [] : [`"authorization": f"Bearer {${token}}"`]),
    ...(path.endsWith('/session') && method !== 'GET' ? ['"origin": origin'] : []),
    ...(rawBody === undefined ? [] : [`"content-type": "${rawBody}"`, '"upload-offset": "0"']),
  ]
  // Only httpx.request takes a body with a DELETE.
  const isPlain = method !== 'DELETE' || body === undefined
  const code = call(`response = httpx.${isPlain ? method.toLowerCase() : 'request'}`, [
    ...(isPlain ? [] : ['"DELETE"']),
    `f"{base_url}${target}"`,
    ...(headers.length > 0 ? [`headers={${headers.join(', ')}}`] : []),
    ...(Object.keys(query).length > 0 ? [`params=${literal(query)}`] : []),
    ...(rawBody === undefined ? [] : ['content=Path("photo.jpg").read_bytes()']),
    ...(body === undefined ? [] : [`json=${literal(body)}`]),
  ])
  return `${rawBody === undefined ? '' : 'from pathlib import Path\n\n'}import httpx\n\n${code}`
}

const queryOf = (query: string | undefined): Record<string, unknown> =>
  Object.fromEntries(
    [...new URLSearchParams(query)].map(([field, value]) => [
      field,
      /^[\d.]+$/.test(value) ? Number(value) : value,
    ]),
  )

const named = (fields: Record<string, unknown>) =>
  Object.entries(fields).map(
    ([field, value]) => `${field}${KEYWORDS.has(field) ? '_' : ''}=${literal(value)}`,
  )

/** On one line if it fits, otherwise an argument on each. */
function call(target: string, args: string[]): string {
  const line = `${target}(${args.join(', ')})`
  if (line.length <= WIDTH && !line.includes('\n')) return line
  return `${target}(\n${args.map((arg) => `${indented(arg)},\n`).join('')})`
}

const indented = (text: string) => `    ${text.replaceAll('\n', '\n    ')}`

/** A value as Python; `"$TASK_ID"` becomes the variable `task_id`. */
function literal(value: unknown): string {
  if (value === null) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (typeof value === 'string')
    return /^\$[A-Z_]+$/.test(value) ? nameOf(value) : JSON.stringify(value)
  if (typeof value === 'number') return String(value)
  const [open, close, items] = Array.isArray(value)
    ? ['[', ']', value.map((item) => literal(item))]
    : [
        '{',
        '}',
        Object.entries(value as object).map(([field, item]) => `"${field}": ${literal(item)}`),
      ]
  const line = `${open}${items.join(', ')}${close}`
  if (line.length <= WIDTH - 12 && !line.includes('\n')) return line
  return `${open}\n${items.map((item) => `${indented(item)},\n`).join('')}${close}`
}

const nameOf = (variable: string) => variable.replace(/^\$(?:LEGWORK_)?/, '').toLowerCase()
