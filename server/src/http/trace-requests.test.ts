import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, test } from 'node:test'
import { marketplace, startOn } from '../../test/harness.ts'
import { atEnd } from '../../test/hooks.ts'
import { openCollector } from '../../test/traces/collector.ts'
import { newTraceparent, until } from '../../test/traces/scenario.ts'
import { openLog } from '../kit/log.ts'
import { inTrace, tracesOf, useTraces } from '../kit/traces.ts'
import { processorOf } from '../processor/client.ts'

const collector = await openCollector()
atEnd(() => collector.stop())
const market = await marketplace({
  settings: {
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20collector-key',
    OTEL_TRACES_SAMPLER_ARG: 1,
    CREATE_LANES: 1,
  },
})
const agent = await market.agent({ balanceCents: 10_000, freeTasks: false })
const spansOf = (traceId: string) => collector.spans.filter((span) => span.traceId === traceId)
const rootOf = (traceId: string) =>
  until(() => spansOf(traceId).find(({ name }) => /^(?:GET|POST) /.test(name)))

describe('a sampled request', () => {
  test('without a credential begins a trace of its own', async () => {
    const { traceId, header: traceparent } = newTraceparent()
    const body = { name: 'Stranger', email: 'stranger@example.com' }

    await market.call('POST', '/agents/register', { body, headers: { traceparent } })
    const span = await until(() =>
      collector.spans.findLast(({ name }) => name === 'POST /agents/register'),
    )

    assert.notEqual(span.traceId, traceId)
    assert.equal(span.parentId, '')
  })

  test('that fails is no error of ours unless its status is 5xx', async () => {
    const { traceId, header: traceparent } = newTraceparent()

    await agent.get('/tasks/task_00000000000000000000000000', undefined, { traceparent })
    const span = await rootOf(traceId)

    assert.deepEqual([span.attributes['http.response.status_code'], span.status], [404, 0])
  })

  test('shares the span of its batch: the batch links to every request in it', async () => {
    const requests = Array.from({ length: 12 }, () => newTraceparent())

    await Promise.all(
      requests.map(({ header: traceparent }) =>
        agent.post('/tasks', { description: 'Look', budget_cents: 100 }, { traceparent }),
      ),
    )
    for (const { traceId } of requests) await rootOf(traceId)
    await sleep(1200)
    const batches = collector.spans.filter(({ name }) => name === 'batch create_tasks')
    const waits = new Set(
      requests.map(
        ({ traceId }) =>
          spansOf(traceId).find(({ name }) => name === 'wait for create_tasks')!.spanId,
      ),
    )
    const linked = batches.flatMap(({ links }) => links.map(({ spanId }) => spanId))

    assert.equal(waits.size, 12)
    assert.deepEqual(
      [...waits].filter((id) => !linked.includes(id)),
      [],
    )
    assert(batches.length < 12, 'some requests share a batch')
    for (const { links, attributes } of batches)
      assert.equal(attributes['legwork.batch_size'], links.length)
  })

  test('is in the log with its trace_id, and its lines of the log too', async () => {
    const lines: string[] = []
    const log = openLog('info', { write: (line) => void lines.push(line) })
    const { traceId, header: traceparent } = newTraceparent()

    await inTrace(tracesOf(market.server.config), 'test', { traceparent }, async () =>
      log.info({ a: 1 }, 'within'),
    )
    log.info({ a: 1 }, 'outside')

    const [within, outside] = lines.map((line) => JSON.parse(line) as Record<string, unknown>)
    assert.equal(within!.trace_id, traceId)
    assert.equal('trace_id' in outside!, false)
  })

  test('is continued at the processor', async () => {
    const seen: unknown[] = []
    const server = createServer((request, response) => {
      seen.push(request.headers.traceparent)
      response.writeHead(503).end('{}')
    }).listen(0, '127.0.0.1')
    const { port } = await new Promise<AddressInfo>((resolve) =>
      server.once('listening', () => resolve(server.address() as AddressInfo)),
    )
    const config = {
      ...market.server.config,
      STRIPE_SECRET_KEY: 'sk_test_sandbox',
      STRIPE_API_BASE: `http://127.0.0.1:${port}`,
      STRIPE_RETRIES: 0,
    }
    const traces = tracesOf(market.server.config)!
    useTraces(config, traces)
    const { traceId, header: traceparent } = newTraceparent()

    await inTrace(traces, 'test', { traceparent }, () => processorOf(config)!.getBalance())
    await processorOf(config)!.getBalance()
    server.close()
    server.closeAllConnections()
    const span = await until(() =>
      spansOf(traceId).find(({ name }) => name === 'processor GET /v1/balance'),
    )

    assert.deepEqual(seen, [`00-${traceId}-${span.spanId}-01`, undefined])
  })

  test('is sent to the collector with our credential', () => {
    const [{ path, headers }] = collector.requests as [(typeof collector.requests)[number]]

    assert.deepEqual([path, headers.authorization], ['/v1/traces', 'Bearer collector-key'])
  })
})

describe('other servers', () => {
  test('trace no more of what callers ask for than TRACES_OF_CALLERS_PER_SECOND', async (t) => {
    const server = await startOn(market.url, {
      settings: {
        OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
        OTEL_TRACES_SAMPLER_ARG: 0,
        TRACES_OF_CALLERS_PER_SECOND: 3,
      },
    })
    t.after(() => server.stop())
    const requests = Array.from({ length: 40 }, () => newTraceparent())
    const startedMs = performance.now()

    await Promise.all(
      requests.map(({ header: traceparent }) =>
        fetch(`${server.addresses.api}/tasks`, {
          headers: { authorization: `Bearer ${agent.api_key}`, traceparent },
        }),
      ),
    )
    const allowed = 3 + Math.ceil((3 * (performance.now() - startedMs)) / 1000)
    await server.stop()
    const traced = requests.filter(({ traceId }) => spansOf(traceId).length > 0)

    assert(traced.length >= 3 && traced.length <= allowed, `${traced.length} of 40`)
  })

  test('serve and stop as usual without their collector, and count the lost spans', async (t) => {
    const closed = await openCollector()
    await closed.stop()
    const server = await startOn(market.url, {
      settings: {
        OTEL_EXPORTER_OTLP_ENDPOINT: closed.url,
        OTEL_TRACES_SAMPLER_ARG: 1,
        LOG_LEVEL: 'silent',
      },
    })
    t.after(() => server.stop())

    const { status } = await fetch(`${server.addresses.api}/tasks`, {
      headers: { authorization: `Bearer ${agent.api_key}` },
    })
    const startedMs = performance.now()
    await server.stop()

    assert.equal(status, 200)
    assert(performance.now() - startedMs < 12_000)
    const { values } = await server.metrics.spans.get()
    assert.deepEqual(
      values.map(({ labels }) => labels.outcome),
      ['lost'],
    )
  })
})
