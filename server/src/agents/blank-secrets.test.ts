import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { mintApiKey, mintWebhookSecret } from '../kit/secrets.ts'
import { cutText, withoutSecrets, withoutSecretsIn } from './blank-secrets.ts'

describe('secrets', () => {
  test('of every kind are blanked wherever they stand, and what kind it was is left', () => {
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

  test('in a body also go by their name, however deep', () => {
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

  // By patterns that go back, each takes seconds at this length, in which nothing else is served.
  for (const [what, text] of [
    ['names in a query', `?${'key'.repeat(21_000)}`],
    ['names in JSON', `"${'token'.repeat(13_000)}`],
    ['blanks after a name', `"token"${' '.repeat(64_000)}`],
    ['beginnings of tokens', 'eyJ-'.repeat(16_000)],
    ['digits', '4'.repeat(64_000)],
  ] as const)
    test(`are sought quickly among ${what}`, () => {
      const begun = performance.now()
      withoutSecrets({ text })
      assert.ok(performance.now() - begun < 250, `${performance.now() - begun} ms`)
    })

  test('what is no secret stays as it is', () => {
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
  test('is cut between characters, and takes no byte more than it may', () => {
    assert.equal(cutText('short', 10), 'short')
    assert.equal(cutText('a'.repeat(20), 10), `${'a'.repeat(10)}…`)
    assert.equal(cutText('éééééé', 5), 'éé…')
    assert.equal(cutText('a\0b\uD800', 10), 'ab\uFFFD')
  })
})
