/** An operator with a session of the desk, for tests of anything but signing in itself. */
import assert from 'node:assert/strict'
import type { BrowserContext } from 'playwright-core'
import { mintId } from '../../src/kit/ids.ts'
import type { Role } from '../../src/kit/rights.ts'
import { beginSession } from '../../src/operators/sessions.ts'
import { call, type CallInit, type Marketplace } from '../harness.ts'

const API = '/desk/api'

export type DeskClient = ReturnType<typeof deskClient>
export type Operator = Awaited<ReturnType<typeof signIn>>

let operators = 0

/** Makes an active operator of this role and begins a session in the database, as signing in would. */
export async function signIn(market: Marketplace, role: Role, { name = '', email = '' } = {}) {
  operators += 1
  const now = market.now()
  const operator = {
    id: mintId('opr', now, 0),
    name: name || `${role[0]!.toUpperCase()}${role.slice(1)} ${operators}`,
    email: email || `${role}-${operators}@desk.example`,
    role,
  }
  await market.server.db.shards.global.transaction((tx) =>
    tx
      .insertInto('operators')
      .values({ ...operator, status: 'active', invited_by: null, created_at: now })
      .execute(),
  )
  const cookie = await sessionFor(market, operator.id)
  return { ...operator, cookie, ...deskClient(market, cookie) }
}

/** The cookie of another session of an operator: `name=value`. */
export async function sessionFor(market: Marketplace, operatorId: string): Promise<string> {
  const cookie = await market.server.db.shards.global.transaction((tx) =>
    beginSession(tx, {
      operatorId,
      how: 'passkey',
      device: 'Test on Linux',
      config: market.server.config,
      now: market.now(),
    }),
  )
  return cookie.split(';')[0]!
}

/** Requests of a page of the desk: it keeps the cookie it is given, and sends its origin. `/session` is `/desk/api/session`. */
export function deskClient(market: Marketplace, cookie = '') {
  const jar = { cookie }
  const send =
    (method: string) =>
    async (path: string, body?: unknown, headers: CallInit['headers'] = {}) => {
      assert(path.startsWith('/') && !path.startsWith(API), `${path} is the path after ${API}`)
      const own = jar.cookie === '' ? {} : { cookie: jar.cookie }
      const reply = await call(market.desk + API, method, path, {
        body,
        headers: { ...own, ...(method === 'GET' ? {} : { origin: market.desk }), ...headers },
      })
      for (const set of reply.headers.getSetCookie())
        jar.cookie = set.includes('Max-Age=0') ? '' : set.split(';')[0]!
      return reply
    }
  return { jar, get: send('GET'), post: send('POST'), put: send('PUT'), delete: send('DELETE') }
}

/** Signs a browser in. The cookie is secure-only; a browser sends it over http to this machine. */
export async function giveCookie(
  context: BrowserContext,
  cookie: string,
  origin: string,
): Promise<void> {
  const [name, value] = cookie.split('=') as [string, string]
  await context.addCookies([
    {
      name,
      value,
      url: origin.replace(/^http:/, 'https:'),
      secure: true,
      httpOnly: true,
      sameSite: 'Strict',
    },
  ])
}
