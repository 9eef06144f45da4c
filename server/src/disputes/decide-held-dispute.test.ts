import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { marketplace } from '../../test/harness.ts'
import { decideHeld, HELD_AFTER_ONE, heldDispute, eventsOfTask } from '../../test/held-disputes.ts'

const market = await marketplace({ settings: HELD_AFTER_ONE })
const HOUR = 3_600_000

describe('an operator upholds a held dispute', () => {
  test('takes effect: refunds the money, disputes the slot, and shows the note to both sides', async () => {
    const { agent, task, worker, shown, own, paid } = await heldDispute(market)

    await decideHeld(market, task.id, 'uphold', 'It shows another street.')

    assert.equal(await market.balance(agent.id), 3100)
    assert.deepEqual(await paid(), [0])
    const after = await shown()
    assert.deepEqual(
      [after.status, after.status_reason, after.decides_by, after.escrow_cents],
      ['disputed', 'disputed_by_agent', null, 0],
    )
    assert.deepEqual(
      [after.dispute.status, after.dispute.refunded_cents, after.dispute.decision_note],
      ['open', 3000, 'It shows another street.'],
    )
    const { assignment, dispute, held_dispute } = await own()
    assert.deepEqual([assignment.status, assignment.reason], ['disputed', 'Not readable'])
    assert.deepEqual([dispute.status, dispute.decision_note], ['open', 'It shows another street.'])
    assert.equal(held_dispute, null)
    const { changes } = (await worker.get('/worker/trust')).body
    assert.deepEqual(
      changes.map(({ cause }: { cause: string }) => cause),
      ['disputed'],
      'the second dispute of a day still affects trust',
    )
    const told = await eventsOfTask(market, task.id)
    assert.deepEqual(
      told.slice(-2).map(({ type }) => type),
      ['task.dispute_held', 'task.disputed'],
    )
    assert.equal(told.at(-1)!.data.dispute.decision_note, 'It shows another street.')
    assert.deepEqual(
      after.timeline.slice(-2).map(({ event }: { event: string }) => event),
      ['task.dispute_held', 'task.disputed'],
    )
  })

  test('gives the worker 72 hours from the decision to appeal', async () => {
    const { task, path, worker, own } = await heldDispute(market)
    market.advance(70 * HOUR)
    await decideHeld(market, task.id, 'uphold')
    const { dispute } = await own()
    assert.equal(Date.parse(dispute.appeal_until), market.now().getTime() + 72 * HOUR)
    market.advance(71 * HOUR)

    const appeal = await worker.post(`/worker${path}/appeal`, { statement: 'Look' })

    assert.equal(appeal.status, 201, appeal.text)
  })

  test('keeps it pending, outside of the level, for 72 hours from the decision', async () => {
    const { task, worker } = await heldDispute(market)
    const pending = async () => (await worker.get('/worker/trust')).body.pending
    market.advance(70 * HOUR)
    const held = await pending()
    await decideHeld(market, task.id, 'uphold')
    const upheld = await pending()
    market.advance(72 * HOUR - 1)
    await market.sweep()
    const still = await pending()
    market.advance(1)
    await market.sweep()

    assert.deepEqual(held, [])
    assert.equal(upheld[0].task_id, task.id)
    assert.equal(Date.parse(upheld[0].can_appeal_until), market.now().getTime())
    assert.equal(still.length, 1)
    assert.deepEqual(await pending(), [])
  })

  test('lets the agent withdraw it afterwards and pay for the work', async () => {
    const { agent, task, path, paid } = await heldDispute(market)
    await decideHeld(market, task.id, 'uphold')

    const { status, body } = await agent.post(`${path}/dispute/withdraw`)

    assert.deepEqual(
      [status, body.task.status, body.dispute.debited_cents],
      [200, 'completed', 3000],
    )
    assert.deepEqual(await paid(), [2460])
    assert.equal(await market.balance(agent.id), 100)
  })

  test('returns a free task’s money to the promotional fund', async () => {
    const { agent, task, shown } = await heldDispute(market, { budget_cents: 1000, free: true })

    await decideHeld(market, task.id, 'uphold')

    const after = await shown()
    assert.deepEqual([after.status, after.dispute.refunded_cents], ['disputed', 0])
    assert.equal(await market.balance(agent.id), 0)
  })

  test('for single proofs: the others are judged in the remaining time', async () => {
    const { agent, task, path, ids, shown } = await heldDispute(market, {
      consensus_count: 3,
      parts: 1,
    })
    const before = (
      await market.asOwner('select review_due_at from tasks where id = $1', [task.id])
    )[0]
    assert.equal(before!.review_due_at, null)

    await decideHeld(market, task.id, 'uphold')

    const after = await shown()
    assert.deepEqual([after.status, after.status_reason], ['proof_submitted', null])
    const slots = after.assignments as { id: string; status: string }[]
    assert.deepEqual(slots.map(({ status }) => status).sort(), [
      'disputed',
      'submitted',
      'submitted',
    ])
    assert.equal(slots.find(({ id }) => id === ids[0])!.status, 'disputed')
    const { review_due_at } = (
      await market.asOwner('select review_due_at from tasks where id = $1', [task.id])
    )[0]!
    assert.equal(review_due_at.getTime(), market.now().getTime() + after.auto_approve_after * 1000)
    const { body } = await agent.post(`${path}/approve`)
    assert.deepEqual([body.settlement.gross_cents, body.settlement.refunded_cents], [2000, 1000])
  })

  test('for single proofs, after the review time: the others are paid at once', async () => {
    const { task, paid, shown, agent } = await heldDispute(market, {
      consensus_count: 3,
      parts: 1,
      auto_approve_after: 3600,
    })
    market.advance(2 * HOUR)

    await decideHeld(market, task.id, 'uphold')

    assert.deepEqual(await paid(), [0, 820, 820])
    const after = await shown()
    assert.deepEqual([after.status, after.approved_by], ['completed', 'auto'])
    assert.equal(await market.balance(agent.id), 1100)
  })

  test('409 held_dispute_lapsed after the worker’s deadline, also before the sweep has paid', async () => {
    const { agent, task, held, paid } = await heldDispute(market)
    market.advance(72 * HOUR)

    const refused = decideHeld(market, held.dispute.id, 'uphold')

    await assert.rejects(refused, { code: 'held_dispute_lapsed' })
    assert.equal(await market.balance(agent.id), 100)
    await market.sweep()
    assert.deepEqual(await paid(), [2460])
    assert.equal(task.budget_cents, 3000)
  })
})

