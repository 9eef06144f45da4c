import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { marketplace } from '../../test/harness.ts'
import { openOAuthClient, REDIRECT } from '../../test/oauth.ts'
import { removeExpired } from '../runner/remove-expired.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const market = await marketplace({ settings: { PUBLIC_URL: 'https://legwork.example' } })
const limited = await marketplace({ settings: { RATE_LIMITS: 'on', LIMIT_REGISTER_PER_HOUR: 3 } })
const oauth = openOAuthClient(market)

const clientsLeft = async () =>
  (await market.db.reader.selectFrom('oauth_clients').select('id').execute()).map(({ id }) => id)

describe('the metadata', () => {
  test('of the resource names the server that grants access', async () => {
    const { body, status } = await oauth.read('/.well-known/oauth-protected-resource/mcp')

    assert.equal(status, 200)
    assert.deepEqual(body, {
      resource: 'https://legwork.example/mcp',
      authorization_servers: ['https://legwork.example'],
      scopes_supported: ['create', 'review', 'read'],
      bearer_methods_supported: ['header'],
      resource_name: 'Legwork',
      resource_documentation: 'https://legwork.example/docs/connect-apps',
    })
  })

  test('of the server offers codes with PKCE by S256, and its name in responses', async () => {
    const { body } = await oauth.read('/.well-known/oauth-authorization-server')

    assert.equal(body.issuer, 'https://legwork.example')
    assert.equal(body.authorization_endpoint, 'https://legwork.example/console/connect')
    assert.deepEqual(body.response_types_supported, ['code'])
    assert.deepEqual(body.grant_types_supported, ['authorization_code', 'refresh_token'])
    assert.deepEqual(body.code_challenge_methods_supported, ['S256'])
    assert.deepEqual(body.token_endpoint_auth_methods_supported, ['none'])
    assert.equal(body.authorization_response_iss_parameter_supported, true)
  })

  test('is named by the 401 of /mcp, which says invalid_token only if there was one', async () => {
    const bare = await oauth.mcp('')
    const wrong = await oauth.mcp('nonsense')

    for (const { status, headers } of [bare, wrong]) {
      assert.equal(status, 401)
      assert.match(
        headers.get('www-authenticate')!,
        /^Bearer realm="legwork".* resource_metadata="https:[^"]+-resource\/mcp", scope="create review read"$/,
      )
    }
    assert.doesNotMatch(bare.headers.get('www-authenticate')!, /error=/)
    assert.match(wrong.headers.get('www-authenticate')!, /error="invalid_token"/)
  })
})

describe('POST /oauth/register', () => {
  test('201: a client without a secret, whatever method it asks for', async () => {
    const { status, body } = await oauth.register({
      client_name: 'Assistant',
      token_endpoint_auth_method: 'client_secret_post',
      scope: 'create review read',
      application_type: 'web',
      logo_uri: 'https://evil.example/pixel.png',
    })

    assert.equal(status, 201)
    assert.match(body.client_id, /^client_/)
    assert.deepEqual(
      { ...body, client_id: '', client_id_issued_at: 0 },
      {
        client_id: '',
        client_id_issued_at: 0,
        client_name: 'Assistant',
        redirect_uris: [REDIRECT],
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        token_endpoint_auth_method: 'none',
      },
    )
  })

  test('400 in the words of the RFC, 413 for a large body, 429 after the limit of an address', async () => {
    const bad = await oauth.register({ redirect_uris: [] })
    const insecure = await oauth.register({ redirect_uris: ['http://app.example/'] })
    const other = await oauth.register({ grant_types: ['client_credentials'] })
    const large = await oauth.register({ client_name: 'x'.repeat(9000) })
    const stranger = openOAuthClient(limited)
    for (let i = 0; i < 3; i += 1) assert.equal((await stranger.register()).status, 201)
    const many = await stranger.register()

    assert.deepEqual([bad.status, bad.body.error], [400, 'invalid_client_metadata'])
    assert.deepEqual([insecure.status, insecure.body.error], [400, 'invalid_redirect_uri'])
    assert.deepEqual([other.status, other.body.error], [400, 'invalid_client_metadata'])
    assert.equal(large.status, 413)
    assert.deepEqual([many.status, many.body.error], [429, 'temporarily_unavailable'])
    assert(Number(many.headers.get('retry-after')) > 0)
  })

  test('a client on this machine may use any port, and only the registered path', async () => {
    const agent = await market.agent()
    for (const host of ['127.0.0.1', '[::1]', 'localhost']) {
      const { body } = await oauth.register({ redirect_uris: [`http://${host}:1234/back`] })
      const shown = async (redirect_uri: string) => {
        const { request } = await oauth.ask({ client_id: body.client_id, redirect_uri })
        return (await agent.get(`/console/connect?${new URLSearchParams(request)}`)).status
      }
      assert.equal(await shown(`http://${host}:4321/back`), 200)
      assert.equal(await shown(`http://${host}/back`), 200)
      assert.equal(await shown(`http://${host}:4321/other`), 400)
      assert.equal(await shown(`https://${host}:1234/back`), 400)
    }
  })

  test('a client that nobody approves is forgotten after a day; others are kept', async () => {
    const agent = await market.agent()
    const unused = (await oauth.register()).body.client_id
    const { clientId } = await oauth.connect(agent)

    market.advance(DAY + 1000)
    const { request } = await oauth.ask({ client_id: unused })
    const shown = await agent.get(`/console/connect?${new URLSearchParams(request)}`)
    await market.runJob(removeExpired)
    const left = await clientsLeft()

    assert.deepEqual([shown.status, shown.body.code], [404, 'app_unknown'])
    assert(left.includes(clientId))
    assert(!left.includes(unused))
  })
})

