import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { describe, test } from 'node:test'
import { Legwork, type TaskDetail, TaskNotFoundError, WaitTimeout } from '@legwork/sdk'
import { Agent, fetch as ownFetch } from 'undici'
import { saveProofs } from '@legwork/sdk/node'
import { LegworkWorker } from '@legwork/sdk/worker'
import { marketplace, PHOTO } from '../../server/test/harness.ts'
import { atEnd } from '../../server/test/hooks.ts'

const market = await marketplace()
const agent = await market.agent({ balanceCents: 50_000, freeTasks: false })
const baseUrl = market.server.addresses.api!

// A call that is aborted leaves a connection behind, for which the server would wait when it stops.
const dispatcher = new Agent()
atEnd(() => dispatcher.destroy())
const legwork = new Legwork({
  apiKey: agent.api_key,
  baseUrl,
  fetch: (url, init) => ownFetch(url, { ...init, dispatcher } as never) as never,
})

const person = async () => {
  const { token } = await market.worker()
  return new LegworkWorker({ token, baseUrl })
}
const ask = () => legwork.tasks.create({ description: 'Look', budget_cents: 100 })

describe('tasks.wait', () => {
  test('ends at the first proof and reports every change', async () => {
    const task = await ask()
    const worker = await person()
    const seen: string[] = []

    const done = await legwork.tasks.wait(task.id, {
      timeout: '20s',
      onChange: ({ status }) => {
        seen.push(status)
        if (status === 'pending') void worker.tasks.accept(task.id)
        else if (status === 'in_progress') void worker.tasks.proof(task.id, { text: 'Open' })
      },
    })

    assert.equal(done.proofs[0]!.text, 'Open')
    assert.deepEqual(seen, ['pending', 'in_progress', 'proof_submitted'])
  })

  test('ends when the task has ended, whatever it waits for', async () => {
    const task = await ask()
    setTimeout(() => void legwork.tasks.cancel(task.id), 20)

    const done = await legwork.tasks.wait(task.id, { timeout: '20s', until: () => false })

    assert.equal(done.status, 'cancelled')
  })

  test('with until: end, continues after a proof', async () => {
    const task = await market.taskIn(agent, 'proof_submitted')
    const seen: string[] = []

    const done = await legwork.tasks.wait(task.id, {
      until: 'end',
      onChange({ status }) {
        seen.push(status)
        if (status === 'proof_submitted') void legwork.tasks.approve(task.id)
      },
    })

    assert.equal(done.status, 'completed')
    assert.deepEqual(seen, ['proof_submitted', 'completed'])
  })

  test('throws the task and how to continue at the timeout; a second wait continues', async () => {
    const task = await ask()

    const timeout = await legwork.tasks.wait(task.id, { timeout: 100 }).then(
      () => assert.fail('the call waited'),
      (error: WaitTimeout) => error,
    )
    assert(timeout instanceof WaitTimeout)
    assert.equal(timeout.task.status, 'pending')
    assert.match(timeout.message, new RegExp(`tasks.wait\\('${task.id}'\\)`))

    setTimeout(() => void legwork.tasks.cancel(task.id), 20)
    const done = await legwork.tasks.wait(timeout.task.id)
    assert.equal(done.status, 'cancelled')
  })

  test('survives an outage of the server that is longer than the retries of a call', async () => {
    const task = await ask()
    let calls = 0
    const shaky = new Legwork({
      apiKey: agent.api_key,
      baseUrl,
      retriesMax: 0,
      fetch(url, init) {
        calls += 1
        if (calls === 2 || calls === 3) return Promise.reject(new TypeError('fetch failed'))
        return fetch(url, init)
      },
    })
    await legwork.tasks.cancel(task.id)
    const pending = { ...(await legwork.tasks.get(task.id)), status: 'pending' } as TaskDetail

    // The first look is of before the cancellation.
    const first = shaky.tasks.get.bind(shaky.tasks)
    shaky.tasks.get = (id, query, options) =>
      calls === 0 ? ((calls += 1), Promise.resolve(pending)) : first(id, query, options)
    const done = await shaky.tasks.wait(task.id)

    assert.equal(done.status, 'cancelled')
    assert.equal(calls, 4)
  })

  test('throws permanent errors at once', async () => {
    await assert.rejects(legwork.tasks.wait('task_00000000000000000000000000'), TaskNotFoundError)
    await assert.rejects(legwork.tasks.wait('task_1', { timeout: 'soon' as '1s' }), TypeError)
  })

  test('ends when its signal aborts', async () => {
    const task = await ask()

    await assert.rejects(legwork.tasks.wait(task.id, { signal: AbortSignal.timeout(50) }), {
      name: 'TimeoutError',
    })
  })
})

