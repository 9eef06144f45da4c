import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { CollectedSpan } from './collector.ts'
import { newTraceparent, PRIVATE, renderTree, runTask, tracedMarket, until } from './scenario.ts'

const traced = await tracedMarket()
const { market, collector, receiver } = traced
const story = await runTask(traced)

/** The names from the caller's request down to the first span with this name. */
function pathTo(name: string): string[] {
  const path: string[] = []
  const found = story.spans.find((span) => span.name === name)
  assert(found, `${name} is not in\n${renderTree(story.spans).join('\n')}`)
  let span: CollectedSpan | undefined = found
  while (span !== undefined) {
    path.unshift(span.name)
    const id: string = span.parentId
    span = story.spans.find(({ spanId }) => spanId === id)
  }
  return path
}

describe('the trace of one task', () => {
  test('begins with the four requests, each a part of the caller’s span', () => {
    const [, , callersSpan] = story.traceparent.split('-')

    assert.deepEqual(
      story.spans
        .filter(({ parentId }) => parentId === callersSpan)
        .sort((a, b) => Number(a.startNs - b.startNs))
        .map(({ name, kind, attributes }) => [name, kind, attributes['http.response.status_code']]),
      [
        ['POST /tasks', 2, 201],
        ['POST /worker/tasks/:id/accept', 2, 200],
        ['POST /worker/tasks/:id/proof', 2, 201],
        ['POST /tasks/:id/approve', 2, 200],
      ],
    )
  })

  test('shows the batch of a creation, which links to the request', () => {
    const batch = story.spans.find(({ name }) => name === 'batch create_tasks')!

    assert.deepEqual(pathTo('call create_tasks'), [
      'POST /tasks',
      'wait for create_tasks',
      'batch create_tasks',
      'call create_tasks',
    ])
    assert.deepEqual(batch.links, [{ traceId: story.traceId, spanId: batch.parentId }])
  })

  test('leads from the approval through outbox and relay to the agent’s webhook', () => {
    assert.deepEqual(pathTo('webhook task.completed').slice(0, 1), ['POST /tasks/:id/approve'])
    assert.deepEqual(pathTo('webhook task.completed').slice(-2), [
      'relay task.completed',
      'webhook task.completed',
    ])
  })

  test('leads on through two jobs to the processor, and back to the agent', () => {
    const steps = pathTo('webhook payout.paid').filter((name) => name !== 'transaction')

    assert.deepEqual(pathTo('processor POST /v1/transfers').slice(-4), [
      'transaction',
      'relay payout.send',
      'job payouts.send',
      'processor POST /v1/transfers',
    ])
    assert.deepEqual(steps, [
      'POST /tasks/:id/approve',
      'relay task.completed',
      'job payouts.open',
      'relay payout.send',
      'job payouts.send',
      'relay payout.tell',
      'job payouts.tell',
      'relay payout.paid',
      'webhook payout.paid',
    ])
  })

  test('has the cleaning of the photo within the request that sent it', () => {
    assert.deepEqual(pathTo('clean file').slice(0, 1), ['POST /worker/tasks/:id/proof'])
  })

  test('has no span that begins before its parent', () => {
    const early = story.spans.filter(({ startNs, parentId }) => {
      const parent = story.spans.find(({ spanId }) => spanId === parentId)
      // The start of a request is computed in milliseconds.
      return parent !== undefined && startNs + 1_000_000n < parent.startNs
    })

    assert.deepEqual(
      early.map(({ name }) => name),
      [],
    )
  })

  test('goes on at the receiver: the webhook carries the id of the trace', () => {
    const [webhook] = receiver.received.filter(({ body }) => body.type === 'task.completed')
    const span = story.spans.find(({ name }) => name === 'webhook task.completed')!

    assert.equal(webhook!.headers.traceparent, `00-${story.traceId}-${span.spanId}-01`)
  })

  test('goes on at the processor', async () => {
    const span = story.spans.find(({ name }) => name === 'processor POST /v1/transfers')!

    assert.equal(span.kind, 3)
    assert.equal(span.attributes['http.response.status_code'], 200)
  })

  test('contains nothing that a person wrote, no address, no secret', () => {
    const { agent, worker } = story
    const text = collector.text()
    const secrets = [agent.api_key, agent.webhook_secret, worker.token, agent.email, worker.email]

    for (const secret of [...secrets, ...Object.values(PRIVATE), '@example', '52.52', receiver.url])
      assert.equal(text.includes(secret), false, `${secret} is in a span`)
    assert(text.includes(agent.id), 'the search finds what is there')
    const names = new Set(story.spans.flatMap(({ attributes }) => Object.keys(attributes)))
    assert.deepEqual([...names].sort(), [
      'db.system.name',
      'http.request.method',
      'http.response.status_code',
      'http.route',
      'legwork.agent_id',
      'legwork.attempt',
      'legwork.batch_size',
      'legwork.event_id',
      'legwork.mode',
      'legwork.request_id',
      'legwork.task_id',
      'legwork.worker_id',
    ])
  })
})

