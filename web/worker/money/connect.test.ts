import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Text } from '../text/use-text.tsx'
import { askedFor } from './connect.ts'
import { countriesIn, likelyCountry, unpaidCountry } from './countries.ts'

/** Returns message ids instead of their text. */
const ids = ((id: string) => id.replace('payout.asked_', '')) as unknown as Text

const asked = (...requirements_due: string[]) =>
  askedFor(
    {
      connected: true,
      account_id: 'acct_1',
      status: 'restricted',
      transfers_enabled: false,
      onboarding_required: true,
      requirements_due,
      bank_last4: null,
      next_payout_on: null,
    },
    ids,
  )

describe('requirements of the processor', () => {
  for (const [word, theirs] of [
    ['birth', ['individual.dob.day', 'individual.dob.month', 'identity.individual.date_of_birth']],
    ['document', ['individual.verification.document', 'identity.document']],
    ['bank', ['external_account', 'configuration.recipient.default_outbound_destination']],
    ['name', ['individual.first_name', 'identity.individual.surname']],
    ['address', ['individual.address.line1']],
    ['idNumber', ['individual.id_number', 'individual.ssn_last_4']],
    ['terms', ['tos_acceptance.date', 'identity.attestations.terms_of_service']],
    ['contact', ['individual.email', 'individual.phone']],
    ['other', ['something.new']],
  ] as const)
    test(`${word} is listed once for all of its names`, () => {
      assert.deepEqual(asked(...theirs), [word])
    })
})

describe('the country of residence', () => {
  const known = (country: string | null) => ({
    country,
    payout_countries: ['AT', 'GB', 'PT', 'US'],
  })

  test('is guessed from the place; otherwise from the locales of the phone', () => {
    assert.equal(likelyCountry(known('PT'), ['en-US']), 'PT')
    assert.equal(likelyCountry(known(null), ['de', 'en-GB', 'en-US']), 'GB')
    assert.equal(likelyCountry(known(null), ['uk-UA', 'en']), undefined)
  })

  test('is not guessed if nobody is paid there, and the worker is told', () => {
    assert.equal(likelyCountry(known('UA'), ['en-US']), undefined)
    assert.deepEqual(
      ['UA', 'PT', null].map((country) => unpaidCountry(known(country))),
      ['UA', undefined, undefined],
    )
  })

  test('is chosen from the paid ones, sorted for the language', () => {
    assert.deepEqual(
      countriesIn('de', ['US', 'PT', 'AT']).map(({ label }) => label),
      ['Österreich', 'Portugal', 'Vereinigte Staaten'],
    )
  })
})
