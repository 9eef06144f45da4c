import assert from 'node:assert/strict'
import { test } from 'node:test'
import { marketplace } from '../../test/harness.ts'
import { PASSWORD, signUp } from '../../test/people.ts'

const market = await marketplace({ mail: true })

test('the mail about a new password is in the language of the app', async () => {
  const person = await signUp(market, { app_language: 'fr' })
  const { token } = (await person.logIn()).body
  await market
    .client(token)
    .post('/worker/password', { current_password: PASSWORD, password: `${PASSWORD} again` })

  await market.work()

  const mail = await market.inbox.mailTo(person.email)
  assert.equal(mail.subject, 'Votre mot de passe Legwork a changé')
})
