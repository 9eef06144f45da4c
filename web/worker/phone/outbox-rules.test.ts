import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  after,
  isDue,
  named,
  newItem,
  nextStep,
  type OutboxItem,
  progressOf,
  type Step,
  tryAgain,
  wake,
  type Way,
} from './outbox-rules.ts'

const NOW = Date.parse('2026-05-04T10:00:00Z')
const HOUR = 3_600_000
const KB = 1024

const item = (bytes: number[] = [600 * KB]): OutboxItem =>
  newItem(
    {
      id: 'proof-1',
      workerId: 'worker_1',
      taskId: 'task_1',
      draft: null,
      proof: { outcome: 'done', captured_at: '2026-05-04T09:00:00Z', answer: true },
      files: bytes.map((size, at) => ({
        id: `file-${at}`,
        kind: 'photo',
        content_type: 'image/jpeg',
        bytes: size,
        sha256: 'ab',
      })),
    },
    NOW,
  )

const way = (change: Partial<Way> = {}): Way => ({
  upload_id: 'upl_1',
  method: 'PATCH',
  url: '',
  headers: {},
  expires_at: new Date(NOW + 24 * HOUR).toISOString(),
  ...change,
})

const begun = (from: OutboxItem, change?: Partial<Way>) =>
  after(from, { what: 'begun', fileId: from.files[0]!.id, way: way(change) }, NOW)
const arrived = (from: OutboxItem, offset: number) =>
  after(from, { what: 'arrived', fileId: from.files[0]!.id, offset }, NOW)
const no = (from: OutboxItem, status: number, code = 'x', more: object = {}) =>
  after(
    from,
    {
      what: 'said no',
      step: nextStep(from, { now: NOW }),
      refusal: { status, code, message: 'No' },
      ...more,
    },
    NOW,
  )
const stepOf = (from: OutboxItem, isSlow = false) => nextStep(from, { now: NOW, isSlow })
const doOf = (from: OutboxItem) => stepOf(from).do

describe('sending a proof', () => {
  test('starts an upload, sends its chunks, submits the proof and ends', () => {
    let now = item()
    const steps: string[] = []
    for (let guard = 0; guard < 10 && now.state !== 'sent'; guard += 1) {
      const step = stepOf(now)
      steps.push(step.do === 'send' ? `${step.from / KB}–${step.to / KB}` : step.do)
      if (step.do === 'begin') now = begun(now)
      else if (step.do === 'send') now = arrived(now, step.to)
      else if (step.do === 'prove') now = after(now, { what: 'proved' }, NOW)
    }

    assert.deepEqual(steps, ['begin', '0–256', '256–512', '512–600', 'prove'])
    assert.equal(now.sentAt, NOW)
    assert.equal(doOf(now), 'nothing')
  })

  test('uses smaller chunks on a slow network', () => {
    const step = stepOf(begun(item()), true) as Extract<Step, { do: 'send' }>

    assert.equal(step.to - step.from, 64 * KB)
  })

  test('submits a proof without files at once, under its idempotency key', () => {
    const step = stepOf(item([])) as Extract<Step, { do: 'prove' }>

    assert.equal(step.key, 'proof-1')
    assert.deepEqual(step.body, {
      outcome: 'done',
      captured_at: '2026-05-04T09:00:00Z',
      answer: true,
    })
  })

  test('lists the files of the proof by kind', () => {
    const step = stepOf(arrived(begun(item()), 600 * KB)) as Extract<Step, { do: 'prove' }>

    assert.deepEqual(step.body.photos, ['upl_1'])
    assert.equal('video' in step.body, false)
  })

  test('sends a form upload in one request, and keeps the file after the form has expired', () => {
    const form = begun(item(), {
      method: 'POST',
      expires_at: new Date(NOW + HOUR).toISOString(),
    })
    const there = arrived(form, 600 * KB)

    assert.equal(doOf(form), 'form')
    assert.equal(nextStep(there, { now: NOW + 3 * HOUR }).do, 'prove')
    assert.equal(nextStep(form, { now: NOW + 3 * HOUR }).do, 'begin')
  })
})

