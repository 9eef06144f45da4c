/**
 * A hosted client connects from nothing: the official MCP client finds out where to ask, registers itself and sends a
 * person to the consent page in a real browser. The person logs in, chooses a budget and allows it.
 */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, test } from 'node:test'
import {
  Client,
  IssuerMismatchError,
  type OAuthClientInformationMixed,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  OAuthError,
  type OAuthTokens,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client'
import { atEnd } from '../hooks.ts'
import { assertAccessible, openHome, openPhone, type Phone, until } from './phone.ts'

const HOUR = 3_600_000
const { market, origin } = await openHome()
const app = await openApp()

/** The page of the app to which people are sent back. */
async function openApp() {
  const answers: URL[] = []
  const server = createServer((request, response) => {
    const url = new URL(request.url!, 'http://127.0.0.1')
    if (url.pathname === '/callback') answers.push(url)
    response.setHeader('content-type', 'text/html')
    response.end('<title>App</title><h1>Back in the app</h1>')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  atEnd(async () => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { callback: `http://127.0.0.1:${port}/callback`, answers }
}

/** The state that a client's host would keep in a file. */
class Kept implements OAuthClientProvider {
  asked: URL[] = []
  information: OAuthClientInformationMixed | undefined
  discovered: OAuthDiscoveryState | undefined
  held: OAuthTokens | undefined
  #verifier = ''

  get redirectUrl() {
    return app.callback
  }
  get clientMetadata() {
    return { client_name: 'Travel Helper', redirect_uris: [app.callback] }
  }
  state() {
    return 'the state of the client'
  }
  clientInformation() {
    return this.information
  }
  saveClientInformation(information: OAuthClientInformationMixed) {
    this.information = information
  }
  tokens() {
    return this.held
  }
  saveTokens(tokens: OAuthTokens) {
    this.held = tokens
  }
  redirectToAuthorization(url: URL) {
    this.asked.push(url)
  }
  saveCodeVerifier(verifier: string) {
    this.#verifier = verifier
  }
  codeVerifier() {
    return this.#verifier
  }
  discoveryState() {
    return this.discovered
  }
  saveDiscoveryState(state: OAuthDiscoveryState) {
    this.discovered = state
  }
  invalidateCredentials(scope: 'all' | 'client' | 'tokens' | 'verifier' | 'discovery') {
    if (scope === 'client' || scope === 'all') this.information = undefined
    if (scope === 'tokens' || scope === 'all') this.held = undefined
  }
}

/** Tries to connect, and is told to ask a person first. */
async function askFirst(kept: Kept) {
  const transport = newTransport(kept)
  await assert.rejects(newClient().connect(transport), UnauthorizedError)
  return { transport, address: kept.asked.at(-1)!.href }
}

async function connected(kept: Kept) {
  const client = newClient()
  await client.connect(newTransport(kept))
  atEnd(() => client.close())
  return client
}

const newClient = () => new Client({ name: 'travel-helper', version: '1' })
const newTransport = (authProvider: OAuthClientProvider) =>
  new StreamableHTTPClientTransport(new URL('/mcp', origin), { authProvider })
const button = ({ page }: Phone, name: string | RegExp) =>
  page.getByRole('button', { name, exact: typeof name === 'string' })

/** Opens the consent page, logged out, and logs in there. */
async function logInAt(phone: Phone, address: string, apiKey: string): Promise<void> {
  await phone.open(address)
  await phone.page.getByLabel('API key').fill(apiKey)
  await button(phone, 'Log in').click()
  await phone.heading('Connect an app')
}

async function textOf(client: Client, name: string, args: object = {}): Promise<string> {
  const { content } = await client.callTool({ name, arguments: { ...args } })
  return content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n')
}

describe('the official client', () => {
  test('connects from nothing with a person’s consent, spends within the budget, renews its token, and is disconnected', async () => {
    const agent = await market.agent({ name: 'Atlas', balanceCents: 10_000, freeTasks: false })
    const kept = new Kept()
    const phone = await openPhone()

    const { transport, address } = await askFirst(kept)
    await logInAt(phone, address, agent.api_key)
    const { page } = phone
    await page.getByText('“Travel Helper”').waitFor()
    await page.getByText(new URL(app.callback).host).first().waitFor()
    await assertAccessible(page, 'consent')
    await page.getByLabel('Budget, in dollars').fill('6.00')
    await page.getByLabel('Applies').selectOption('in total')
    await page.getByText('Review', { exact: true }).click()
    await button(phone, 'Allow').click()
    await phone.heading('Back in the app')
    const back = app.answers.at(-1)!
    await transport.finishAuth(back.searchParams)

    assert.equal(back.searchParams.get('state'), 'the state of the client')
    assert.equal(back.searchParams.get('iss'), origin)
    assert.equal(kept.held?.scope, 'create read')
    const client = await connected(kept)
    const ask = (question: string, budget_cents: number) =>
      textOf(client, 'ask_human', { question, budget_cents, wait_seconds: 0 })
    assert.match(await textOf(client, 'get_budget'), /cap in total: \$6\.00, \$0\.00 used/)
    assert.match(await ask('Is it open?', 500), /status: pending/)
    assert.match(await ask('Is it large?', 101), /above the spending cap/)
    assert.match(
      await textOf(client, 'review_human_work', { task_id: 'task_x', verdict: 'approve' }),
      /lacks the scope review/,
    )

    const first = kept.held!
    market.advance(HOUR + 1000)
    assert.match(await ask('Is it large?', 101), /above the spending cap/)
    assert.notEqual(kept.held!.access_token, first.access_token)
    assert.equal(kept.asked.length, 1)

    await page.goto(`${origin}/console/keys`)
    await page.getByRole('list', { name: 'Connected apps' }).getByText('Travel Helper').waitFor()
    await assertAccessible(page, 'connected apps')
    await button(phone, 'Disconnect Travel Helper').click()
    await page.getByRole('dialog').getByRole('button', { name: 'Disconnect' }).click()
    await until(
      async () => (await agent.get('/agents/connections')).body.connections.length === 0,
      'the connection has ended',
    )
    await assert.rejects(textOf(client, 'get_budget'), UnauthorizedError)
    assert.equal(kept.asked.length, 2, 'the client has to ask the person again')
    assert.equal(await market.balance(agent.id), 9500)
    await phone.close()
  })

  test('learns that the person refused, and gets nothing', async () => {
    const agent = await market.agent()
    const kept = new Kept()
    const phone = await openPhone()

    const { transport, address } = await askFirst(kept)
    await logInAt(phone, address, agent.api_key)
    await button(phone, 'Deny').click()
    await phone.heading('Back in the app')

    await assert.rejects(
      transport.finishAuth(app.answers.at(-1)!.searchParams),
      (error) => error instanceof OAuthError && error.code === 'access_denied',
    )
    assert.equal(kept.held, undefined)
    assert.equal((await agent.get('/agents/keys')).body.keys.length, 1)
    await phone.close()
  })

  test('does not redeem a code that names another issuer', async () => {
    const agent = await market.agent()
    const kept = new Kept()
    const phone = await openPhone()

    const { transport, address } = await askFirst(kept)
    await logInAt(phone, address, agent.api_key)
    await button(phone, 'Allow').click()
    await phone.heading('Back in the app')
    const { searchParams } = app.answers.at(-1)!
    for (const iss of ['https://evil.example', `${origin}/`, undefined]) {
      const mixed = new URLSearchParams(searchParams)
      if (iss === undefined) mixed.delete('iss')
      else mixed.set('iss', iss)
      await assert.rejects(transport.finishAuth(mixed), IssuerMismatchError)
    }

    assert.equal(kept.held, undefined)
    await phone.close()
  })
})

describe('the consent page', () => {
  test('sends nobody anywhere for a link that is wrong: it says what is wrong', async () => {
    const agent = await market.agent()
    const kept = new Kept()
    const phone = await openPhone()
    const { address } = await askFirst(kept)
    const changed = (change: (search: URLSearchParams) => void) => {
      const url = new URL(address)
      change(url.searchParams)
      return url.href
    }

    await logInAt(phone, address, agent.api_key)
    for (const [wrong, says] of [
      [
        changed((search) => search.set('redirect_uri', 'https://evil.example/')),
        /did not register/,
      ],
      [changed((search) => search.set('code_challenge_method', 'plain')), /code_challenge_method/],
      [changed((search) => search.set('resource', 'https://evil.example/mcp')), /resource must be/],
      [changed((search) => search.delete('code_challenge')), /link is incomplete/],
      [changed((search) => search.append('redirect_uri', 'https://evil.example/')), /incomplete/],
    ] as const) {
      await phone.page.goto(wrong)
      await phone.page.getByText(says).first().waitFor()
      assert.equal(await button(phone, 'Allow').count(), 0)
      assert.equal(new URL(phone.page.url()).origin, origin)
    }
    await phone.close()
  })

  test('needs a budget and some access before it allows anything', async () => {
    const agent = await market.agent()
    const kept = new Kept()
    const phone = await openPhone()
    const { address } = await askFirst(kept)
    await logInAt(phone, address, agent.api_key)
    const answered = app.answers.length

    for (const text of ['', '0', 'much', '-5']) {
      await phone.page.getByLabel('Budget, in dollars').fill(text)
      await button(phone, 'Allow').click()
      await phone.page.getByText('Enter an amount such as 20.00').waitFor()
    }
    await phone.page.getByLabel('Budget, in dollars').fill('5')
    for (const name of ['Create', 'Review', 'Read'])
      await phone.page.getByText(name, { exact: true }).click()
    await button(phone, 'Allow').click()
    await phone.page.getByText('Turn on at least one kind of access').waitFor()

    assert.equal(app.answers.length, answered)
    assert.equal((await agent.get('/agents/keys')).body.keys.length, 1)
    await phone.close()
  })
})
