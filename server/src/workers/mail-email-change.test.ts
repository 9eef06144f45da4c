import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openEmailChanges } from '../../test/email-changes.ts'
import { marketplace } from '../../test/harness.ts'
import { signUp, tokenOf } from '../../test/people.ts'

const market = await marketplace({ mail: true })
const { ask } = openEmailChanges(market)

test('the links exist only in the mails: the database stores their hashes', async () => {
  const { toNew, toOld } = await ask(await signUp(market, { app_language: 'ar' }))

  const rows = await market.asOwner('select l::text as row from worker_email_links l')
  const stored = rows.map(({ row }) => String(row)).join()

  assert.equal(rows.length, 2)
  for (const mail of [toNew, toOld]) assert(!stored.includes(tokenOf(mail)))
  assert.equal(toNew.subject, 'تأكيد بريدك الإلكتروني الجديد في Legwork')
})