describe('an operator rejects a held dispute', () => {
  test('pays the worker as an approval does, counts it for trust, and notifies both sides', async () => {
    const { agent, task, worker, held, shown, own, paid } = await heldDispute(market)

    await decideHeld(market, held.dispute.id, 'reject')

    assert.deepEqual(await paid(), [2460])
    assert.equal(await market.balance(agent.id), 100)
    const after = await shown()
    assert.deepEqual(
      [after.status, after.status_reason, after.approved_by, after.decides_by],
      ['completed', 'dispute_rejected', 'operator', null],
    )
    assert.deepEqual(
      [after.dispute.status, after.dispute.decision_note, after.dispute.debited_cents],
      ['rejected', 'Every line can be read.', 0],
    )
    assert.deepEqual(after.settlement, {
      gross_cents: 3000,
      commission_cents: 540,
      refunded_cents: 0,
      workers: [{ worker_id: worker.id, net_cents: 2460 }],
    })
    const { assignment, dispute, held_dispute } = await own()
    assert.deepEqual([assignment.status, dispute], ['approved', null])
    assert.deepEqual(
      [held_dispute.status, held_dispute.decision_note],
      ['rejected', 'Every line can be read.'],
    )
    const { changes } = (await worker.get('/worker/trust')).body
    assert.deepEqual(
      changes.map(({ cause }: { cause: string }) => cause),
      ['approved'],
    )
    const told = (await eventsOfTask(market, task.id)).slice(-2)
    assert.deepEqual(
      told.map(({ type }) => type),
      ['task.completed', 'task.dispute_resolved'],
    )
    assert.equal(told[0]!.data.approved_by, 'operator')
    assert.deepEqual(
      [told[1]!.data.ruling, told[1]!.data.assignments[0].net_cents],
      ['rejected', 2460],
    )
    assert.deepEqual(
      after.timeline.slice(-3).map(({ event }: { event: string }) => event),
      ['task.dispute_held', 'task.dispute_resolved', 'task.completed'],
    )
    assert.equal((await agent.get('/stats')).body.quality.counts.overturned, 1)
  })

  test('for single proofs: the task returns to review, and these cannot be disputed again', async () => {
    const { agent, task, path, ids, shown, paid } = await heldDispute(market, {
      consensus_count: 3,
      parts: 1,
    })

    await decideHeld(market, task.id, 'reject')

    const after = await shown()
    assert.deepEqual(
      [after.status, after.status_reason, after.decides_by, after.dispute.status],
      ['proof_submitted', null, null, 'rejected'],
    )
    const again = await agent.post(`${path}/dispute`, {
      reason: 'Not readable',
      assignment_ids: [ids[0]],
    })
    assert.deepEqual([again.status, again.body.details[0].path], [400, 'assignment_ids.0'])
    const { body } = await agent.post(`${path}/approve`)
    assert.equal(body.settlement.gross_cents, 3000)
    assert.deepEqual(await paid(), [820, 820, 820])
  })

  test('for single proofs: a dispute of the whole task then excludes these', async () => {
    const { agent, task, path, ids, shown } = await heldDispute(market, {
      consensus_count: 3,
      parts: 1,
    })
    await decideHeld(market, task.id, 'reject')

    const { body } = await agent.post(`${path}/dispute`, { reason: 'All of it' })

    assert.deepEqual(body.dispute.assignment_ids.toSorted(), ids.slice(1).toSorted())
    await decideHeld(market, task.id, 'uphold')
    const statuses = (await shown()).assignments.map(({ status }: { status: string }) => status)
    assert.deepEqual(statuses.sort(), ['disputed', 'disputed', 'submitted'])
    const third = await agent.post(`${path}/dispute`, { reason: 'The rest' })
    assert.deepEqual([third.status, third.body.code], [409, 'invalid_state'])
    const approved = await agent.post(`${path}/approve`)
    assert.deepEqual(
      [approved.body.settlement.gross_cents, approved.body.settlement.refunded_cents],
      [1000, 2000],
    )
  })

  test('for single proofs, after the review time: all are paid at once', async () => {
    const { agent, task, paid, shown } = await heldDispute(market, {
      consensus_count: 3,
      parts: 1,
      auto_approve_after: 3600,
    })
    market.advance(2 * HOUR)

    await decideHeld(market, task.id, 'reject')

    assert.deepEqual(await paid(), [820, 820, 820])
    assert.equal((await shown()).approved_by, 'auto')
    assert.equal(await market.balance(agent.id), 100)
  })

  test('pays workers who disagree, without a result', async () => {
    const { task, paid, shown } = await heldDispute(market, {
      answers: [true, false],
    })

    await decideHeld(market, task.id, 'reject')

    assert.deepEqual(await paid(), [1230, 1230])
    const { status, consensus } = await shown()
    assert.deepEqual([status, consensus.conflict, consensus.result], ['completed', true, null])
  })
})

describe('a late decision', () => {
  test('404 for a dispute that was never held, 409 for a decided one; no money moves', async () => {
    const { agent, task, paid } = await heldDispute(market)
    const ordinary = await market.agent({ balanceCents: 3000, freeTasks: false })
    const disputed = await market.taskIn(ordinary, 'disputed', { budget_cents: 3000 })
    await decideHeld(market, task.id, 'reject')

    for (const id of [disputed.id, 'dsp_00000000000000000000000000', 'nonsense'])
      await assert.rejects(decideHeld(market, id, 'uphold'), { code: 'held_dispute_not_found' })
    for (const verdict of ['uphold', 'reject'] as const)
      await assert.rejects(decideHeld(market, task.id, verdict), { code: 'held_dispute_decided' })

    assert.deepEqual(await paid(), [2460])
    assert.deepEqual(
      [await market.balance(agent.id), await market.balance(ordinary.id)],
      [100, 3000],
    )
  })
})
