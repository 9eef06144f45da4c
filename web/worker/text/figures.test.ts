import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { begun, directionOf, distanceIn, isolated, moneyIn, numberIn, unitIn } from './figures.ts'

/** Invisible characters that control text direction. */
const INVISIBLE = /[\u200E\u200F\u061C\u2066-\u2069]/g
const seen = (text: string) => text.replaceAll(INVISIBLE, '').replaceAll('\u00A0', ' ')

describe('money', () => {
  test('is in dollars in every language, written as USD, US$ or $US where $ means another currency', () => {
    assert.equal(moneyIn('en', 450), '$4.50')
    assert.equal(seen(moneyIn('es', 450)), 'USD 4.50')
    assert.equal(seen(moneyIn('pt-BR', 450)), 'US$ 4,50')
    assert.equal(seen(moneyIn('fr', 450)), '4,50 $US')
    assert.equal(seen(moneyIn('de', 450)), '4,50 $')
    assert.equal(seen(moneyIn('ar', 450)), '$4.50')
    assert.equal(moneyIn('en-XA', 450), '$4.50')
  })

  test('leaves out zero cents in the short form', () => {
    assert.equal(moneyIn('en', 400, { isShort: true }), '$4')
    assert.equal(moneyIn('en', 450, { isShort: true }), '$4.50')
    assert.equal(seen(moneyIn('pt-BR', 400, { isShort: true })), 'US$ 4')
    assert.equal(seen(moneyIn('fr', 400, { isShort: true })), '4 $US')
    assert.equal(seen(moneyIn('ar', 400, { isShort: true })), '$4')
  })

  test('is isolated in Arabic to keep the minus sign in front', () => {
    assert.equal(moneyIn('ar', -450), '\u2066-$4.50\u2069')
  })
})

test('numbers use Western digits in every language', () => {
  assert.equal(seen(numberIn('ar', 1234.5)), '1,234.5')
  assert.equal(numberIn('es', 1234.5), '1,234.5')
  assert.equal(numberIn('pt-BR', 1234.5), '1.234,5')
  assert.equal(numberIn('fr', 1234.5), '1\u202F234,5')
  assert.equal(numberIn('de', 1234.5), '1.234,5')
})

test('short distances are in meters', () => {
  assert.equal(distanceIn('en', 0.444), '440 m')
  assert.equal(seen(distanceIn('pt-BR', 1.25)), '1,3 km')
  assert.equal(distanceIn('ar', 1.25), '1.3 كم')
})

test('German abbreviates hours, but not days', () => {
  assert.equal(seen(unitIn('de', 1.5, 'hour')), '1,5 Std.')
  assert.equal(seen(unitIn('de', 3, 'day')), '3 Tage')
})

test('an inserted value is isolated only if its direction differs from the sentence', () => {
  assert.equal(isolated('ar', 'Is it open?'), '\u2068Is it open?\u2069')
  assert.equal(isolated('ar', '+49 40 1234'), '\u2068+49 40 1234\u2069')
  assert.equal(isolated('en', 'هل هو مفتوح؟'), '\u2068هل هو مفتوح؟\u2069')
  assert.equal(isolated('en', 'Is it open?'), 'Is it open?')
  assert.equal(isolated('ar', '3 أيام'), '3 أيام')
  assert.equal(isolated('ar', ''), '')
})

test('a sentence that starts with a name keeps its own direction', () => {
  assert.equal(begun('ar', '\u2068Atlas\u2069 يراجع'), '\u200F\u2068Atlas\u2069 يراجع')
  assert.equal(begun('en', '\u2068أطلس\u2069 is looking'), '\u200E\u2068أطلس\u2069 is looking')
  assert.equal(begun('en', 'Atlas is looking'), 'Atlas is looking')
})

test('only Arabic is right-to-left', () => {
  const languages = ['en', 'es', 'pt-BR', 'fr', 'de', 'ar', 'en-XA']
  assert.deepEqual(
    languages.filter((language) => directionOf(language) === 'rtl'),
    ['ar'],
  )
})