describe('a traceparent', () => {
  const spansOf = (traceId: string) => collector.spans.filter((span) => span.traceId === traceId)
  /** Sends a request that is sampled; when its span has arrived, so have those of earlier requests. */
  async function afterExport(): Promise<void> {
    const { traceId, header } = newTraceparent()
    await story.agent.get('/tasks', undefined, { traceparent: header })
    await until(() => (spansOf(traceId).length > 0 ? true : undefined))
  }

  test('of a stranger is ignored', async () => {
    const { traceId, header } = newTraceparent()

    const registered = await market.call('POST', '/agents/register', {
      body: { name: 'Stranger', email: 'stranger@example.com' },
      headers: { traceparent: header },
    })
    const refused = await market.call('GET', '/tasks', {
      headers: { traceparent: header, authorization: 'Bearer lw_live_wrong' },
    })
    await afterExport()

    assert.deepEqual([registered.status, refused.status], [201, 401])
    assert.deepEqual(spansOf(traceId), [])
  })

  test('that is not sampled by its caller, or malformed, asks for nothing', async () => {
    const unsampled = newTraceparent('00')
    const { traceId, header } = newTraceparent()
    const malformed = [
      `${header}-1`,
      header.slice(1),
      header.toUpperCase(),
      header.replace('00-', 'ff-'),
    ]

    for (const traceparent of [unsampled.header, ...malformed])
      assert.equal((await story.agent.get('/tasks', undefined, { traceparent })).status, 200)
    await afterExport()

    assert.deepEqual([...spansOf(unsampled.traceId), ...spansOf(traceId)], [])
  })

  test('of another form is refused by the outbox itself', async () => {
    await assert.rejects(
      market.asOwner(
        `insert into outbox (id, type, data, created_at, traceparent) values ('evt_x', 'x', '{}', now(), 'mine')`,
      ),
      /outbox_traceparent/,
    )
  })
})

describe('the metrics', () => {
  test('show the trace of a request as an exemplar, in the format of OpenMetrics', async () => {
    const response = await fetch(`${market.server.addresses.ops}/metrics`)
    const text = await response.text()

    assert.match(response.headers.get('content-type') ?? '', /^application\/openmetrics-text/)
    assert.match(
      text,
      new RegExp(
        `^legwork_http_request_seconds_bucket\\{.*route="/tasks/:id/approve".*# \\{trace_id="${story.traceId}"\\}`,
        'm',
      ),
    )
    assert.match(text, /^legwork_webhook_delivery_seconds_bucket\{.*# \{trace_id="[0-9a-f]{32}"\}/m)
    assert.match(text, /^legwork_spans_total\{outcome="exported"\} [1-9]/m)
    assert.match(text, /# EOF\n?$/)
  })
})
