import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Text } from '../text/use-text.tsx'
import { nextPayoutWords } from './next-payout.ts'

const text = Object.assign(
  (id: string, values: object) => `${id} ${Object.values(values).join()}`,
  {
    date: (at: string, options: Intl.DateTimeFormatOptions) =>
      new Intl.DateTimeFormat('en-US', options).format(new Date(at)),
  },
) as unknown as Text

test('the next payout has its day, in every time zone, and the bank’s last digits if known', () => {
  const [on, none] = [{ next_payout_on: '2026-11-20' }, { bank_last4: null }]

  assert.equal(
    nextPayoutWords({ ...on, bank_last4: '6789' }, text),
    'payout.nextTo Fri, Nov 20,••6789',
  )
  assert.equal(nextPayoutWords({ ...on, ...none }, text), 'payout.next Fri, Nov 20')
  assert.equal(nextPayoutWords({ next_payout_on: null, ...none }, text), '')
})
