/** The call that the console makes, as one would write it oneself. The key is never in the browser: it has its name. */

export interface Call {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** Below the base, as `/tasks`. */
  path: string
  body?: unknown
}

const KEY = '$LEGWORK_API_KEY'

export function curlOf({ method, path, body }: Call, base: string): string {
  const lines = [
    method === 'GET' ? `curl ${base}${path}` : `curl -X ${method} ${base}${path}`,
    `-H "Authorization: Bearer ${KEY}"`,
    ...(body === undefined
      ? []
      : [`-H "Content-Type: application/json"`, `-d ${quoted(JSON.stringify(body, null, 2))}`]),
  ]
  return lines.join(' \\\n  ')
}

/** For a shell: within single quotes everything is itself, but for a single quote. */
const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`

const METHODS: Record<string, string> = {
  '/tasks': 'tasks.create',
  '/verify': 'verify',
  '/call': 'call',
  '/gut-check': 'gutCheck',
  '/field': 'field',
  '/escalate': 'escalate',
  '/vibe': 'vibe',
}

/** Only what creates tasks, which is all that the console shows so. */
export function typescriptOf({ path, body }: Call): string {
  return `import { Legwork } from '@legwork/sdk'

const legwork = new Legwork() // reads LEGWORK_API_KEY
const task = await legwork.${METHODS[path]}(${literal(body, 0)})
const done = await legwork.tasks.wait(task.id)
console.log(done.status, done.proofs)`
}

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
