import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Refusal, Unreachable } from '../shared/api/client.ts'
import { problemOf, refusalText } from './problems.ts'
import type { Text } from './text/use-text.tsx'

/** Returns message ids instead of their text. */
const ids = ((id: string) => id) as unknown as Text
const refusal = (code: string, status = 409) => new Refusal(status, { code, error: 'In English' })

describe('the message for a failure', () => {
  test('comes from the screen, else from the app, else from the server', () => {
    assert.equal(problemOf(refusal('no_slot'), ids), 'problem.noSlot')
    assert.equal(problemOf(refusal('no_slot'), ids, { no_slot: 'app.name' }), 'app.name')
    assert.equal(problemOf(refusal('never_heard_of'), ids), 'In English')
  })

  test('covers an unreachable server, a rate limit and a defect', () => {
    assert.equal(problemOf(new Unreachable(undefined), ids), 'shell.unreachable')
    assert.equal(problemOf(refusal('rate_limited', 429), ids), 'shell.tooOften')
    assert.equal(problemOf(new TypeError('x'), ids), 'problem.serverError')
  })

  test('gives a long wait in minutes, and names a shared network as the cause', () => {
    const limited = (limit: string, retry_after_seconds: number) =>
      new Refusal(429, { code: 'rate_limited', error: 'In English', limit, retry_after_seconds })
    const said: [string, unknown][] = []
    const words = ((id: string, values: unknown) => said.push([id, values])) as unknown as Text

    problemOf(limited('login', 119), words)
    problemOf(limited('register_worker', 2461), words)
    problemOf(limited('global', 121), words)

    assert.deepEqual(said, [
      ['shell.tooOften', { seconds: 119 }],
      ['shell.busyNetwork', { minutes: 42 }],
      ['shell.tooOftenMinutes', { minutes: 3 }],
    ])
  })

  test('says that a proof has too many files', () => {
    assert.equal(refusalText(refusal('too_many_files'), ids), 'problem.tooManyFiles')
  })

  test('says that an operator has paused changes, or registrations', () => {
    assert.equal(problemOf(refusal('read_only', 503), ids), 'problem.readOnly')
    assert.equal(problemOf(refusal('registrations_off', 503), ids), 'problem.registrationsOff')
  })

  test('says that an email address is already registered', () => {
    assert.equal(problemOf(refusal('worker_exists'), ids), 'problem.alreadyRegistered')
  })
})
