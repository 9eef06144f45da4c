import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { marketplace } from '../../test/harness.ts'
import { type Attempt, beginAttempt, endAttempt, type Sent, tryAttempt } from './attempts.ts'
import type { Outcome } from './outcome.ts'

const market = await marketplace()
const HOUR = 3_600_000
const LOST: Outcome<string> = { kind: 'ambiguous', cause: 'time-out', isAnswer: false }
const BROKEN: Outcome<string> = { kind: 'ambiguous', cause: '500 api_error', isAnswer: true }
const ABSENT: Outcome<undefined> = { kind: 'ok', value: undefined }

let subjects = 0
const newSubject = () => `subject_${(subjects += 1)}`

const begin = (subjectId: string): Promise<Attempt> =>
  market.server.db.shards.global.transaction((tx) =>
    beginAttempt(tx, { subjectId, prefix: 'payout', now: market.now() }),
  )

const end = (attempt: Attempt, sent: Parameters<typeof endAttempt>[2]) =>
  market.server.db.shards.global.transaction((tx) =>
    endAttempt(tx, attempt, sent, { now: market.now() }),
  )

/** Makes one try against a stubbed processor and reports the idempotency keys that it saw. */
async function send(
  subjectId: string,
  { answer, found = ABSENT }: { answer: Outcome<string>; found?: Outcome<string | undefined> },
): Promise<{ sent: Sent<string>; keys: string[]; lookUps: number; attempt: Attempt }> {
  const attempt = await begin(subjectId)
  const keys: string[] = []
  let lookUps = 0
  const sent = await tryAttempt(market.background, attempt, {
    now: market.now(),
    async create(key) {
      keys.push(key)
      return answer
    },
    async find() {
      lookUps += 1
      return found
    },
  })
  return { sent, keys, lookUps, attempt }
}

describe('a processor attempt', () => {
  test('has its idempotency key before it is sent', async () => {
    const subjectId = newSubject()

    const { sent, keys, attempt } = await send(subjectId, { answer: { kind: 'ok', value: 'tr_1' } })

    assert.deepEqual(sent, { kind: 'ok', value: 'tr_1' })
    assert.deepEqual(keys, [`payout_${subjectId}_a1`])
    assert.equal(attempt.key, keys[0])
  })

  test('is repeated under the same key while its result is unknown', async () => {
    const subjectId = newSubject()

    const keys = new Set<string>()
    for (let i = 0; i < 5; i += 1)
      for (const key of (await send(subjectId, { answer: LOST })).keys) keys.add(key)

    assert.deepEqual([...keys], [`payout_${subjectId}_a1`])
  })

  test('is followed by a new key after a refusal', async () => {
    const subjectId = newSubject()
    const first = await send(subjectId, {
      answer: { kind: 'definite', code: 'balance_insufficient', message: 'Not enough' },
    })
    assert.deepEqual(first.sent, {
      kind: 'refused',
      code: 'balance_insufficient',
      message: 'Not enough',
    })
    await end(first.attempt, { kind: 'refused', code: 'balance_insufficient', message: '' })

    const { keys } = await send(subjectId, { answer: LOST })

    assert.deepEqual(keys, [`payout_${subjectId}_a2`])
  })

  test('stays open if our API key was refused: an earlier try may have succeeded', async () => {
    const subjectId = newSubject()
    await send(subjectId, { answer: LOST })

    const { sent } = await send(subjectId, {
      answer: { kind: 'definite', code: 'unauthorized', message: '', isKeyRefused: true },
    })

    assert.equal(sent.kind, 'later')
    assert.equal((await begin(subjectId)).attempt, 1)
  })

  test('is looked up instead of repeated before the processor forgets its key', async () => {
    const subjectId = newSubject()
    await send(subjectId, { answer: LOST })
    market.advance(20 * HOUR)

    const { sent, keys, lookUps } = await send(subjectId, {
      answer: LOST,
      found: { kind: 'ok', value: 'tr_found' },
    })

    assert.deepEqual(sent, { kind: 'ok', value: 'tr_found' })
    assert.deepEqual(keys, [])
    assert.equal(lookUps, 1)
  })

  test('that the look-up does not find ends, and the next one has a new key', async () => {
    const subjectId = newSubject()
    await send(subjectId, { answer: LOST })
    market.advance(20 * HOUR)
    const { sent, attempt } = await send(subjectId, { answer: LOST })
    assert.deepEqual(sent, { kind: 'not_found' })
    await end(attempt, { kind: 'not_found' })

    const { keys } = await send(subjectId, { answer: LOST })

    assert.deepEqual(keys, [`payout_${subjectId}_a2`])
  })

  test('stays unknown if the look-up fails', async () => {
    const subjectId = newSubject()
    await send(subjectId, { answer: LOST })
    market.advance(21 * HOUR)

    const { sent } = await send(subjectId, {
      answer: LOST,
      found: { kind: 'retry_later', code: 'rate_limit' },
    })

    assert.equal(sent.kind, 'unknown')
    assert.equal((await begin(subjectId)).attempt, 1)
  })

  test('is looked up after the same stored failure three times, but not after three timeouts', async () => {
    const [broken, lost] = [newSubject(), newSubject()]
    for (let i = 0; i < 3; i += 1) {
      await send(broken, { answer: BROKEN })
      await send(lost, { answer: LOST })
    }

    assert.equal((await send(broken, { answer: BROKEN })).lookUps, 1)
    assert.equal((await send(lost, { answer: LOST })).lookUps, 0)
  })

  test('that was just sent is not treated as absent', async () => {
    const subjectId = newSubject()
    await send(subjectId, { answer: LOST })
    market.advance(20 * HOUR - 1000)
    await send(subjectId, { answer: LOST })
    market.advance(2000)

    const early = await send(subjectId, { answer: LOST })
    market.advance(300_000)
    const late = await send(subjectId, { answer: LOST })

    assert.deepEqual(early.sent, { kind: 'unknown', cause: 'may still be under way' })
    assert.deepEqual(late.sent, { kind: 'not_found' })
  })

  test('whose key was used for another request is looked up, not refused', async () => {
    const subjectId = newSubject()
    await send(subjectId, { answer: LOST })

    const { sent } = await send(subjectId, {
      answer: { kind: 'definite', code: 'idempotency_error', message: '' },
      found: { kind: 'ok', value: 'tr_first' },
    })

    assert.deepEqual(sent, { kind: 'ok', value: 'tr_first' })
  })

  test('that another process has ended is not sent', async () => {
    const subjectId = newSubject()
    const attempt = await begin(subjectId)
    await end(attempt, { kind: 'ok', value: 'tr_1' })
    let isSent = false

    const sent = await tryAttempt<string>(market.background, attempt, {
      now: market.now(),
      async create() {
        isSent = true
        return LOST
      },
      find: async () => ABSENT,
    })

    assert.equal(isSent, false)
    assert.equal(sent.kind, 'unknown')
  })

  test('is one attempt when started twice concurrently', async () => {
    const subjectId = newSubject()

    const outcomes = await Promise.allSettled(Array.from({ length: 8 }, () => begin(subjectId)))

    // Senders lock their subject first; if one forgets to, the database stops it.
    const keys = outcomes.flatMap((o) => (o.status === 'fulfilled' ? [o.value.key] : []))
    assert.deepEqual([...new Set(keys)], [`payout_${subjectId}_a1`])
  })
})
