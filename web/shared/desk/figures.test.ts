import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ago, money, moneyShort, plural, signedMoney, span, utcDay } from './figures.ts'

describe('number formats of the console', () => {
  test('money has cents, and a sign if it is a change', () => {
    assert.equal(money(123_456), '$1,234.56')
    assert.equal(money(-5), '-$0.05')
    assert.equal(signedMoney(410), '+$4.10')
    assert.equal(signedMoney(-410), '-$4.10')
    assert.equal(moneyShort(2000), '$20')
  })

  for (const [seconds, written] of [
    [0, '0 s'],
    [45, '45 s'],
    [60, '1 min'],
    [80, '1 min 20 s'],
    [3600, '1 h'],
    [86_400 * 2 + 3600 * 4 + 59, '2 d 4 h'],
  ] as const)
    test(`${seconds} seconds are shown as ${written}`, () => assert.equal(span(seconds), written))

  test('times are relative to now', () => {
    const now = Date.parse('2026-11-15T12:00:00Z')
    assert.equal(ago('2026-11-15T11:59:56Z', now), 'now')
    assert.equal(ago('2026-11-15T11:56:00Z', now), '4 min ago')
    assert.equal(ago('2026-11-15T14:00:00Z', now), 'in 2 h')
    assert.equal(ago('2026-11-10T12:00:00Z', now), '5 d ago')
  })

  test('a UTC date of the API is the same date in every time zone', () => {
    assert.equal(utcDay('2026-11-15'), 'Nov 15')
  })

  test('a count of one uses the singular', () => {
    assert.equal(plural(1, 'task'), '1 task')
    assert.equal(plural(3, 'reply', 'replies'), '3 replies')
  })
})