describe('POST /oauth/token', () => {
  test('200: a token for an hour, which is renewed with the same key, and its Idempotency-Keys', async () => {
    const agent = await market.agent({ balanceCents: 5000, freeTasks: false })
    const { tokens, clientId } = await oauth.connect(agent)
    const ask = async (token: string) => {
      const { text } = await oauth.mcp(token, 'ask_human', {
        question: 'Is it open?',
        budget_cents: 500,
        request_key: 'monday',
        wait_seconds: 0,
      })
      return /task_[a-z0-9]{26}/.exec(text)?.[0]
    }

    const first = await ask(tokens.access_token)
    market.advance(HOUR + 1000)
    const expired = await oauth.mcp(tokens.access_token)
    const renewed = await oauth.refresh(tokens, clientId)
    const again = await ask(renewed.body.access_token)

    assert.equal(expired.status, 401)
    assert.equal(renewed.body.expires_in, 3600)
    assert.equal(renewed.body.token_type, 'Bearer')
    assert.equal(renewed.body.scope, 'create review read')
    assert.equal(renewed.headers.get('cache-control'), 'no-store')
    assert.notEqual(first, undefined)
    assert.equal(again, first)
    assert.equal(await market.balance(agent.id), 4500)
  })

  test('stores only hashes', async () => {
    const agent = await market.agent()
    const { tokens, redemption } = await oauth.connect(agent)
    const rows = await market.asOwner(
      `select g.*, k.* from oauth_grants g join api_keys k on k.id = g.key_id where g.agent_id = $1`,
      [agent.id],
    )

    assert.equal(rows.length, 1)
    for (const secret of [tokens.access_token, tokens.refresh_token, redemption.code])
      assert(!JSON.stringify(rows).includes(secret))
  })

  test('401 invalid_client for a client that is gone, 400 for a JSON body or a missing field', async () => {
    const gone = await oauth.token({
      grant_type: 'refresh_token',
      client_id: 'client_gone',
      refresh_token: 'x',
    })
    const { client_id } = (await oauth.register()).body
    const missing = await oauth.token({ grant_type: 'refresh_token', client_id })
    const json = await fetch(new URL('/oauth/token', oauth.origin), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"grant_type":"refresh_token"}',
    })

    assert.deepEqual([gone.status, gone.body.error], [401, 'invalid_client'])
    assert.deepEqual([missing.status, missing.body.error], [400, 'invalid_request'])
    assert.equal(json.status, 400)
  })
})

describe('POST /oauth/revoke', () => {
  test('200 for every token; ends the grant of either token, only for its own client', async () => {
    for (const kind of ['access_token', 'refresh_token'] as const) {
      const { tokens, clientId: client_id } = await oauth.connect(await market.agent())
      const stranger = (await oauth.register()).body.client_id
      const foreign = await oauth.revoke({ token: tokens[kind], client_id: stranger })
      assert(await oauth.works(tokens.access_token))

      const own = await oauth.revoke({ token: tokens[kind], client_id })

      assert.deepEqual([foreign.status, own.status], [200, 200])
      assert.equal(await oauth.works(tokens.access_token), false)
      assert.equal((await oauth.refresh(tokens, client_id)).body.error, 'invalid_grant')
    }
    assert.equal((await oauth.revoke({ token: 'unknown', client_id: 'x' })).status, 200)
  })
})
