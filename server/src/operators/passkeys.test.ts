import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openAuthenticator } from '../../test/desk/authenticator.ts'
import { deskClient, sessionFor, signIn } from '../../test/desk/sign-in.ts'
import { marketplace } from '../../test/harness.ts'
import { mintLink } from './links.ts'

const market = await marketplace({ roles: ['api', 'jobs', 'desk'], mail: true })
const MINUTE = 60_000
const HOUR = 60 * MINUTE
const admin = await signIn(market, 'admin')
let people = 0

/** Somebody with an invitation that a colleague sent. */
async function invited(role = 'support') {
  people += 1
  const email = `person-${people}@desk.example`
  const session = await sessionFor(market, admin.id)
  const { status, body } = await deskClient(market, session).post('/operators', {
    email,
    name: `Person ${people}`,
    role,
  })
  assert.equal(status, 201)
  const { links } = await market.inbox.mailTo(email)
  const link = links.find(({ pathname }) => pathname === '/desk/join')!
  const token = new URLSearchParams(link.hash.slice(1)).get('token')!
  return { id: body.operator.id as string, email, token, link }
}

/** Somebody who joined, and the device that has the passkey. */
async function joined(role?: string) {
  const person = await invited(role)
  const device = openAuthenticator(market.desk)
  const page = deskClient(market)
  const { body } = await page.post('/invitations/begin', { token: person.token })
  const passkey = device.create(body.options)
  const { challenge_id } = body
  const { status } = await page.post('/invitations/finish', {
    token: person.token,
    challenge_id,
    passkey,
  })
  assert.equal(status, 200)
  return { ...person, device, page }
}

const begin = async (page = deskClient(market)) => {
  const { body } = await page.post('/sign-in/begin', {})
  return body as { challenge_id: string; options: { challenge: string } }
}

describe('an invitation', () => {
  test('its link creates a passkey, signs in and works once', async () => {
    const { token, link, email } = await invited('trust')
    const page = deskClient(market)
    const device = openAuthenticator(market.desk)

    const { body: begun } = await page.post('/invitations/begin', { token })
    const passkey = device.create(begun.options)
    const { challenge_id } = begun
    const finished = await page.post('/invitations/finish', { token, challenge_id, passkey })
    const session = await page.get('/session')
    const again = await deskClient(market).post('/invitations/begin', { token })

    assert.equal(link.origin, market.desk)
    assert.equal(begun.email, email)
    assert.equal(begun.options.authenticatorSelection.userVerification, 'required')
    assert.equal(begun.options.authenticatorSelection.residentKey, 'required')
    assert.equal(finished.status, 200)
    assert.deepEqual(session.body.operator.role, 'trust')
    assert.equal(again.status, 410)
    assert.equal(again.body.code, 'operator_link_ended')
  })

  test('the cookie of its session is bound to this host, to https and to no script', async () => {
    const { token } = await invited()
    const device = openAuthenticator(market.desk)
    const page = deskClient(market)
    const { body } = await page.post('/invitations/begin', { token })

    const { headers } = await page.post('/invitations/finish', {
      token,
      challenge_id: body.challenge_id,
      passkey: device.create(body.options),
    })

    const [cookie] = headers.getSetCookie()
    assert.match(
      cookie!,
      /^__Host-legwork-desk=[\w-]{43}; Path=\/; Secure; HttpOnly; SameSite=Strict; Max-Age=28800$/,
    )
  })

  test('two people who open the same link at once: one gets in', async () => {
    const { token } = await invited()
    const devices = [openAuthenticator(market.desk), openAuthenticator(market.desk)]
    const begun = await Promise.all(
      devices.map(async (device) => {
        const { body } = await deskClient(market).post('/invitations/begin', { token })
        return { token, challenge_id: body.challenge_id, passkey: device.create(body.options) }
      }),
    )

    const answers = await Promise.all(
      begun.map((body) => deskClient(market).post('/invitations/finish', body)),
    )

    assert.deepEqual(
      answers.map(({ status }) => status).toSorted((a, b) => a - b),
      [200, 410],
    )
  })

  test('410 after 72 hours, after a newer link, and when the account was disabled', async () => {
    const old = await invited()
    market.advance(73 * HOUR)
    const disabled = await invited()
    const replaced = await invited()
    const staff = deskClient(market, await sessionFor(market, admin.id))
    await staff.put(`/operators/${disabled.id}`, { is_disabled: true })
    await staff.post(`/operators/${replaced.id}/link`)
    await market.inbox.mailTo(replaced.email)

    for (const { token } of [old, disabled, replaced]) {
      const { status } = await deskClient(market).post('/invitations/begin', { token })
      assert.equal(status, 410)
    }
  })

  test('403 for a passkey that another page made, for another site, or without a check of the person', async () => {
    const { token } = await invited()
    for (const lie of [
      { origin: 'https://desk.example.net' },
      { rpId: 'example.net' },
      { isUnverified: true },
      { challenge: Buffer.from('another challenge').toString('base64url') },
    ]) {
      const device = openAuthenticator(market.desk)
      const { body } = await deskClient(market).post('/invitations/begin', { token })
      const { challenge_id, options } = body
      const passkey = device.create(options, lie)

      const refused = await deskClient(market).post('/invitations/finish', {
        token,
        challenge_id,
        passkey,
      })

      assert.equal(refused.body.code, 'passkey_refused', JSON.stringify(lie))
    }
  })

  test('403 with the challenge of somebody else’s invitation', async () => {
    const [one, other] = [await invited(), await invited()]
    const device = openAuthenticator(market.desk)
    const { body } = await deskClient(market).post('/invitations/begin', { token: one.token })

    const { body: refused } = await deskClient(market).post('/invitations/finish', {
      token: other.token,
      challenge_id: body.challenge_id,
      passkey: device.create(body.options),
    })

    assert.equal(refused.code, 'passkey_refused')
  })
})

