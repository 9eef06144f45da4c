import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import { type Json, marketplace } from '../harness.ts'
import { ops } from '../ops.ts'
import { signIn } from './sign-in.ts'

const market = await marketplace({ roles: ['api', 'desk'], settings: { SWITCH_CACHE_MS: 0 } })
const admin = await signIn(market, 'admin', { name: 'Ada' })
const viewer = await signIn(market, 'viewer')

/** A decision of an operator; the switch afterwards is in `shown`. */
const turn = (operator: typeof admin, name: string, is_on: boolean, reason: string) =>
  operator.post('/decisions', {
    kind: 'switch.turn',
    subject: name,
    input: { is_on },
    reason,
    request_key: randomUUID(),
  })

const shownTo = async (name: string): Promise<Json> => {
  const { status, body } = await viewer.get('/switches')
  assert.equal(status, 200)
  return body.switches.find((one: Json) => one.name === name)
}
const logged = () =>
  market.asOwner(
    `select l.operator_id, l.action, l.subject, l.detail::json as detail, w.words
       from audit_log l join audit_words w using (words_hash) order by l.seq desc limit 1`,
  )

describe('a switch on the desk', () => {
  test('shows what it stops and what goes on, before anybody has turned it', async () => {
    const shown = await shownTo('registrations')

    assert.deepEqual(shown, {
      name: 'registrations',
      is_on: true,
      is_stopping: false,
      stops: 'the registration of agents, test agents and workers',
      goes_on: 'Everything of existing accounts: logging in, key rotation, confirming an email.',
      set_by: null,
      reason: null,
      changed_at: null,
      is_automatic: false,
    })
  })

  test('stops requests at once, says who turned it and why, and is in the audit log', async () => {
    const agent = await market.agent({ balanceCents: 1000, freeTasks: false })
    const create = () => agent.post('/tasks', { description: 'Look', budget_cents: 500 })

    const off = await turn(admin, 'tasks_custom', false, 'Too many')
    const refused = await create()
    const shown = await shownTo('tasks_custom')
    const [entry] = await logged()
    const on = await turn(admin, 'tasks_custom', true, 'Solved')
    const created = await create()

    assert.deepEqual([off.status, off.body.decision.state], [201, 'done'])
    assert.deepEqual([refused.status, refused.body.code], [503, 'task_type_off'])
    assert.equal(await market.balance(agent.id), 500)
    assert.deepEqual(
      [shown.is_stopping, shown.set_by, shown.reason, shown.changed_at],
      [true, { id: admin.id, name: 'Ada' }, 'Too many', market.now().toISOString()],
    )
    assert.deepEqual(
      [entry!.operator_id, entry!.action, entry!.subject, entry!.words],
      [admin.id, 'switch.turn.propose', 'tasks_custom', 'Too many'],
    )
    assert.deepEqual([on.status, created.status], [201, 201])
  })

  test('is the same as in the shell, which is logged, too', async () => {
    await ops(market, 'switch', 'payouts', 'off', 'a', 'test')

    const shown = await shownTo('payouts')
    const [entry] = await logged()
    await turn(admin, 'payouts', true, 'Tested')
    const after = await shownTo('payouts')

    assert.deepEqual([shown.is_stopping, shown.reason], [true, 'a test'])
    assert.deepEqual(
      [entry!.action, entry!.subject, entry!.words],
      ['switch.turn.propose', 'payouts', 'a test'],
    )
    assert.deepEqual([after.is_on, after.set_by.name], [true, 'reconciliation'])
  })

  test('in read-only mode, the desk still turns it back', async () => {
    await turn(admin, 'read_only', true, 'Repair')
    const shown = await shownTo('read_only')

    const { status } = await turn(admin, 'read_only', false, 'Repaired')

    assert.equal(shown.is_stopping, true)
    assert.equal(status, 201)
    assert.equal((await shownTo('read_only')).is_stopping, false)
  })

  test('says before it is turned what it stops, and what goes on', async () => {
    const { body } = await admin.post('/decisions/preview', {
      kind: 'switch.turn',
      subject: 'registrations',
      input: { is_on: false },
    })

    assert.deepEqual(body.effect.changes, [
      'Stops the registration of agents, test agents and workers',
      'Everything of existing accounts: logging in, key rotation, confirming an email.',
      'It applies in every process within two seconds',
    ])
  })

  test('400 without a reason, 403 without the right: nothing is turned', async () => {
    const silent = await turn(admin, 'refunds', false, ' ')
    const finance = await signIn(market, 'finance')
    const refused = await turn(finance, 'refunds', false, 'I want to')
    const unknown = await turn(admin, 'nonsense', false, 'Why not')

    assert.deepEqual([silent.status, refused.status, unknown.status], [400, 403, 409])
    assert.equal((await shownTo('refunds')).is_on, true)
  })
})
