import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { isEmergencyNumber } from './emergency-numbers.ts'
import { readPhoneNumber } from './phone-number.ts'

const numberOf = (written: string, country?: string) => {
  const read = readPhoneNumber(written, country)
  return 'problem' in read ? `400 ${read.problem}` : [read.number, read.isNormalized]
}

describe('readPhoneNumber', () => {
  const NORMALIZED: [written: string, country: string | undefined, number: string][] = [
    ['+1 415 555 2671', undefined, '+14155552671'],
    ['(415) 555-2671', undefined, '+14155552671'],
    ['1 (800) 555-0199', undefined, '+18005550199'],
    ['020 7946 0958', 'GB', '+442079460958'],
    ['+44 (0)20 7946 0958', undefined, '+442079460958'],
    ['+1-800-FLOWERS', undefined, '+18003569377'],
    ['1-800-go-fedex', undefined, '+18004633339'],
    ['00 49 30 901820', undefined, '+4930901820'],
    ['011 49 30 901820', 'US', '+4930901820'],
    ['tel:+1-201-555-0123', undefined, '+12015550123'],
    ['tel:+1-201-555-0123;ext=5', undefined, '+12015550123 x5'],
    ['+1 (415) 555-2671 x123', undefined, '+14155552671 x123'],
    ['+1 415 555 2671 ext. 123', undefined, '+14155552671 x123'],
    ['+14155552671,,123#', undefined, '+14155552671 x123'],
    ['０３-1234-5678', 'JP', '+81312345678'],
    ['＋８１ ３ １２３４ ５６７８', undefined, '+81312345678'],
    ['+٩٦٦٥٠١٢٣٤٥٦٧', undefined, '+966501234567'],
    ['+९१ ९८७६५ ४३२१०', undefined, '+919876543210'],
    ['\u202a+44 20 7946 0958\u202c', undefined, '+442079460958'],
    ['+1 911 555 0100', undefined, '+19115550100'],
  ]
  for (const [written, country, number] of NORMALIZED)
    test(`reads ${written}${country ? ` in ${country}` : ''} as ${number}`, () => {
      assert.deepEqual(numberOf(written, country), [number, true])
    })

  const AS_WRITTEN: [written: string, country?: string][] = [
    ['+1-555-0100'],
    ['555-0123'],
    ['555-0123', 'US'],
    ['020 7946 0958'],
    ['+1234567890'],
    ['+1 415'],
    ['+99912345678901234567'],
    ['72727'],
    ['12345', 'DE'],
    ['611'],
    ['311'],
    ['*123#'],
    ['101', 'GB'],
    ['111', 'GB'],
    ['100', 'GB'],
    ['9112345678'],
    ['555-911-0199'],
    ['112-112-112'],
    ['118 118', 'GB'],
  ]
  for (const [written, country] of AS_WRITTEN)
    test(`keeps ${written}${country ? ` in ${country}` : ''} as written`, () => {
      assert.deepEqual(numberOf(written, country), [written, false])
    })

  const EMERGENCY: [written: string, country?: string][] = [
    ['112'],
    ['911'],
    ['999'],
    ['000'],
    ['110'],
    ['118'],
    ['119'],
    ['08'],
    ['9-1-1'],
    ['9 1 1'],
    [' 911 '],
    ['(911)'],
    ['９１１'],
    ['٩١١'],
    ['\u200e911'],
    ['tel:911'],
    ['TEL:112'],
    ['9-911'],
    ['1-911'],
    ['9,911'.replace(',', ' ')],
    ['+1 911'],
    ['+1-911'],
    ['+44 999'],
    ['+44 112'],
    ['0049 112'],
    ['011 44 999'],
    ['+91 100'],
    ['+33 15'],
    ['*67911'],
    ['*31#112'],
    ['#31#112'],
    ['911 x5'],
    ['911 ext. 5'],
    ['112;ext=1'],
    ['999,,1'],
    ['911#'],
    ['call 911'],
    ['911 please'],
    ['100'],
    ['100', 'IN'],
    ['15', 'FR'],
    ['111', 'NZ'],
    ['10111', 'ZA'],
    ['110', 'JP'],
    ['000', 'AU'],
    ['911', 'DE'],
  ]
  for (const [written, country] of EMERGENCY)
    test(`400 for the emergency number ${JSON.stringify(written)}${country ? ` in ${country}` : ''}`, () => {
      assert.match(String(numberOf(written, country)), /^400 must not be an emergency number/)
    })

  test('400 for a number that cannot be dialed, with what to send instead', () => {
    assert.match(String(numberOf('call me')), /^400 must be a phone number with digits/)
    assert.match(String(numberOf('')), /^400 must be a phone number with digits/)
    assert.match(String(numberOf('bob1@example.com')), /^400 .* not an email/)
    assert.match(String(numberOf('https://example.com/1')), /^400 .* web address/)
    assert.match(String(numberOf('1'.repeat(41))), /^400 must have at most 40 characters/)
  })

  test('the error asks for a location only if another country could help', () => {
    assert.match(String(numberOf('111')), /set location$/)
    assert.doesNotMatch(String(numberOf('911')), /location/)
    assert.doesNotMatch(String(numberOf('111', 'NZ')), /location/)
  })

  test('any text gives a number or a 400, never a defect, and no emergency number passes', () => {
    const dialed = fc.oneof(
      fc.string({ maxLength: 45 }),
      fc.stringMatching(/^[+0-9 ().,;x#*-]{0,45}$/),
      fc.string({ unit: 'binary', maxLength: 45 }),
    )
    fc.assert(
      fc.property(dialed, fc.constantFrom(undefined, 'US', 'GB', 'IN', 'ZZ'), (text, country) => {
        const read = readPhoneNumber(text, country)
        assert('problem' in read || !isEmergencyNumber(read.number, country))
      }),
    )
  })
})