describe('signing in with a passkey', () => {
  test('begins another session each time, and ends the one that the browser had', async () => {
    const { device, page } = await joined()
    const first = page.jar.cookie

    const asked = await begin(page)
    const { status } = await page.post('/sign-in/finish', {
      challenge_id: asked.challenge_id,
      passkey: device.get(asked.options),
    })

    assert.equal(status, 200)
    assert.notEqual(page.jar.cookie, first)
    assert.equal((await page.get('/session')).status, 200)
    assert.equal((await deskClient(market, first).get('/session')).status, 401)
  })

  test('a session that a stranger planted in the browser is not used', async () => {
    const { device } = await joined()
    const planted = `__Host-legwork-desk=${'A'.repeat(43)}`
    const page = deskClient(market, planted)
    const asked = await begin(page)

    await page.post('/sign-in/finish', {
      challenge_id: asked.challenge_id,
      passkey: device.get(asked.options),
    })

    assert.equal((await page.get('/session')).status, 200)
    assert.equal((await deskClient(market, planted).get('/session')).status, 401)
  })

  test('a challenge works once, for ten minutes', async () => {
    const { device } = await joined()
    const used = await begin()
    const passkey = device.get(used.options)
    const body = { challenge_id: used.challenge_id, passkey }

    const first = await deskClient(market).post('/sign-in/finish', body)
    const replayed = await deskClient(market).post('/sign-in/finish', body)
    const late = await begin()
    market.advance(11 * MINUTE)
    const tooLate = await deskClient(market).post('/sign-in/finish', {
      challenge_id: late.challenge_id,
      passkey: device.get(late.options),
    })

    assert.equal(first.status, 200)
    assert.equal(replayed.body.code, 'passkey_refused')
    assert.equal(tooLate.body.code, 'passkey_refused')
  })

  test('a refused answer uses the challenge up, too', async () => {
    const { device } = await joined()
    const asked = await begin()
    const { challenge_id, options } = asked
    const wrong = device.get(options, { origin: 'https://desk.example.net' })
    await deskClient(market).post('/sign-in/finish', { challenge_id, passkey: wrong })

    const { body } = await deskClient(market).post('/sign-in/finish', {
      challenge_id,
      passkey: device.get(options),
    })

    assert.equal(body.code, 'passkey_refused')
  })

  test('403 for an answer that was made for another page, site, challenge or person, or by nobody', async () => {
    const { device } = await joined()
    const other = await joined()
    for (const lie of [
      { origin: 'https://desk.example.net' },
      { origin: `${market.desk}.example.net` },
      { rpId: 'example.net' },
      { isUnverified: true },
      { challenge: Buffer.from('another challenge').toString('base64url') },
      { userHandle: Buffer.from(other.id).toString('base64url') },
      { userHandle: '' },
    ]) {
      const asked = await begin()

      const { status, body } = await deskClient(market).post('/sign-in/finish', {
        challenge_id: asked.challenge_id,
        passkey: device.get(asked.options, lie),
      })

      assert.equal(status, 403, JSON.stringify(lie))
      assert.equal(body.code, 'passkey_refused')
    }
  })

  test('403 for the challenge of a registration, and for a key that nobody registered', async () => {
    const { page, device } = await joined()
    const { body: register } = await page.post('/passkeys/begin', {})
    const stranger = openAuthenticator(market.desk)
    const asked = await begin()
    stranger.create({ ...asked.options, rp: { id: 'localhost' }, user: { id: 'bm9ib2R5' } })

    const mixed = await deskClient(market).post('/sign-in/finish', {
      challenge_id: register.challenge_id,
      passkey: device.get({ ...register.options, rpId: 'localhost' }),
    })
    const unknown = await deskClient(market).post('/sign-in/finish', {
      challenge_id: asked.challenge_id,
      passkey: stranger.get({ ...asked.options, rpId: 'localhost' }),
    })

    assert.equal(mixed.body.code, 'passkey_refused')
    assert.equal(unknown.body.code, 'passkey_refused')
  })

  test('403 for a copied key, whose counter does not rise, and the audit log says so', async () => {
    const { device, id } = await joined()
    const [one, two] = [await begin(), await begin()]
    await deskClient(market).post('/sign-in/finish', {
      challenge_id: one.challenge_id,
      passkey: device.get(one.options, { counter: 7 }),
    })

    const { body } = await deskClient(market).post('/sign-in/finish', {
      challenge_id: two.challenge_id,
      passkey: device.get(two.options, { counter: 7 }),
    })

    assert.equal(body.code, 'passkey_refused')
    const rows = await market.asOwner(`select action from audit_log where operator_id = $1`, [id])
    assert(rows.some(({ action }) => action === 'passkey.cloned'))
  })

  test('403 for a disabled operator, whose sessions have ended, also after the account is enabled again', async () => {
    const { device, page, id } = await joined()
    const staff = deskClient(market, await sessionFor(market, admin.id))
    await staff.put(`/operators/${id}`, { is_disabled: true, reason: 'Left the company' })
    const asked = await begin()

    const refused = await deskClient(market).post('/sign-in/finish', {
      challenge_id: asked.challenge_id,
      passkey: device.get(asked.options),
    })
    const before = await page.get('/session')
    await staff.put(`/operators/${id}`, { is_disabled: false })
    const after = await page.get('/session')

    assert.equal(refused.body.code, 'passkey_refused')
    assert.deepEqual([before.status, after.status], [401, 401])
  })

  test('400 for what is no answer of a browser', async () => {
    const asked = await begin()
    for (const passkey of [
      {},
      null,
      { id: 'x', rawId: 'x', type: 'public-key', response: {} },
      { id: 'é', rawId: 'é', type: 'public-key', response: {} },
    ]) {
      const { status } = await deskClient(market).post('/sign-in/finish', {
        challenge_id: asked.challenge_id,
        passkey,
      })
      assert.equal(status, 400)
    }
  })

  test('403, and no defect, for bytes that are no passkey', async () => {
    const { device } = await joined()
    for (const field of ['clientDataJSON', 'authenticatorData', 'signature']) {
      const asked = await begin()
      const passkey = device.get(asked.options)
      const response = { ...passkey.response, [field]: 'AAAA' }

      const { body } = await deskClient(market).post('/sign-in/finish', {
        challenge_id: asked.challenge_id,
        passkey: { ...passkey, response },
      })

      assert.equal(body.code, 'passkey_refused', field)
    }
  })

  test('403 from another origin', async () => {
    const { status, body } = await deskClient(market).post(
      '/sign-in/begin',
      {},
      { origin: 'https://desk.example.net' },
    )

    assert.equal(status, 403)
    assert.equal(body.code, 'wrong_origin')
  })
})

