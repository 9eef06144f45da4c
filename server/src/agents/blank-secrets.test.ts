import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { mintApiKey, mintWebhookSecret } from '../kit/secrets.ts'
import { cutText, withoutSecrets, withoutSecretsIn } from './blank-secrets.ts'

describe('secrets', () => {
  test('of every kind are redacted anywhere in a text, and the kind is kept', () => {
    const key = mintApiKey('live', 1)
    const cases = [
      [`use ${key}, please`, 'use lw_live_…, please'],
      [mintApiKey('test', 1), 'lw_test_…'],
      [mintWebhookSecret(), 'whsec_…'],
      ['eyJhbGciOiJFZERTQSJ9.eyJzdWIiOiIxIn0.c2ln', 'eyJ…'],
      ['sk_live_51Habc', 'sk_live_…'],
      ['/wallet?token=abc&limit=1', '/wallet?token=…&limit=1'],
      ['/files/x?signature=abc', '/files/x?signature=…'],
      [`data:image/png;base64,${'A'.repeat(100)}`, 'data:image/png…'],
      ['{"api_key": "abc", oops', '{"api_key": "…", oops'],
      ['{"password": "a\\"bc", oops', '{"password": "…", oops'],
      ['{"password": ["abc"], oops', '{"password": "…"], oops'],
      ['{"otp": 123456, oops', '{"otp": "…", oops'],
      ['card 4242 4242-42424242, thanks', 'card …, thanks'],
    ] as const

    for (const [given, shown] of cases) assert.equal(withoutSecretsIn(given), shown)
  })

  test('in a body are also redacted by field name, at any depth', () => {
    const body = {
      password: 'hunter2',
      context: { apiKey: 'x', note: `with ${mintApiKey('live', 1)}`, list: ['whsec_abc'] },
      budget_cents: 500,
      token: 123456,
      credentials: { user: 'a', value: 'b' },
      passwords: ['x'],
      door_pin: '0000',
      cardNumber: 'x',
      paid_with: 4242424242424242,
      needs_password: true,
      secret: null,
    }

    assert.deepEqual(JSON.parse(withoutSecrets(body)), {
      password: '…',
      context: { apiKey: '…', note: 'with lw_live_…', list: ['whsec_…'] },
      budget_cents: 500,
      token: '…',
      credentials: '…',
      passwords: '…',
      door_pin: '…',
      cardNumber: '…',
      paid_with: '…',
      needs_password: true,
      secret: null,
    })
  })

  // A pattern with quadratic backtracking would block the process for seconds on a text of maximum length: a text four
  // times as long would take 16 times as long.
  for (const [what, make] of [
    ['query parameter names', (part) => `?${'key'.repeat(21_000 * part)}`],
    ['JSON field names', (part) => `"${'token'.repeat(13_000 * part)}`],
    ['spaces after a name', (part) => `"token"${' '.repeat(64_000 * part)}`],
    ['token prefixes', (part) => 'eyJ-'.repeat(16_000 * part)],
    ['digits', (part) => '4'.repeat(64_000 * part)],
  ] as [string, (part: number) => string][])
    test(`are found in linear time among ${what}`, () => {
      const quarterMs = fastest(() => withoutSecrets({ text: make(0.25) }))
      const wholeMs = fastest(() => withoutSecrets({ text: make(1) }))

      assert(wholeMs <= Math.max(50, 8 * quarterMs), `${quarterMs} ms, then ${wholeMs} ms`)
    })

  test('are the only text that is changed', () => {
    for (const text of [
      'Is the bakery open?',
      '{"description":"Look","budget_cents":500}',
      'data: none',
      'at 1731700000001, call +4915112345678',
      'a shipping of 3 pins',
    ])
      assert.equal(withoutSecretsIn(text), text)
  })
})

describe('a long text', () => {
  test('is cut between characters, and does not exceed its byte limit', () => {
    assert.equal(cutText('short', 10), 'short')
    assert.equal(cutText('a'.repeat(20), 10), `${'a'.repeat(10)}…`)
    assert.equal(cutText('éééééé', 5), 'éé…')
    assert.equal(cutText('a\0b\uD800', 10), 'ab\uFFFD')
  })
})

/** The fastest of three runs: other programs may slow down one run, but hardly all three. */
function fastest(work: () => void): number {
  const times = [1, 2, 3].map(() => {
    const begun = performance.now()
    work()
    return performance.now() - begun
  })
  return Math.min(...times)
}
