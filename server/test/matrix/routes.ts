/** Routes that are not API endpoints, and addresses where nothing may be served. */
import { isDeepStrictEqual } from 'node:util'
import { SESSION_COOKIE } from '../../src/workers/session-cookie.ts'
import type { Marketplace } from '../harness.ts'
import type { World } from './callers.ts'
import { isInSample, record, type Report } from './matrix.ts'

/** `/` is the front page for everyone, except that a session cookie, whoever it belongs to, opens the app. */
const APP_AT_ROOT = '/?app'

/** A route outside the endpoint table → who may call it. `anyone` means that everyone gets the same response. */
export const OTHER_ROUTES: Record<string, 'anyone' | 'agent'> = {
  '/api/v1/openapi.json': 'anyone',
  '/api/v1/openapi/agents.json': 'anyone',
  '/wallet': 'anyone',
  '/.well-known/security.txt': 'anyone',
  '/.well-known/oauth-protected-resource/mcp': 'anyone',
  '/.well-known/oauth-authorization-server': 'anyone',
  '/oauth/register': 'anyone',
  '/oauth/token': 'anyone',
  '/oauth/revoke': 'anyone',
  '/mcp': 'agent',
}

/** Pages and files of the app, which have no route each, and operator addresses, which are on another port. */
export const PAGES = [
  '/',
  '/console',
  '/console/recover',
  '/docs',
  '/healthz',
  '/readyz',
  '/metrics',
]

export async function tryRoute(market: Marketplace, world: World, path: string): Promise<Report> {
  const report: Report = { cells: [], holes: [] }
  const { origin } = new URL(market.server.addresses.api!)
  const ask = async (path: string, headers: Record<string, string>) => {
    const isMcp = OTHER_ROUTES[path] === 'agent'
    const response = await fetch(origin + path, {
      headers: {
        accept: isMcp ? 'application/json, text/event-stream' : 'text/html',
        ...(isMcp ? { 'content-type': 'application/json' } : {}),
        ...headers,
      },
      ...(isMcp
        ? { method: 'POST', body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }) }
        : {}),
    })
    const text = await response.text()
    return { status: response.status, code: codeOf(text), text }
  }

  const first = await ask(path, {})
  const app = path === '/' ? await ask(APP_AT_ROOT, {}) : undefined
  for (const principal of world.principals.filter(isInSample)) {
    const headers = await principal.headers()
    const { status, code, text } = await ask(path, headers)
    const isAgents = OTHER_ROUTES[path] === 'agent'
    const operation = `${isAgents ? 'POST' : 'GET'} ${path} (page)`
    const isBearer = headers.authorization?.startsWith('Bearer ') ?? false
    const expected = !isAgents
      ? { status: first.status, code: first.code }
      : principal.cookie?.origin === 'foreign'
        ? { status: 403, code: 'wrong_origin' }
        : principal.is === 'agent' && isBearer
          ? { status: 200, code: undefined }
          : { status: 401, code: 'invalid_api_key' }
    const caller = principal.name
    record(report, { operation, caller, expected, got: { status, code }, text })
    const page = app && headers.cookie?.startsWith(`${SESSION_COOKIE}=`) ? app : first
    if (!isAgents && !isDeepStrictEqual(withoutIds(text), withoutIds(page.text)))
      report.holes.push({ operation, caller, why: 'a page depends on the credential' })
    if (/^(?:# (?:HELP|TYPE)|legwork_)|"status":"(?:ok|ready)"/m.test(text))
      report.holes.push({ operation, caller, why: 'an address for operators is open' })
  }
  return report
}

const codeOf = (text: string) => /^\{.*"code":"(\w+)"/s.exec(text)?.[1]
const withoutIds = (text: string) => text.replaceAll(/req_[0-9a-z]+/g, '')
