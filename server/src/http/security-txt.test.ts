import assert from 'node:assert/strict'
import { test } from 'node:test'
import { marketplace } from '../../test/harness.ts'
import { renderSecurityTxt } from './security-txt.ts'

const market = await marketplace({
  settings: {
    PUBLIC_URL: 'https://legwork.example/',
    SECURITY_CONTACT: 'mailto:security@legwork.example',
    SECURITY_POLICY_URL: 'https://legwork.example/policy',
  },
})
const address = new URL('/.well-known/security.txt', market.server.addresses.api!)

const fieldsOf = (text: string) =>
  Object.fromEntries(
    text
      .trimEnd()
      .split('\n')
      .map((line) => /^([\w-]+): (\S.*)$/.exec(line)!.slice(1) as [string, string]),
  )

test('security.txt names the contact for reports, as plain text', async () => {
  const reply = await fetch(address)

  assert.equal(reply.status, 200)
  assert.equal(reply.headers.get('content-type'), 'text/plain; charset=utf-8')
  const { Expires, ...others } = fieldsOf(await reply.text())
  assert.deepEqual(others, {
    Contact: 'mailto:security@legwork.example',
    'Preferred-Languages': 'en',
    Canonical: 'https://legwork.example/.well-known/security.txt',
    Policy: 'https://legwork.example/policy',
  })
  assert.match(Expires!, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
})

test('security.txt responds to HEAD, and ignores a wrong key', async () => {
  const replies = [
    await fetch(address, { method: 'HEAD' }),
    await fetch(address, { headers: { authorization: 'Bearer wrong' } }),
  ]

  assert.deepEqual(
    replies.map(({ status }) => status),
    [200, 200],
  )
})

test('security.txt is never expired, and expires within a year', () => {
  const first = Date.UTC(2027, 0, 1)
  for (let day = 0; day < 800; day += 1) {
    const now = new Date(first + day * 86_400_000)

    const expires = Date.parse(fieldsOf(renderSecurityTxt(market.server.config, now)).Expires!)

    const days = (expires - now.getTime()) / 86_400_000
    assert(days > 150 && days < 365, `${now.toISOString()}: ${days}`)
  }
})