describe('after a network failure', () => {
  test('the client asks the server for the offset, and the progress bar does not go back', () => {
    const lost = after(arrived(begun(item()), 256 * KB), { what: 'lost' }, NOW)

    assert.equal(doOf(lost), 'ask')
    assert.deepEqual(progressOf(lost), { sent: 256 * KB, total: 600 * KB })
    const on = arrived(lost, 300 * KB)
    assert.equal((stepOf(on) as { from: number }).from, 300 * KB)
  })

  test('the client backs off up to five minutes, and retries at once when woken', () => {
    let now = item()
    const waits: number[] = []
    for (let i = 0; i < 12; i += 1) {
      now = after(now, { what: 'lost' }, NOW)
      waits.push((now.notBefore - NOW) / 1000)
    }

    assert.deepEqual(waits.slice(0, 4), [1, 2, 4, 8])
    assert.equal(waits.at(-1), 300)
    assert.equal(isDue(now, { now: NOW, workerId: 'worker_1' }), false)
    assert.equal(isDue(wake(now), { now: NOW, workerId: 'worker_1' }), true)
  })

  test('an upload without progress waits before it asks for the offset', () => {
    const stuck = arrived(begun(item()), 0)

    assert.equal(stuck.notBefore, NOW + 1000)
    assert.equal(doOf(stuck), 'ask')
  })

  test('one response resets the failure count', () => {
    const lost = after(begun(item()), { what: 'lost' }, NOW)

    assert.equal(arrived(lost, 10).failures, 0)
  })

  test('an upload that restarts before its first response keeps its idempotency key', () => {
    const first = stepOf(item()) as { key: string }
    const second = stepOf(after(item(), { what: 'lost' }, NOW)) as { key: string }

    assert.equal(first.key, second.key)
  })
})

describe('after an error response', () => {
  test('429, 500, 503 and a busy 409 are retried after Retry-After', () => {
    for (const [status, code] of [
      [429, 'rate_limited'],
      [503, 'unavailable'],
      [500, 'server_error'],
      [409, 'idempotency_in_progress'],
      [409, 'upload_busy'],
    ] as const) {
      const waiting = no(begun(item()), status, code, { retryAfterS: 7 })
      assert.equal(waiting.state, 'waiting', code)
      assert.equal(waiting.notBefore, NOW + 7000, code)
    }
  })

  test('401 keeps the proof until the same worker logs in', () => {
    const held = no(item(), 401, 'invalid_token')

    assert.equal(held.state, 'needs_login')
    assert.equal(isDue(held, { now: NOW, workerId: 'worker_1' }), true)
    assert.equal(isDue(held, { now: NOW, workerId: 'worker_2' }), false)
  })

  test('a wrong offset is corrected to the offset of the server', () => {
    const on = no(begun(item()), 409, 'wrong_offset', { offset: 128 * KB })

    assert.equal((stepOf(on) as { from: number }).from, 128 * KB)
  })

  test('a lost upload restarts under a new key, at most three times', () => {
    let now = begun(item())
    const keys: string[] = []
    for (let i = 0; i < 5 && now.state === 'waiting'; i += 1) {
      now = no(now, 404, 'upload_not_found')
      const step = stepOf(now)
      if (step.do !== 'begin') break
      keys.push(step.key)
      now = begun(now)
    }

    assert.deepEqual(keys, ['file-0.1', 'file-0.2'])
    assert.equal(now.state, 'refused')
  })

  test('a permanent error is stored with the proof', () => {
    for (const [status, code] of [
      [409, 'assignment_ended'],
      [400, 'invalid_request'],
      [404, 'assignment_not_found'],
      [410, 'gone'],
    ] as const) {
      const refused = no(item(), status, code)
      assert.equal(refused.state, 'refused', code)
      assert.equal(refused.refusal?.code, code)
      assert.equal(doOf(refused), 'nothing')
    }
  })

  test('a manual retry sends a new proof from the beginning', () => {
    const again = tryAgain(no(arrived(begun(item()), 600 * KB), 409, 'no_slot'), 'proof-2')

    assert.equal((stepOf(again) as { key: string }).key, 'file-0.1')
    assert.equal((stepOf(arrived(begun(again), 600 * KB)) as { key: string }).key, 'proof-2')
  })
})

describe('a proof that waits for long', () => {
  test('uploads its files again before the server would refuse them', () => {
    const there = arrived(begun(item()), 600 * KB)

    assert.equal(nextStep(there, { now: NOW + 21 * HOUR }).do, 'prove')
    assert.equal(nextStep(there, { now: NOW + 23 * HOUR }).do, 'begin')
  })

  test('keeps its files after it was submitted, because only the response may be lost', () => {
    const told = named(arrived(begun(item()), 600 * KB))

    assert.equal(nextStep(told, { now: NOW + 23 * HOUR }).do, 'prove')
  })
})
