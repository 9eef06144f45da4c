import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { deskClient, sessionFor, signIn } from '../../test/desk/sign-in.ts'
import { marketplace } from '../../test/harness.ts'
import { giveRole } from './change-operator.ts'

const market = await marketplace({ roles: ['api', 'desk'] })
const admin = await signIn(market, 'admin')

describe('roles and accounts', () => {
  test('a new role applies to the next request of a session', async () => {
    const operator = await signIn(market, 'viewer')
    const { status: before } = await operator.get('/operators')

    const { status, body } = await admin.put(`/operators/${operator.id}`, { role: 'admin' })

    assert.equal(before, 403)
    assert.equal(status, 200)
    assert.equal(body.operator.role, 'admin')
    assert.equal((await operator.get('/operators')).status, 200)
    await admin.put(`/operators/${operator.id}`, { role: 'viewer', reason: 'Only to try it' })
    assert.equal((await operator.get('/operators')).status, 403)
  })

  test('disabling ends all sessions at once; the account can be enabled', async () => {
    const operator = await signIn(market, 'finance')
    const second = deskClient(market, await sessionFor(market, operator.id))

    const { body } = await admin.put(`/operators/${operator.id}`, { is_disabled: true })

    assert.equal(body.operator.status, 'disabled')
    assert.equal(body.operator.sessions, 0)
    assert.equal((await operator.get('/session')).status, 401)
    assert.equal((await second.get('/session')).status, 401)
    const enabled = await admin.put(`/operators/${operator.id}`, { is_disabled: false })
    // Without a passkey, the operator has to join again.
    assert.equal(enabled.body.operator.status, 'invited')
  })

  test('409: nobody changes the own role or disables the own account', async () => {
    for (const body of [{ role: 'viewer' }, { is_disabled: true }]) {
      const { status, body: refused } = await admin.put(`/operators/${admin.id}`, body)

      assert.equal(status, 409)
      assert.equal(refused.code, 'own_account')
    }
  })

  test('409: an email belongs to one operator, however it is written', async () => {
    const operator = await signIn(market, 'viewer', { email: 'ada@desk.example' })

    const { status, body } = await admin.post('/operators', {
      email: 'Ada@Desk.example',
      name: 'Ada',
    })

    assert.equal(status, 409)
    assert.equal(body.code, 'operator_exists')
    assert.equal((await operator.get('/session')).status, 200)
  })

  test('a new operator is a viewer unless the invitation says otherwise', async () => {
    const { body } = await admin.post('/operators', { email: 'new@desk.example', name: 'New' })

    assert.equal(body.operator.role, 'viewer')
    assert.equal(body.operator.status, 'invited')
  })

  test('404 for an unknown operator, 400 for an unknown role', async () => {
    const unknown = 'opr_01aryz6s41tsv4rrffq69g5fav'

    assert.equal((await admin.put(`/operators/${unknown}`, { role: 'viewer' })).status, 404)
    assert.equal((await admin.post(`/operators/${unknown}/link`)).status, 404)
    assert.equal((await admin.delete(`/operators/${unknown}/passkeys`)).status, 404)
    assert.equal((await admin.put(`/operators/${admin.id}`, { role: 'owner' })).status, 400)
  })

  test('every change is in the audit log, with who, what and why', async () => {
    const operator = await signIn(market, 'viewer')

    await admin.put(`/operators/${operator.id}`, { role: 'trust', reason: 'Joins the team' })

    const { body } = await admin.get(`/audit-log?subject=${operator.id}`)
    const [row] = body.rows
    assert.equal(row.action, 'operator.role')
    assert.equal(row.operator.id, admin.id)
    assert.equal(row.words, 'Joins the team')
    assert.deepEqual(row.detail, { from: 'viewer', to: 'trust' })
  })
})

describe('the last administrator', () => {
  test('of two administrators who demote or disable each other at once, one stays', async () => {
    for (const change of [{ role: 'viewer' }, { is_disabled: true }]) {
      const [one, other] = await twoAdmins()

      const answers = await Promise.all([
        one.put(`/operators/${other.id}`, change),
        other.put(`/operators/${one.id}`, change),
      ])

      // The other one has lost the right or the session, or it would take the last administrator away.
      assert.equal(answers.filter(({ status }) => status === 200).length, 1)
      assert.equal(await countAdmins(), 1)
    }
  })

  test('409: an administrator who has not joined yet does not count', async () => {
    const [one, other] = await twoAdmins()
    await one.post('/operators', { email: 'waits@desk.example', name: 'Waits', role: 'admin' })
    await one.put(`/operators/${other.id}`, { role: 'trust' })
    // Only the shell can ask on behalf of nobody.
    const { db } = market.server
    const by = { id: 'shell', role: 'admin' } as const

    const asked = db.shards.global.transaction((tx) =>
      giveRole(tx, { operatorId: one.id, role: 'viewer', by, now: market.now() }),
    )

    await assert.rejects(asked, { code: 'last_admin' })
    assert.equal(await countAdmins(), 1)
  })
})

describe('sessions of others', () => {
  test('are listed and ended by an administrator', async () => {
    const operator = await signIn(market, 'support')
    const staff = await signIn(market, 'admin')

    const { body } = await staff.get(`/operators/${operator.id}/sessions`)
    await staff.delete(`/operators/${operator.id}/sessions`)

    assert.equal(body.sessions.length, 1)
    assert.equal(body.sessions[0].is_own, false)
    assert.equal((await operator.get('/session')).status, 401)
  })

  test('an operator lists the own ones and ends another; 404 for somebody else’s', async () => {
    const operator = await signIn(market, 'viewer')
    const second = deskClient(market, await sessionFor(market, operator.id))
    const stranger = await signIn(market, 'viewer')
    const { body } = await operator.get('/sessions')
    const other = body.sessions.find(({ is_own }: { is_own: boolean }) => !is_own)

    const refused = await stranger.delete(`/sessions/${other.id}`)
    const ended = await operator.delete(`/sessions/${other.id}`)
    const again = await operator.delete(`/sessions/${other.id}`)

    assert.equal(body.sessions.length, 2)
    assert.equal(refused.status, 404)
    assert.equal(ended.status, 200)
    assert.equal(again.status, 404)
    assert.equal((await second.get('/session')).status, 401)
    assert.equal((await operator.get('/session')).status, 200)
  })

  test('a session ends after 30 idle minutes, and after eight hours in any case', async () => {
    const idle = await signIn(market, 'viewer')
    const busy = await signIn(market, 'viewer')
    market.advance(29 * 60_000)
    await busy.get('/session')
    market.advance(2 * 60_000)

    assert.equal((await idle.get('/session')).status, 401)
    assert.equal((await busy.get('/session')).status, 200)
    for (let i = 0; i < 18; i += 1) {
      market.advance(25 * 60_000)
      await busy.get('/session')
    }
    assert.equal((await busy.get('/session')).status, 401)
  })
})

/** Exactly two active administrators, signed in. */
async function twoAdmins() {
  await market.asOwner(`update operators set role = 'viewer' where role = 'admin'`)
  return [await signIn(market, 'admin'), await signIn(market, 'admin')] as const
}

async function countAdmins(): Promise<number> {
  const rows = await market.asOwner(
    `select id from operators where role = 'admin' and status = 'active'`,
  )
  return rows.length
}
