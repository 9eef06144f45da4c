import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { openPages, textOf } from '../../../test/visitor.ts'

const pages = await openPages()
const { control, fund, flush } = pages
const operator = await pages.operator()

/** A webhook listener: records what arrives, and responds with `status`. */
const received: string[] = []
let status = 200
const listener = createServer((request, response) => {
  let body = ''
  request.on('data', (chunk: Buffer) => (body += chunk.toString()))
  request.on('end', () => {
    received.push((JSON.parse(body) as { type: string }).type)
    response.writeHead(status).end(status === 200 ? '' : '<b>not now</b>')
  })
})
listener.listen(0, '127.0.0.1')
await once(listener, 'listening')
after(() => listener.close())
const address = `http://127.0.0.1:${(listener.address() as AddressInfo).port}/processor`
await control('POST', 'endpoints', { kind: 'account', url: address, secret: 'whsec_x' })

const newestEvent = async () =>
  (await control('GET', 'events?limit=1')).data[0] as { id: string; type: string }

test('an event shows its body, its receiver and the response', async () => {
  status = 503
  await fund(100)
  await flush()
  status = 200
  const { id } = await newestEvent()

  const page = await operator.visit(`/dashboard/events/${id}`)

  const text = textOf(page)
  assert.equal(page.status, 200)
  assert(text.includes('topup. succeeded'))
  assert(text.includes('503 in'))
  assert(page.html.includes('&lt;b&gt;not now&lt;/b&gt;'))
  assert(text.includes('Will be retried'))
  assert(text.includes('Next attempt'))
  assert(text.includes('&quot;type&quot;: &quot;topup.succeeded&quot;'))
})

test('an event is resent', async () => {
  const { id, type } = await newestEvent()
  received.length = 0

  const sent = await operator.submit(await operator.visit(`/dashboard/events/${id}`), /resend$/)
  await flush()

  assert.equal(sent.location, `/dashboard/events/${id}?done=resend`)
  assert.deepEqual(received, [type])
  assert(textOf(await operator.visit(sent.location)).includes('The event was sent again.'))
})

test('events are held and released in a chosen order', async () => {
  await operator.submit(await operator.visit('/dashboard/events'), /deliveries\/hold$/)
  received.length = 0
  await fund(100)
  await flush()
  const held = await operator.visit('/dashboard/events')
  assert(textOf(held).includes('Paused.'))
  assert(textOf(await operator.visit('/dashboard')).includes('Deliveries are paused.'))
  assert.deepEqual(received, [])

  const released = await operator.submit(held, /deliveries\/release$/, { order: 'lifo' })

  assert.equal(released.location, '/dashboard/events?done=release')
  assert.deepEqual(received.slice(0, 2), ['topup.succeeded', 'topup.created'])
  await operator.submit(await operator.visit('/dashboard/events'), /deliveries\/normal$/)
  await fund(100)
  await flush()
  assert(received.length >= 4)
})

test('the list has the newest event first, the endpoints, and pagination', async () => {
  for (let at = 0; at < 30; at++) await fund(1)
  await flush()

  const list = await operator.visit('/dashboard/events')
  const older = /href="(\/dashboard\/events\?after=evt_\w+)">Older/.exec(list.html)?.[1]

  assert(list.html.indexOf('succeeded') < list.html.indexOf('created'))
  assert(textOf(list).includes('Events of our own account'))
  assert(textOf(list).includes('Delivered'))
  assert(older)
  assert.match((await operator.visit(older)).html, />Newest</)
})

test('400: deliveries have no other mode than held or not', async () => {
  assert.equal((await operator.send('/dashboard/deliveries/sideways')).status, 400)
})

test('the object page of an event id redirects to the event', async () => {
  const { id } = await newestEvent()

  assert.equal(
    (await operator.visit(`/dashboard/objects/${id}`)).location,
    `/dashboard/events/${id}`,
  )
})

test('a reset deletes everything but the endpoints', async () => {
  const emptied = await operator.submit(await operator.visit('/dashboard'), /reset$/)

  assert.equal(emptied.location, '/dashboard?done=reset')
  assert(textOf(await operator.visit('/dashboard/events')).includes('No events yet.'))
  assert.equal((await control('GET', 'endpoints')).data.length, 1)
})
