import assert from 'node:assert/strict'
import { test } from 'node:test'
import { signIn } from '../../test/desk/sign-in.ts'
import { marketplace } from '../../test/harness.ts'
import { sha256 } from '../kit/secrets.ts'
import { mailLink } from './mail-link.ts'

const market = await marketplace({ roles: ['desk'], mail: true })
const unreachable = await marketplace({
  roles: ['desk'],
  settings: { SMTP_URL: 'smtp://127.0.0.1:1' },
})
const silent = await marketplace({ roles: ['desk'] })

async function invite(place: typeof market, email: string) {
  const admin = await signIn(place, 'admin', { name: 'Ada' })
  const { body } = await admin.post('/operators', { email, name: 'Bea', role: 'trust' })
  const id = body.operator.id as string
  return { id, admin, payload: { data: { id, purpose: 'invitation' as const, by: admin.id } } }
}
const linksOf = (place: typeof market, id: string) =>
  place.asOwner(
    `select token_hash, purpose, ended_at, created_at, expires_at from operator_links
      where operator_id = $1 order by created_at`,
    [id],
  )

test('the link is made when the email is sent, and only its hash is stored', async () => {
  const { id, payload } = await invite(market, 'bea@desk.example')
  const before = await linksOf(market, id)

  await mailLink.run({ ...market.background, payload })

  const { subject, text, links } = await market.inbox.mailTo('bea@desk.example')
  const token = new URLSearchParams(links[0]!.hash.slice(1)).get('token')!
  const [row] = await linksOf(market, id)
  assert.deepEqual(before, [])
  assert.match(subject, /invited to the Legwork desk/)
  assert.match(text, /Ada invited you/)
  assert.match(text, /Your role is trust/)
  assert.equal(row!.token_hash, sha256(token))
  assert.equal(row!.expires_at.getTime() - row!.created_at.getTime(), 72 * 3_600_000)
})

test('a retry ends the link before it', async () => {
  const { id, payload } = await invite(market, 'cleo@desk.example')

  await mailLink.run({ ...market.background, payload })
  market.advance(1000)
  await mailLink.run({ ...market.background, payload })

  const [older, newer] = await linksOf(market, id)
  assert.notEqual(older!.ended_at, null)
  assert.equal(newer!.ended_at, null)
})

test('an email that the server does not accept is retried', async () => {
  const { payload } = await invite(unreachable, 'dan@desk.example')

  await assert.rejects(
    async () => mailLink.run({ ...unreachable.background, payload }),
    /did not accept/,
  )
})

test('nothing is sent to somebody who was disabled meanwhile, or without a mail server', async () => {
  const { id, admin, payload } = await invite(market, 'eve@desk.example')
  await admin.put(`/operators/${id}`, { is_disabled: true })
  const other = await invite(silent, 'fay@desk.example')

  await mailLink.run({ ...market.background, payload })
  await mailLink.run({ ...silent.background, payload: other.payload })

  assert.deepEqual(market.inbox.unreadTo('eve@desk.example'), [])
  assert.deepEqual(await linksOf(silent, other.id), [])
})
