/**
 * Code samples for the calls that the console makes. The browser never has the key, so samples use a variable instead.
 */

export interface Call {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** Relative to the base URL, such as `/tasks`. */
  path: string
  body?: unknown
}

const KEY = '$LEGWORK_API_KEY'

export function curlOf({ method, path, body }: Call, base: string): string {
  // Quote `&` and `?`, which are special to the shell; use double quotes where it should expand a variable.
  const whole = `${base}${path}`
  const address = /^[\w/:.-]*$/.test(whole)
    ? whole
    : /^[\w/:.$-]*$/.test(whole)
      ? `"${whole}"`
      : quoted(whole)
  const lines = [
    method === 'GET' ? `curl ${address}` : `curl -X ${method} ${address}`,
    `-H "Authorization: Bearer ${KEY}"`,
    ...(body === undefined
      ? []
      : [`-H "Content-Type: application/json"`, `-d ${quoted(indented(body))}`]),
  ]
  return lines.join(' \\\n  ')
}

/** Indents the body like the lines around it. */
const indented = (body: unknown) => JSON.stringify(body, null, 2).replaceAll('\n', '\n  ')

/** Quotes for a shell: within single quotes, only a single quote needs escaping. */
const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`

/** SDK methods that create tasks. */
const MAKERS: Record<string, string> = {
  'POST /tasks': 'tasks.create',
  'POST /verify': 'verify',
  'POST /call': 'call',
  'POST /gut-check': 'gutCheck',
  'POST /field': 'field',
  'POST /escalate': 'escalate',
  'POST /vibe': 'vibe',
}

/** All other SDK methods. Arguments are the id first, then the body or query. */
const OTHERS: Record<string, string> = {
  'GET /tasks': 'tasks.list',
  'GET /tasks/{id}/proof': 'tasks.proof',
  'GET /tasks/{id}': 'tasks.get',
  'POST /tasks/{id}/approve': 'tasks.approve',
  'POST /tasks/{id}/dispute': 'tasks.dispute',
  'POST /tasks/{id}/dispute/withdraw': 'tasks.withdrawDispute',
  'POST /tasks/{id}/dispute/answer': 'tasks.answerAppeal',
  'POST /tasks/{id}/request-revision': 'tasks.requestRevision',
  'POST /tasks/{id}/cancel': 'tasks.cancel',
  'POST /tasks/{id}/payout': 'tasks.payout',
  'GET /quote': 'quote',
  'GET /wallet': 'wallet.get',
  'POST /wallet/deposit': 'wallet.deposit',
  'GET /stats': 'stats.get',
  'GET /stats/spend': 'stats.spend',
  'GET /agents/me': 'agents.me',
  'PATCH /agents/me': 'agents.update',
  'GET /agents/me/checklist': 'agents.checklist',
  'GET /agents/keys': 'keys.list',
  'POST /agents/keys': 'keys.create',
  'PATCH /agents/keys/{id}': 'keys.update',
  'POST /agents/keys/{id}/rotate': 'keys.rotate',
  'DELETE /agents/keys/{id}': 'keys.delete',
  'GET /events': 'events.list',
  'POST /events/{id}/redeliver': 'events.redeliver',
  'POST /events/replay': 'events.replay',
  'GET /webhooks/deliveries': 'webhooks.deliveries',
  'POST /webhooks/ping': 'webhooks.ping',
  'POST /webhooks/rotate-secret': 'webhooks.rotateSecret',
  'GET /requests': 'requests.list',
  'GET /requests/{id}': 'requests.get',
  'POST /agents/questions': 'questions.ask',
  'GET /agents/questions': 'questions.list',
  'GET /agents/questions/{id}': 'questions.get',
  'POST /agents/questions/{id}/replies': 'questions.reply',
  'POST /agents/questions/{id}/close': 'questions.close',
  'GET /test/clock': 'test.clock',
  'POST /test/workers': 'test.createWorker',
}

export const SDK_METHODS: Record<string, string> = { ...MAKERS, ...OTHERS }

/** The call with the SDK; undefined if the SDK has no method for it, or if the recorded body is truncated. */
export function typescriptOf({ method, path, body }: Call): string | undefined {
  const [address = '', search = ''] = path.split('?')
  const found = methodOf(`${method} ${address}`)
  if (found === undefined || typeof body === 'string') return undefined
  const { name, id, isMaker } = found
  const query = Object.fromEntries(
    [...new URLSearchParams(search)].map(([field, text]) => [field, valueOf(text)]),
  )
  const input = method === 'GET' ? query : body
  const given = [
    ...(id === undefined ? [] : [stringOf(id)]),
    ...(isObject(input) && Object.keys(input).length > 0 ? [literal(input, 0)] : []),
  ].join(', ')
  return `import { Legwork } from '@legwork/sdk'

const legwork = new Legwork() // reads LEGWORK_API_KEY
${
  isMaker
    ? `const task = await legwork.${name}(${given})
const done = await legwork.tasks.wait(task.id)
console.log(done.status, done.proofs)`
    : `console.log(await legwork.${name}(${given}))`
}`
}

function methodOf(call: string): { name: string; id?: string; isMaker: boolean } | undefined {
  const whole = SDK_METHODS[call]
  if (whole !== undefined) return { name: whole, isMaker: call in MAKERS }
  for (const [route, name] of Object.entries(OTHERS)) {
    const [before, after] = route.split('{id}')
    if (after === undefined || !call.startsWith(before!) || !call.endsWith(after)) continue
    const id = call.slice(before!.length, call.length - after.length)
    if (id !== '' && !id.includes('/')) return { name, id, isMaker: false }
  }
  return undefined
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null
const valueOf = (text: string): unknown => (/^\d{1,15}$/.test(text) ? Number(text) : text)

function literal(value: unknown, depth: number): string {
  const pad = '  '.repeat(depth + 1)
  const end = '  '.repeat(depth)
  if (Array.isArray(value))
    return value.length === 0 ? '[]' : `[${value.map((one) => literal(one, depth)).join(', ')}]`
  if (value === null || typeof value !== 'object') return stringOf(value)
  const entries = Object.entries(value)
  if (entries.length === 0) return '{}'
  const lines = entries.map(
    ([name, one]) =>
      `${pad}${/^[a-z_]\w*$/i.test(name) ? name : stringOf(name)}: ${literal(one, depth + 1)},`,
  )
  return `{\n${lines.join('\n')}\n${end}}`
}

const stringOf = (value: unknown) =>
  typeof value === 'string' && !value.includes("'") && !/[\\\n]/.test(value)
    ? `'${value}'`
    : JSON.stringify(value)
