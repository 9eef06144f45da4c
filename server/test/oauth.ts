/** An OAuth client as a program, without a browser: each step of the flow, with whatever parameters a test sends. */
import assert from 'node:assert/strict'
import { hash, randomBytes } from 'node:crypto'
import type { Json, Marketplace, Reply } from './harness.ts'

export const REDIRECT = 'https://app.example/callback'

/** Changes to the parameters of a step: undefined leaves one out. */
type Changes = Record<string, unknown>
interface Asker {
  post(path: string, body?: unknown): Promise<Reply>
}
export interface Tokens {
  access_token: string
  refresh_token: string
  scope: string
}

export const openOAuthClient = (market: Marketplace) =>
  new OAuthClient(new URL(market.server.addresses.api!).origin)

class OAuthClient {
  readonly origin: string

  constructor(origin: string) {
    this.origin = origin
  }

  async #send(path: string, init: RequestInit = {}) {
    const response = await fetch(new URL(path, this.origin), init)
    const text = await response.text()
    const body = (text.startsWith('{') ? JSON.parse(text) : {}) as Json
    return { status: response.status, headers: response.headers, text, body }
  }

  read(path: string) {
    return this.#send(path)
  }

  register(metadata: Changes = {}) {
    return this.#send('/oauth/register', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ client_name: 'Assistant', redirect_uris: [REDIRECT], ...metadata }),
    })
  }

  /** The parameters of an authorization request, with the verifier that belongs to them. */
  async ask(changes: Changes = {}) {
    const verifier = randomBytes(32).toString('base64url')
    const { body } = await this.read('/.well-known/oauth-protected-resource/mcp')
    const request = given({
      response_type: 'code',
      client_id: changes.client_id ?? (await this.register()).body.client_id,
      redirect_uri: REDIRECT,
      code_challenge: hash('sha256', verifier, 'base64url'),
      code_challenge_method: 'S256',
      scope: 'create review read',
      state: 'some state',
      resource: body.resource,
      ...changes,
    })
    return { verifier, request }
  }

  /** A person's consent, for the agent of this key or browser. */
  consent(agent: Asker, request: Changes, choice: Changes = {}) {
    return agent.post('/console/connect', {
      ...request,
      scopes: ['create', 'review', 'read'],
      budget_cents: 1000,
      days: 90,
      ...choice,
    })
  }

  token(form: Changes | URLSearchParams) {
    return this.#post('/oauth/token', form)
  }

  revoke(form: Changes) {
    return this.#post('/oauth/revoke', form)
  }

  #post(path: string, form: Changes | URLSearchParams) {
    const body = form instanceof URLSearchParams ? form : new URLSearchParams(given(form))
    return this.#send(path, { method: 'POST', body })
  }

  refresh(tokens: Tokens, client_id: string, changes: Changes = {}) {
    const { refresh_token } = tokens
    return this.token({ grant_type: 'refresh_token', refresh_token, client_id, ...changes })
  }

  /** Everything up to the code, with what redeems it. */
  async code(agent: Asker, changes: { request?: Changes; choice?: Changes } = {}) {
    const { verifier, request } = await this.ask(changes.request)
    const agreed = await this.consent(agent, request, changes.choice)
    assert.equal(agreed.status, 201, agreed.text)
    const back = new URL(agreed.body.redirect_url)
    const redemption = {
      grant_type: 'authorization_code',
      code: back.searchParams.get('code')!,
      code_verifier: verifier,
      client_id: request.client_id!,
      redirect_uri: request.redirect_uri!,
      resource: request.resource!,
    }
    return { request, back, redemption, clientId: request.client_id! }
  }

  /** The whole flow. */
  async connect(agent: Asker, changes: { request?: Changes; choice?: Changes } = {}) {
    const { redemption, clientId, request } = await this.code(agent, changes)
    const { status, body, text } = await this.token(redemption)
    assert.equal(status, 200, text)
    return { tokens: body as unknown as Tokens, redemption, clientId, request }
  }

  /** Calls a tool with a token, or lists the tools. */
  mcp(token: string, tool?: string, args: object = {}) {
    return this.#send('/mcp', {
      method: 'POST',
      headers: {
        accept: 'application/json, text/event-stream',
        'content-type': 'application/json',
        ...(token === '' ? {} : { authorization: `Bearer ${token}` }),
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        ...(tool === undefined
          ? { method: 'tools/list' }
          : { method: 'tools/call', params: { name: tool, arguments: args } }),
      }),
    })
  }

  async works(token: string): Promise<boolean> {
    return (await this.mcp(token)).status === 200
  }
}

const given = (fields: Changes): Record<string, string> =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value as string]],
    ),
  )
