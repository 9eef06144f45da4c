/** One task from creation to payout, traced: its agent and its worker send one `traceparent` with all their requests. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { marketplace, type MarketOptions, PHOTO } from '../harness.ts'
import { atEnd } from '../hooks.ts'
import { payableWorker } from '../payouts.ts'
import { openReceiver } from '../receiver.ts'
import { type CollectedSpan, openCollector } from './collector.ts'

const WAIT_MS = 20_000
/** Words that could only be in a span if it kept what a caller or a person wrote. */
export const PRIVATE = {
  description: 'Look-at-the-secret-door',
  address: 'Hidden street 7',
  answer: 'The-door-is-purple',
}

export async function tracedMarket(settings: MarketOptions['settings'] = {}) {
  const collector = await openCollector()
  const market = await marketplace({
    roles: ['api', 'jobs'],
    clock: 'real',
    processor: true,
    mail: true,
    settings: {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      // Only what a caller asks for.
      OTEL_TRACES_SAMPLER_ARG: 0,
      TRACES_OF_CALLERS_PER_SECOND: 1000,
      ...settings,
    },
  })
  // The marketplace ends last, with its last spans.
  atEnd(() => collector.stop())
  const receiver = await openReceiver({
    after: (end) => atEnd(async () => void (await end())),
  })
  return { market, collector, receiver }
}

type Traced = Awaited<ReturnType<typeof tracedMarket>>

export const newTraceparent = (flags = '01') => {
  const traceId = randomBytes(16).toString('hex')
  return { traceId, header: `00-${traceId}-${randomBytes(8).toString('hex')}-${flags}` }
}

export async function runTask({ market, collector, receiver }: Traced) {
  await market.sandbox.control('POST', 'topups', { amount: 100_000 })
  const worker = await payableWorker(market)
  const agent = await market.agent({
    balanceCents: 5000,
    freeTasks: false,
    webhook_url: receiver.url,
    events: ['task.proof_submitted', 'task.completed', 'payout.paid'],
  })
  const { traceId, header: traceparent } = newTraceparent()
  const send = async (client: Pick<typeof agent, 'post'>, path: string, body?: object) => {
    const reply = await client.post(path, body, { traceparent })
    assert(reply.status < 300, reply.text)
    return reply.body
  }

  const { task } = await send(agent, '/tasks', {
    description: PRIVATE.description,
    location: { address: PRIVATE.address, lat: 52.5219, lng: 13.4132 },
    budget_cents: 1000,
  })
  await send(worker, `/worker/tasks/${task.id}/accept`)
  await send(worker, `/worker/tasks/${task.id}/proof`, { text: PRIVATE.answer, photos: [PHOTO] })
  await send(agent, `/tasks/${task.id}/approve`)
  const spans = await until(() => {
    const own = collector.spans.filter((span) => span.traceId === traceId)
    const isWhole = own.every(({ parentId }) => isKnown(parentId, own))
    return isWhole && own.some(({ name }) => name === 'webhook payout.paid') ? own : undefined
  })
  return { agent, worker, task, traceparent, traceId, spans }

  function isKnown(id: string, own: CollectedSpan[]): boolean {
    return traceparent.includes(id) || own.some(({ spanId }) => spanId === id)
  }
}

export async function until<T>(ask: () => T | undefined): Promise<T> {
  for (const end = performance.now() + WAIT_MS; ; ) {
    const found = ask()
    if (found !== undefined) return found
    assert(performance.now() < end, 'the trace was not complete in time')
    await sleep(50)
  }
}

/** The spans as an indented tree, in the order of their beginnings, with milliseconds since the first one. */
export function renderTree(spans: readonly CollectedSpan[]): string[] {
  const ids = new Set(spans.map(({ spanId }) => spanId))
  const zero = spans.reduce(
    (least, { startNs }) => (startNs < least ? startNs : least),
    spans[0]!.startNs,
  )
  const ms = (ns: bigint) => (Number(ns) / 1e6).toFixed(1)
  const lines = (of: CollectedSpan[], depth: number): string[] =>
    of
      .toSorted((a, b) => Number(a.startNs - b.startNs))
      .flatMap((span) => [
        `${ms(span.startNs - zero).padStart(9)} ${ms(span.endNs - span.startNs).padStart(9)}  ` +
          `${'  '.repeat(depth)}${span.name}`,
        ...lines(
          spans.filter(({ parentId }) => parentId === span.spanId),
          depth + 1,
        ),
      ])
  const roots = spans.filter(({ parentId }) => !ids.has(parentId))
  return ['    at ms   took ms  span', ...lines(roots, 0)]
}
