import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { marketplace } from '../../test/harness.ts'
import { signUp, tokenOf } from '../../test/people.ts'

const market = await marketplace({ mail: true })
const HOUR = 3_600_000

const byGet = (token: string) =>
  market.call('GET', `/worker/verify?token=${encodeURIComponent(token)}`)
const byPost = (token: string) => market.call('POST', '/worker/verify', { body: { token } })

for (const [words, verify] of [
  ['GET /worker/verify', byGet],
  ['POST /worker/verify', byPost],
] as const)
  describe(words, () => {
    test('200: the worker is active, and can log in [5-worker-verify]', async () => {
      const person = await signUp(market, { isVerified: false })
      const before = await person.logIn()

      const { status, body } = await verify(person.linkToken)

      assert.equal(before.status, 403)
      assert.equal(status, 200)
      assert.equal(body.worker.id, person.id)
      assert.equal(body.worker.status, 'active')
      assert.equal(body.worker.email_verified, true)
      assert.equal((await person.logIn()).status, 200)
    })

    test('200 a second time, also after the link has expired', async () => {
      const person = await signUp(market, { isVerified: false })

      const replies = [await verify(person.linkToken), await verify(person.linkToken)]
      market.advance(25 * HOUR)
      replies.push(await verify(person.linkToken))

      for (const { status, body } of replies) {
        assert.equal(status, 200)
        assert.equal(body.worker.status, 'active')
      }
    })

    test('200 for all of 8 concurrent requests', async () => {
      const person = await signUp(market, { isVerified: false })

      const replies = await Promise.all(Array.from({ length: 8 }, () => verify(person.linkToken)))

      assert.deepEqual([...new Set(replies.map(({ status }) => status))], [200])
    })

    test('the link works for 24 hours, then 400', async () => {
      const [early, late] = [
        await signUp(market, { isVerified: false }),
        await signUp(market, { isVerified: false }),
      ]

      market.advance(24 * HOUR - 1)
      const inTime = await verify(early.linkToken)
      market.advance(1)
      const tooLate = await verify(late.linkToken)

      assert.equal(inTime.status, 200)
      assert.equal(tooLate.status, 400)
      assert.equal(tooLate.body.code, 'invalid_mail_link')
      assert.equal((await late.logIn()).status, 403)
    })

    test('200 with an older link, because people open the first mail they see', async () => {
      const person = await signUp(market, { isVerified: false })
      await market.call('POST', '/worker/verify/resend', { body: { email: person.email } })
      await market.work()
      const newer = tokenOf(await market.inbox.mailTo(person.email))

      const { status } = await verify(person.linkToken)

      assert.notEqual(newer, person.linkToken)
      assert.equal(status, 200)
    })

    test('400 for an unknown token, one of another kind, or one with a wrong letter', async () => {
      const person = await signUp(market, { isVerified: false })
      const reset = await person.forget()
      const changed = (person.linkToken.startsWith('A') ? 'B' : 'A') + person.linkToken.slice(1)

      for (const token of ['x', reset, changed, '../../etc/passwd', person.id]) {
        const { status, body } = await verify(token)

        assert.equal(status, 400, token)
        assert.equal(body.code, 'invalid_mail_link')
      }
      assert.equal((await person.logIn()).status, 403)
    })

    test('400 without a token', async () => {
      const { status, body } = await verify('')

      assert.equal(status, 400)
      assert.equal(body.code, 'invalid_request')
    })

    test('a suspended worker stays suspended', async () => {
      const person = await signUp(market, { isVerified: false })
      await market.asOwner(`update workers set status = 'suspended' where id = $1`, [person.id])

      const { status, body } = await verify(person.linkToken)

      assert.equal(status, 200)
      assert.equal(body.worker.status, 'suspended')
    })

    test('400 for the link of a closed account', async () => {
      const person = await signUp(market, { isVerified: false })
      await market.asOwner(`update workers set status = 'closed' where id = $1`, [person.id])

      const { status, body } = await verify(person.linkToken)

      assert.equal(status, 400)
      assert.equal(body.code, 'invalid_mail_link')
    })
  })