describe('own passkeys', () => {
  test('another one is added and signs in; the last one can’t be removed', async () => {
    const { page } = await joined()
    const second = openAuthenticator(market.desk)
    const { body } = await page.post('/passkeys/begin', {})
    const added = await page.post('/passkeys/finish', {
      challenge_id: body.challenge_id,
      passkey: second.create(body.options),
      name: 'Security key',
    })
    const asked = await begin(page)
    await page.post('/sign-in/finish', {
      challenge_id: asked.challenge_id,
      passkey: second.get(asked.options),
    })
    const { body: listed } = await page.get('/passkeys')
    const [first, key] = listed.passkeys
    const removed = await page.delete(`/passkeys/${first.id}`)
    const last = await page.delete(`/passkeys/${key.id}`)

    assert.equal(added.status, 201)
    assert.equal(key.name, 'Security key')
    assert.notEqual(key.used_at, null)
    assert.equal(removed.status, 200)
    assert.equal(last.body.code, 'last_passkey')
  })

  test('403 to change them more than ten minutes after signing in', async () => {
    const { page } = await joined()
    const { body: listed } = await page.get('/passkeys')
    market.advance(11 * MINUTE)

    const added = await page.post('/passkeys/begin', {})
    const removed = await page.delete(`/passkeys/${listed.passkeys[0].id}`)

    assert.equal(added.body.code, 'sign_in_again')
    assert.equal(removed.body.code, 'sign_in_again')
  })

  test('404 for somebody else’s passkey, which stays', async () => {
    const [one, other] = [await joined(), await joined()]
    const { body: listed } = await other.page.get('/passkeys')
    const [{ id }] = listed.passkeys

    const { status } = await one.page.delete(`/passkeys/${id}`)

    assert.equal(status, 404)
    assert.equal((await other.page.get('/passkeys')).body.passkeys.length, 1)
  })

  test('an administrator removes all of somebody else, which ends the sessions; a link creates a new one', async () => {
    const { page, id, email } = await joined()
    const staff = deskClient(market, await sessionFor(market, admin.id))

    const removed = await staff.delete(`/operators/${id}/passkeys`)
    const sent = await staff.post(`/operators/${id}/link`)
    const { links } = await market.inbox.mailTo(email)
    const token = new URLSearchParams(links[0]!.hash.slice(1)).get('token')!
    const fresh = deskClient(market)
    const { body } = await fresh.post('/invitations/begin', { token })
    const finished = await fresh.post('/invitations/finish', {
      token,
      challenge_id: body.challenge_id,
      passkey: openAuthenticator(market.desk).create(body.options),
    })

    assert.deepEqual(removed.body, { removed: 1 })
    assert.deepEqual(sent.body, { purpose: 'passkey' })
    assert.equal((await page.get('/session')).status, 401)
    assert.equal(finished.status, 200)
    assert.equal((await staff.delete(`/operators/${admin.id}/passkeys`)).body.code, 'own_account')
  })
})

describe('a link that signs in', () => {
  const mint = (operatorId: string, place = market) =>
    place.server.db.shards.global.transaction((tx) =>
      mintLink(tx, { operatorId, purpose: 'sign_in', by: { id: 'dev' }, now: place.now() }),
    )

  test('signs in once', async () => {
    const token = await mint(admin.id)
    const page = deskClient(market)

    const { status } = await page.post('/sign-in/link', { token })
    const again = await deskClient(market).post('/sign-in/link', { token })

    assert.equal(status, 200)
    assert.equal((await page.get('/session')).body.operator.id, admin.id)
    assert.equal(again.status, 410)
  })

  test('410 for an invitation, which needs a passkey', async () => {
    const { token } = await invited()

    assert.equal((await deskClient(market).post('/sign-in/link', { token })).status, 410)
  })
})