describe('proof.save', () => {
  test('writes the photos and the text, and returns the paths', async () => {
    const task = await legwork.verify({ question: 'Is it open?', location: 'Wedel' })
    const worker = await person()
    await worker.tasks.accept(task.id)
    await worker.tasks.proof(task.id, { answer: true, text: 'Yes', photos: [PHOTO, PHOTO] })
    const folder = path.join(mkdtempSync(path.join(os.tmpdir(), 'legwork-proofs-')), 'new')

    const done = await legwork.tasks.wait(task.id)
    const saved: string[] = []
    for (const p of done.proofs) saved.push(...(await p.save(folder)))

    assert.deepEqual(
      saved.map((file) => path.relative(folder, file)),
      [`${task.id}-1.jpg`, `${task.id}-2.jpg`, `${task.id}-proof-1.json`],
    )
    // The first bytes of every JPEG.
    assert.equal(readFileSync(saved[0]!).subarray(0, 3).toString('hex'), 'ffd8ff')
    const said = JSON.parse(readFileSync(saved[2]!, 'utf8')) as Record<string, unknown>
    assert.deepEqual([said.answer, said.text, said.untrusted], [true, 'Yes', true])
    assert.equal(said.media, undefined)
    assert.deepEqual(await saveProofs(legwork.tasks, task.id, folder), saved)
  })

  test('is not part of the JSON of a proof', async () => {
    const task = await market.taskIn(agent, 'proof_submitted')

    const { proofs } = await legwork.tasks.proof(task.id)

    assert.equal(typeof proofs[0]!.save, 'function')
    assert(!JSON.stringify(proofs).includes('save'))
  })
})

describe('lists', () => {
  test('load page by page and return each task once', async () => {
    const other = await market.agent({ balanceCents: 1000, freeTasks: false })
    const client = new Legwork({ apiKey: other.api_key, baseUrl })
    const made: string[] = []
    for (let i = 0; i < 5; i += 1)
      made.unshift((await client.tasks.create({ description: `${i}`, budget_cents: 10 })).id)

    const pages: string[][] = []
    for await (const page of client.tasks.pages({ limit: 2 })) pages.push(page.map(({ id }) => id))
    const moved: number[] = []
    for await (const page of client.wallet.pages({ limit: 2 }))
      moved.push(...page.map(({ amount_cents }) => amount_cents))

    assert.deepEqual(
      pages.map(({ length }) => length),
      [2, 2, 1],
    )
    assert.deepEqual(pages.flat(), made)
    assert.deepEqual(moved, [-10, -10, -10, -10, -10, 1000])
  })
})

describe('events.follow', () => {
  test('returns each event once and in order, and continues after the last one', async () => {
    const other = await market.agent({ balanceCents: 10_000, freeTasks: false })
    const client = new Legwork({ apiKey: other.api_key, baseUrl })
    const stop = new AbortController()
    const seen: string[] = []
    const follow = async (after: string | undefined, count: number) => {
      let last: string | undefined
      for await (const event of client.events.follow({ after, signal: stop.signal })) {
        seen.push(event.type)
        last = event.id
        if (seen.length === count) break
      }
      return last
    }

    await market.taskIn(other, 'completed')
    await market.work()
    const { events } = await client.events.list()
    const last = await follow(events[0]!.id, 2)
    const rest = follow(last, 4)
    await market.taskIn(other, 'in_progress')
    await market.work()
    await market.taskIn(other, 'cancelled')
    await market.work()
    await rest

    assert.equal(events[0]!.type, 'task.accepted')
    assert.deepEqual(seen, [
      'task.proof_submitted',
      'task.completed',
      'task.accepted',
      'task.cancelled',
    ])
  })

  test('starts with new events and ends when its signal aborts', async () => {
    const stop = new AbortController()
    const seen: string[] = []

    const following = (async () => {
      for await (const event of legwork.events.follow({ signal: stop.signal }))
        seen.push(event.type)
    })()
    setTimeout(() => stop.abort(new Error('enough')), 100)

    await assert.rejects(following, { message: 'enough' })
    assert.deepEqual(seen, [])
  })
})
