import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { Language } from '../src/email/languages.ts'
import type { Marketplace } from './harness.ts'

export const PASSWORD = 'correct horse battery staple'

export const newEmail = () => `${randomUUID()}@example.com`

interface SignUp {
  isVerified?: boolean
  email?: string
  password?: string
  name?: string
  app_language?: Language
}

/** A person who registers through the API and, unless told otherwise, follows the link in the email. */
export async function signUp(
  market: Marketplace,
  {
    isVerified = true,
    email = newEmail(),
    password = PASSWORD,
    name = 'Ann',
    app_language,
  }: SignUp = {},
) {
  const { status, body } = await market.call('POST', '/worker/register', {
    body: { name, email, password, app_language },
  })
  assert.equal(status, 201)
  await market.work()
  const mail = await market.inbox.mailTo(email)
  const token = tokenOf(mail)
  if (isVerified) {
    const verified = await market.call('POST', '/worker/verify', { body: { token } })
    assert.equal(verified.status, 200, verified.text)
  }
  return {
    id: body.worker.id as string,
    email,
    password,
    mail,
    /** The token of the link in the email. */
    linkToken: token,
    logIn: (given = password) =>
      market.call('POST', '/worker/login', { body: { email, password: given } }),
    /** The token of the link for a forgotten password. */
    async forget() {
      await market.call('POST', '/worker/password/forgot', { body: { email } })
      await market.work()
      return tokenOf(await market.inbox.mailTo(email))
    },
  }
}

export function tokenOf({ links }: { links: URL[] }): string {
  const token = links[0]?.searchParams.get('token')
  assert(token, 'the mail has a link with a token')
  return token
}

/** The token in a link to an agent: it is in the fragment, which browsers do not send. */
export function agentTokenOf({ links }: { links: URL[] }): string {
  const token = new URLSearchParams(links[0]?.hash.slice(1)).get('token')
  assert(token, 'the mail has a link with a token in its fragment')
  return token
}

/** An agent whose owners read their email: the confirmation email has been read. */
export async function registeredAgent(
  market: Marketplace,
  fields: Parameters<Marketplace['agent']>[0] = {},
) {
  const agent = await market.agent({ ...fields, getsMail: true })
  await market.work()
  const mail = await market.inbox.mailTo(agent.email)
  return {
    ...agent,
    mail,
    verifyToken: agentTokenOf(mail),
    /** The token of a new recovery link. */
    async loseKey() {
      const { status } = await market.call('POST', '/agents/recover', {
        body: { email: agent.email },
      })
      assert.equal(status, 202)
      await market.work()
      return agentTokenOf(await market.inbox.mailTo(agent.email))
    },
  }
}

/** One of our pages in a browser: it keeps the cookie that it is given, and sends its origin. */
export function openBrowser(market: Marketplace) {
  const { origin } = new URL(market.server.addresses.api!)
  const jar = { cookie: '' }
  const send =
    (method: string) =>
    async (path: string, body?: unknown, headers: Record<string, string> = {}) => {
      const own = jar.cookie === '' ? {} : { cookie: jar.cookie }
      const reply = await market.call(method, path, {
        body,
        headers: { ...own, ...(method === 'GET' ? {} : { origin }), ...headers },
      })
      for (const set of reply.headers.getSetCookie())
        jar.cookie = set.includes('Max-Age=0') ? '' : set.split(';')[0]!
      return reply
    }
  return {
    origin,
    jar,
    get: send('GET'),
    post: send('POST'),
    put: send('PUT'),
    patch: send('PATCH'),
    delete: send('DELETE'),
    logIn(this: void, { email, password }: { email: string; password: string }) {
      return send('POST')('/worker/session', { email, password })
    },
  }
}
