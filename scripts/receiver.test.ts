import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { type ReceivedWebhook, startReceiver } from './receiver.ts'

const SECRET = `whsec_${Buffer.alloc(32, 1).toString('base64')}`
const BODY = JSON.stringify({
  id: 'evt_1',
  type: 'task.completed',
  sequence: 3,
  data: { task: { id: 'task_<b>' } },
})

async function open(t: { after(end: () => Promise<void>): void }) {
  const heard: ReceivedWebhook[] = []
  const receiver = await startReceiver({
    secretOf: (id) => (id.startsWith('evt_') ? SECRET : undefined),
    onWebhook: (webhook) => void heard.push(webhook),
  })
  t.after(receiver.stop)
  const send = async ({
    body = BODY,
    to = '',
    at = new Date(),
    id = 'evt_1',
    secret = SECRET,
    signedBody = '',
  } = {}) => {
    const response = await fetch(receiver.address + to, {
      method: 'POST',
      headers: {
        'webhook-id': id,
        'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
        'webhook-signature': `v1,other ${new Webhook(secret).sign(id, at, signedBody || body)}`,
      },
      body,
    })
    return response.status
  }
  const page = async (path = '/') => {
    const response = await fetch(receiver.address + path)
    return { status: response.status, headers: response.headers, html: await response.text() }
  }
  return { ...receiver, heard, send, page }
}

describe('the development receiver', () => {
  test('is a page that explains its use and refreshes automatically', async (t) => {
    const { address, page } = await open(t)

    const { status, html, headers } = await page()

    assert.equal(status, 200)
    assert.match(html, /None yet/)
    assert.match(html, /<meta http-equiv="refresh"/)
    assert(html.includes(`<code>${address}</code>`))
    assert.match(headers.get('content-security-policy')!, /^default-src 'none'/)
  })

  test('shows the newest delivery first, verified, and escapes its text', async (t) => {
    const { send, page, heard } = await open(t)

    const first = await send()
    const second = await send({
      id: 'evt_2',
      body: BODY.replace('evt_1', 'evt_2').replace('completed', 'disputed'),
    })
    const { html } = await page()
    const whole = await page('/webhooks/1')

    assert.deepEqual([first, second], [204, 204])
    assert(html.indexOf('task.disputed') < html.indexOf('task.completed'))
    assert.equal(html.match(/✓ verified/g)?.length, 2)
    assert(html.includes('task_&lt;b&gt; · event 3 of this task'))
    assert(whole.html.includes('&quot;sequence&quot;: 3'))
    assert(!whole.html.includes('<b>'))
    assert.deepEqual(
      heard.map(({ event, problem }) => [event?.type, problem]),
      [
        ['task.completed', undefined],
        ['task.disputed', undefined],
      ],
    )
  })

  test('recognizes a repeated event by its id', async (t) => {
    const { send, page } = await open(t)

    await send()
    await send()

    assert.match((await page()).html, /delivery 2 of this event/)
  })

  test('responds with the status at the end of the URL', async (t) => {
    const { send } = await open(t)

    assert.equal(await send({ to: '/500' }), 500)
    assert.equal(await send({ to: '/a/410' }), 410)
    assert.equal(await send({ to: '/999' }), 204)
  })

  for (const { what, change, said } of [
    {
      what: 'a body that differs from the signed one',
      change: { signedBody: `${BODY} ` },
      said: 'the signature is wrong',
    },
    {
      what: 'a different secret',
      change: { secret: `whsec_${Buffer.alloc(32, 2).toString('base64')}` },
      said: 'the signature is wrong',
    },
    {
      what: 'an old timestamp',
      change: { at: new Date(Date.now() - 301_000) },
      said: 'its time is not now',
    },
    {
      what: 'an event of an unknown agent',
      change: { id: 'other_1' },
      said: 'nobody here has sent such an event',
    },
  ])
    test(`401 and its reason for ${what}`, async (t) => {
      const { send, page } = await open(t)

      const status = await send({ ...change, to: '/202' })

      assert.equal(status, 401)
      assert((await page()).html.includes(`✗ ${said}`))
    })

  test('401 for an unsigned request or an invalid event, shown as received', async (t) => {
    const { address, page } = await open(t)

    const { status } = await fetch(address, { method: 'POST', body: '<i>hello' })

    const { html } = await page('/webhooks/1')
    assert.equal(status, 401)
    assert(html.includes('✗ it is not signed'))
    assert(html.includes('<pre>&lt;i&gt;hello</pre>'))
  })

  test('404 for an unknown page', async (t) => {
    const { page } = await open(t)

    assert.equal((await page('/webhooks/9')).status, 404)
    assert.equal((await page('/elsewhere')).status, 404)
  })
})
