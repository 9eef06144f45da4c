import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { marketplace } from '../../test/harness.ts'
import { openOAuthClient } from '../../test/oauth.ts'

const market = await marketplace()
const oauth = openOAuthClient(market)

describe('GET /console/connect', () => {
  test('200: the app as it calls itself, the host that gets the access, and what it asks for', async () => {
    const agent = await market.agent()
    const { request } = await oauth.ask({ scope: 'read create offline_access manage' })

    const { status, body } = await agent.get(`/console/connect?${new URLSearchParams(request)}`)

    assert.equal(status, 200)
    assert.deepEqual(body, {
      app: {
        name: 'Assistant',
        redirect_host: 'app.example',
        registered_at: market.now().toISOString(),
      },
      scopes: ['create', 'read'],
      deny_url: body.deny_url,
    })
    const back = new URL(body.deny_url)
    assert.equal(back.host, 'app.example')
    assert.deepEqual(
      ['error', 'state', 'iss'].map((name) => back.searchParams.get(name)),
      [
        'access_denied',
        'some state',
        (await oauth.read('/.well-known/oauth-authorization-server')).body.issuer,
      ],
    )
  })

  test('400 for a redirect that is not registered or a request without PKCE, 404 for an unknown app', async () => {
    const agent = await market.agent()
    const show = async (changes: Record<string, unknown>) => {
      const { request } = await oauth.ask(changes)
      return agent.get(`/console/connect?${new URLSearchParams(request)}`)
    }

    const redirected = await show({ redirect_uri: 'https://evil.example/' })
    const plain = await show({ code_challenge_method: 'plain' })
    const unknown = await show({ client_id: 'client_01m7fh382revhrpf3ec4gb30ke' })

    assert.deepEqual([redirected.status, redirected.body.code], [400, 'wrong_redirect'])
    assert.match(plain.text, /code_challenge_method must be one of S256/)
    assert.deepEqual([unknown.status, unknown.body.code], [404, 'app_unknown'])
    for (const { text } of [redirected, plain, unknown]) assert.doesNotMatch(text, /deny_url/)
  })
})
