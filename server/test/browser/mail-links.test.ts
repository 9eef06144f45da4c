import assert from 'node:assert/strict'
import { test } from 'node:test'
import { marketplace } from '../harness.ts'
import { signUp, tokenOf } from '../people.ts'
import { openPhone } from './phone.ts'

const market = await marketplace({ mail: true })
const { origin } = new URL(market.server.addresses.api!)

test('the links in mails, on a phone: an email is confirmed, a password is changed', async () => {
  const person = await signUp(market, { isVerified: false })
  const phone = await openPhone()
  const { page } = phone

  await phone.open(`${origin}/verify?token=${person.linkToken}`)
  await page.getByRole('button', { name: 'Confirm my email' }).tap()
  await phone.heading('Your email is confirmed')
  await phone.open(`${origin}/login`)
  await page.getByRole('link', { name: 'Forgot your password?' }).tap()
  await phone.heading('Forgot your password?')
  await page.getByLabel('Email').fill(person.email)
  await phone.look('mail-1-forgot')
  await page.getByRole('button', { name: 'Email me a link' }).tap()
  await page.getByText('we’ve sent a link').waitFor()
  await phone.look('mail-2-on-its-way')
  await market.work()
  const token = tokenOf(await market.inbox.mailTo(person.email))
  await phone.open(`${origin}/reset?token=${token}`)
  await page.getByLabel('New password').fill('short')
  await page.getByRole('button', { name: 'Change my password' }).tap()
  await page.getByRole('status').filter({ hasText: 'Too short' }).waitFor()
  await page.getByLabel('New password').fill('a password of their own')
  await phone.look('mail-3-password')
  await page.getByRole('button', { name: 'Change my password' }).tap()
  await phone.heading('Your password was changed')
  await phone.look('mail-4-changed')
  await phone.close()

  assert.equal((await person.logIn('a password of their own')).status, 200)
})

test('an expired link leads to a new one', async () => {
  const person = await signUp(market, { isVerified: false })
  market.advance(8 * 86_400_000)
  const phone = await openPhone()
  const { page } = phone

  await phone.open(`${origin}/verify?token=${person.linkToken}`)
  await page.getByRole('button', { name: 'Confirm my email' }).tap()
  await phone.heading('This link has expired')
  await phone.look('mail-5-link-over')
  await page.getByLabel('Email').fill(person.email)
  await page.getByRole('button', { name: 'Email me a link' }).tap()
  await page.getByText('we’ve sent a link').waitFor()
  await market.work()
  const token = tokenOf(await market.inbox.mailTo(person.email))
  await phone.open(`${origin}/verify?token=${token}`)
  await page.getByRole('button', { name: 'Confirm my email' }).tap()
  await phone.heading('Your email is confirmed')

  await phone.open(`${origin}/reset?token=used`)
  await page.getByLabel('New password').fill('a password of their own')
  await page.getByRole('button', { name: 'Change my password' }).tap()
  await phone.heading('This link has expired')
  await phone.close()
})
