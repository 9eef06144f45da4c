import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { marketplace } from '../../test/harness.ts'

const market = await marketplace()
const agent = await market.agent()

/** Polls, because the log is written a moment after the response. */
async function requestOf(id: string) {
  for (let i = 0; ; i += 1) {
    const { status, body } = await agent.get(`/requests/${id}`)
    if (status === 200) return body.request
    assert(i < 50, `request ${id} is not there`)
    await sleep(50)
  }
}

describe('GET /requests/:id', () => {
  test('shows the request and the response, without secrets', async () => {
    const refused = await agent.post(
      `/tasks?token=abc`,
      {
        description: `Use ${agent.api_key}`,
        context: { password: 'hunter2', photo: `data:image/png;base64,${'A'.repeat(200)}` },
      },
      { 'user-agent': 'legwork-sdk/1' },
    )

    const shown = await requestOf(refused.body.request_id)

    assert.equal(shown.path, '/api/v1/tasks?token=…')
    assert.equal(shown.user_agent, 'legwork-sdk/1')
    assert.deepEqual(JSON.parse(shown.request_body), {
      description: 'Use lw_live_…',
      context: { password: '…', photo: 'data:image/png…' },
    })
    assert.equal(shown.response_body, refused.text)
    const [row] = await market.asOwner('select * from refused_requests where id = $1', [shown.id])
    assert(!JSON.stringify(row).includes(agent.api_key))
  })

  test('shows invalid JSON as text, the start of a long body, and only the size of a huge one', async () => {
    const send = async (body: string) => {
      const reply = await agent.post('/tasks', body)
      return requestOf(reply.body.request_id)
    }

    const broken = await send('{"description": "Look",')
    const long = await send(JSON.stringify({ description: 'x'.repeat(20_000) }))
    const huge = await send(JSON.stringify({ description: 'x'.repeat(100_000) }))

    assert.equal(broken.code, 'invalid_json')
    assert.equal(broken.request_body, '{"description": "Look",')
    assert.equal(Buffer.byteLength(long.request_body), 8192 + 3)
    assert.equal(huge.request_body, '(100018 bytes, not kept)')
  })

  test('measures a chunked body by the bytes read', async () => {
    const reply = await fetch(`${market.server.addresses.api}/tasks`, {
      method: 'POST',
      headers: { authorization: `Bearer ${agent.api_key}`, 'content-type': 'application/json' },
      body: new Blob([JSON.stringify({ description: `?${'key'.repeat(40_000)}` })]).stream(),
      duplex: 'half',
    } as RequestInit)
    const { request_id } = (await reply.json()) as { request_id: string }

    assert.equal((await requestOf(request_id)).request_body, '(120019 bytes, not kept)')
  })

  test('a replayed error is a separate request', async () => {
    const headers = { 'idempotency-key': 'once-and-again' }
    const body = { description: 'Look', budget_cents: 90_000 }
    const first = await agent.post('/tasks', body, headers)
    const again = await agent.post('/tasks', body, headers)

    const shown = await requestOf(again.headers.get('x-request-id')!)

    assert.equal(again.text, first.text)
    assert.equal(shown.status, 402)
    assert.equal(shown.response_body, first.text)
  })

  test('404 for an unknown request, another agent’s, or one of the other mode', async () => {
    const { body } = await agent.get('/wallet?limit=x')
    await requestOf(body.request_id)
    const other = await market.agent()

    for (const asking of [other, agent.test]) {
      const reply = await asking.get(`/requests/${body.request_id}`)
      assert.equal(reply.status, 404)
      assert.equal(reply.body.code, 'request_not_found')
    }
    assert.equal((await agent.get('/requests/req_nope')).status, 404)
  })
})
