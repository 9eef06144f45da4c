import assert from 'node:assert/strict'
import { test } from 'node:test'
import { marketplace } from '../harness.ts'
import { signUp } from '../people.ts'
import { openPhone } from './phone.ts'

const market = await marketplace({ mail: true })
const { origin } = new URL(market.server.addresses.api!)

test('the links of mails, on a phone: an e-mail is confirmed, a password is changed', async () => {
  const person = await signUp(market, { isVerified: false })
  const phone = await openPhone({ javaScript: false })
  const { page } = phone

  await phone.open(`${origin}/verify?token=${person.linkToken}`)
  await phone.look('mail-1-confirm')
  await page.getByRole('button', { name: 'Confirm my e-mail address' }).tap()
  await phone.heading('Your e-mail is confirmed')
  await phone.look('mail-2-confirmed')
  await phone.open(`${origin}/reset?token=${await person.forget()}`)
  await phone.look('mail-3-password')
  await page.getByLabel('New password').fill('a password of their own')
  await page.getByRole('button', { name: 'Change my password' }).tap()
  await phone.heading('Your password is changed')
  await page.goto(`${origin}/reset?token=used`)
  await phone.look('mail-4-link-over')
  await phone.close()

  assert.equal((await person.logIn('a password of their own')).status, 200)
})
