import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { endAllLinks, shutOut } from '../../test/decisions.ts'
import { marketplace, type TestWorker } from '../../test/harness.ts'
import { ops } from '../../test/ops.ts'
import { tokenOf } from '../../test/people.ts'
import { mintId } from '../kit/ids.ts'

const market = await marketplace({ mail: true })
const HOUR = 3_600_000

const appeal = (token: string, task_id: string, statement = 'Every line is readable') =>
  market.call('POST', '/worker/objections/appeal', { body: { token, task_id, statement } })
const disputesOf = async (token: string) =>
  (await market.call('GET', `/worker/objections?token=${token}`)).body.disputes

/** A proof that was submitted before the worker's account was suspended or closed, and disputed afterward. */
async function disputedLater(how: 'suspend' | 'close' = 'suspend') {
  const agent = await market.agent({ balanceCents: 2500, freeTasks: false })
  const task = await market.taskIn(agent, 'proof_submitted', { title: 'Read the menu' })
  const [worker] = task.workers as [TestWorker]
  const { token } = await shutOut(market, worker, how)
  const { status } = await agent.post(`/tasks/${task.id}/dispute`, { reason: 'Blurred' })
  assert.equal(status, 200)
  return { agent, task, worker, token }
}

describe('POST /worker/objections/appeal', () => {
  for (const how of ['suspend', 'close'] as const)
    test(`[5-shut-out-appeal] 201 after ${how}: the mail links to the page, and the ruling is mailed`, async () => {
      const { agent, task, worker } = await disputedLater(how)
      await market.work()
      const mail = await market.inbox.mailTo(worker.email)
      const token = tokenOf(mail)
      const [listed] = await disputesOf(token)

      const { status, body } = await appeal(token, task.id)

      assert.match(mail.subject, /disputed: Read the menu/)
      assert.deepEqual(
        mail.links.map(({ pathname }) => pathname),
        ['/objection'],
      )
      assert.match(mail.text, /appeal by \w+ \d+, \d{4}[^]*works without a login/)
      assert.deepEqual(listed, {
        task_id: task.id,
        title: 'Read the menu',
        pay_cents: listed.pay_cents,
        reason: 'Blurred',
        appeal_until: new Date(market.now().getTime() + 72 * HOUR).toISOString(),
        can_appeal: true,
        appealed_at: null,
        ruling: null,
        ruling_note: null,
      })
      assert.equal(status, 201)
      assert.equal(body.dispute.appeal.statement, 'Every line is readable')
      const [waiting] = await disputesOf(token)
      assert.deepEqual([waiting.can_appeal, waiting.ruling], [false, null])
      assert.equal(waiting.appealed_at, market.now().toISOString())

      await agent.post(`/tasks/${task.id}/dispute/answer`, { statement: 'No' })
      await ops(market, 'appeal', waiting.task_id, 'overturned', 'It is readable')
      await market.work()
      const [ruled] = await disputesOf(token)
      const told = await market.inbox.mailTo(worker.email)
      assert.deepEqual([ruled.ruling, ruled.ruling_note], ['overturned', 'It is readable'])
      assert.match(told.subject, /^You get \$\d+\.\d\d: Read the menu/)
      assert.equal(tokenOf(told) === token, false)
      assert((await market.payable(worker.id)) > 0)
    })

  test('404 for the task of another worker, and for an unknown one', async () => {
    const { token } = await disputedLater()
    const { task: other } = await disputedLater()

    const [strange, none] = [
      await appeal(token, other.id),
      await appeal(token, mintId('task', market.now(), 1)),
    ]

    for (const { status, body } of [strange, none])
      assert.deepEqual([status, body.code], [404, 'assignment_not_found'])
    const rows = await market.asOwner('select from appeals where task_id = $1', [other.id])
    assert.deepEqual(rows, [])
  })

  test('400 with the same message for an unknown and an expired link, whatever the task', async () => {
    const { token, task } = await disputedLater()
    const fresh = await appeal('a'.repeat(43), task.id)
    await endAllLinks(market)

    const expired = await appeal(token, task.id)

    for (const { status, body } of [fresh, expired])
      assert.deepEqual(
        [status, body.code, body.error],
        [400, 'invalid_mail_link', fresh.body.error],
      )
  })

  test('409 for a second, different statement, after 72 hours, and after reactivation', async () => {
    const [one, late, back] = [await disputedLater(), await disputedLater(), await disputedLater()]
    await appeal(one.token, one.task.id)
    await ops(market, 'worker', 'reinstate', back.worker.id, 'x')

    const same = await appeal(one.token, one.task.id)
    const again = await appeal(one.token, one.task.id, 'Look again')
    const active = await appeal(back.token, back.task.id)
    market.advance(73 * HOUR)
    const tooLate = await appeal(late.token, late.task.id)

    assert.equal(same.status, 201)
    assert.equal(again.body.code, 'appeal_used')
    assert.equal(active.body.code, 'decision_ended')
    assert.equal(tooLate.body.code, 'appeal_too_late')
    assert.deepEqual(await disputesOf(late.token), [])
  })

  test('413 for a body that is too large', async () => {
    const { token, task } = await disputedLater()

    assert.equal((await appeal(token, task.id, 'x'.repeat(20_000))).status, 413)
  })
})
