import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { marketplace } from '../../test/harness.ts'
import { decideHeld, HELD_AFTER_ONE, heldDispute, eventsOfTask } from '../../test/held-disputes.ts'
import { decideReport } from '../moderation/decide-report.ts'
import { moveTasks } from '../tasks/moves.ts'
import { lockWork } from '../tasks/queries.ts'
import { lapseDisputes } from './lapse-held-disputes.ts'

const market = await marketplace({ settings: HELD_AFTER_ONE })
const HOUR = 3_600_000

const heldRows = async (taskId: string) =>
  (await market.asOwner(`select 1 from disputes where task_id = $1 and status = 'held'`, [taskId]))
    .length

describe('a held dispute', () => {
  test('[4.1-gap-dispute-held] shows both sides who decides by when, and moves no money', async () => {
    const { agent, task, held, own, paid } = await heldDispute(market)

    const decides_by = new Date(market.now().getTime() + 72 * HOUR).toISOString()

    assert.deepEqual(
      [held.task.status, held.task.decides_by, held.refunded_cents],
      ['proof_submitted', decides_by, 0],
    )
    assert.deepEqual([held.dispute.status, held.dispute.decides_by], ['held', decides_by])
    const { assignment, dispute, held_dispute } = await own()
    assert.deepEqual(
      [assignment.status, assignment.auto_approve_at, assignment.decides_by, dispute],
      ['submitted', null, decides_by, null],
    )
    assert.deepEqual(
      [held_dispute.status, held_dispute.reason, held_dispute.decides_by],
      ['held', 'Not readable', decides_by],
    )
    const told = (await eventsOfTask(market, task.id)).at(-1)!
    assert.deepEqual(
      [told.type, told.data.task.decides_by, told.data.dispute.status],
      ['task.dispute_held', decides_by, 'held'],
    )
    assert.deepEqual([await market.balance(agent.id), await paid()], [100, [0]])
  })

  test('returns the same response to the same request', async () => {
    const { agent, path, held } = await heldDispute(market)

    const again = await agent.post(`${path}/dispute`, { reason: 'Not readable' })

    assert.equal(again.status, 200)
    assert.deepEqual(again.body.dispute, held.dispute)
  })

  test('for single proofs: other workers see the deadline, but not the reason', async () => {
    const { task, own } = await heldDispute(market, { consensus_count: 2, parts: 1 })

    const { assignment, held_dispute } = await own(task.workers[1])

    assert.equal(typeof assignment.decides_by, 'string')
    assert.equal(held_dispute, null)
  })

  test('409 with decides_by: it cannot be canceled, revised, paid out or disputed again', async () => {
    const { agent, task, path, held } = await heldDispute(market)

    const replies = [
      await agent.post(`${path}/cancel`),
      await agent.post(`${path}/request-revision`, { note: 'Again' }),
      await agent.post(`${path}/dispute`, { reason: 'Another' }),
      await agent.post(`${path}/payout`),
    ]

    assert.deepEqual(
      replies.map(({ status, body }) => [status, body.code, body.decides_by]),
      replies.map(() => [409, 'invalid_state', held.task.decides_by]),
    )
    assert.equal(await heldRows(task.id), 1)
  })

  test('is withdrawn by approving the task', async () => {
    const { agent, task, path, shown, paid } = await heldDispute(market)

    const { status, body } = await agent.post(`${path}/approve`)

    assert.deepEqual([status, body.task.decides_by], [200, null])
    assert.deepEqual(await paid(), [2460])
    assert.equal((await shown()).dispute.status, 'withdrawn')
    assert.equal(await heldRows(task.id), 0)
  })

  test('is not changed by an upheld report, a restricted agent or a passed deadline', async () => {
    const { agent, task, path, worker, paid } = await heldDispute(market, { deadline: '1h' })
    await worker.post(`/worker${path}/report`, { kind: 'illegal' })
    const setting = { config: market.server.config, now: market.now() }
    await market
      .at(task.id)
      .transaction((tx) => decideReport(tx, { taskId: task.id, verdict: 'upheld' }, setting))
    await market.asOwner(`update agents set status = 'restricted' where id = $1`, [agent.id])
    market.advance(2 * HOUR)
    await market.sweep()
    await market.work()
    assert.equal(await heldRows(task.id), 1)
    market.advance(70 * HOUR)

    await market.sweep()

    assert.deepEqual(await paid(), [2460])
    assert.equal(await heldRows(task.id), 0)
  })
})

describe('concurrent decisions of a held dispute', () => {
  test('[4.1-gap-dispute-held-ends] of uphold, reject, withdraw, approve and the timer one wins', async () => {
    for (let round = 0; round < 6; round += 1) {
      const { agent, task, path, held, shown, paid } = await heldDispute(market)
      const lapse = () =>
        market.at(task.id).transaction((tx) =>
          lapseDisputes(tx, {
            disputeIds: [held.dispute.id],
            config: market.server.config,
            now: new Date(held.task.decides_by),
          }),
        )
      const isDone = (outcome: Promise<unknown>) => outcome.then(Boolean, () => false)
      const ways = [
        () => isDone(decideHeld(market, task.id, 'uphold')),
        () => isDone(decideHeld(market, task.id, 'reject')),
        () => isDone(lapse()),
        () => agent.post(`${path}/dispute/withdraw`).then(() => false),
        () => agent.post(`${path}/approve`).then(() => false),
      ]

      // Rotate the order, so a different contender starts first in each round.
      const order = [...ways.slice(round % 5), ...ways.slice(0, round % 5)]
      const won = (await Promise.all(order.map((way) => way()))).filter(Boolean)

      const { status, dispute } = await shown()
      const byAgent = dispute.status === 'withdrawn' && dispute.debited_cents === 0
      assert.equal(won.length, byAgent ? 0 : 1, dispute.status)
      // An upheld dispute can be withdrawn right afterward, in which case the agent has paid after all.
      assert.deepEqual(await paid(), [status === 'disputed' ? 0 : 2460])
      assert.equal(await market.balance(agent.id), status === 'disputed' ? 3100 : 100)
      assert.equal(await heldRows(task.id), 0)
      const decisions = (await eventsOfTask(market, task.id)).filter(({ type }) =>
        ['task.completed', 'task.disputed'].includes(type),
      )
      assert.equal(decisions.length, 1)
      const settled = await market.asOwner(
        `select distinct kind from transfers where key = 'task:' || $1 || ':settle'`,
        [task.id],
      )
      assert.equal(settled.length, 1)
    }
  })

  test('control: without the guards of the database a held dispute is left behind', async () => {
    const { task } = await heldDispute(market)
    const leave = `update tasks set status_reason = null, review_due_at = now(), decides_by = null where id = $1`

    await assert.rejects(market.asOwner(leave, [task.id]), /its dispute is still held/)
    await assert.rejects(
      market.asOwner(`update disputes set decides_by = null where task_id = $1`, [task.id]),
      /disputes_held_clock/,
    )
    await assert.rejects(
      market.asOwner(`update disputes set status = 'rejected' where task_id = $1`, [task.id]),
      /disputes_decided/,
    )

    const tasks = `${market.at(task.id).schema.name}.tasks`
    await market.asOwner(`alter table ${tasks} disable trigger tasks_held_dispute`)
    await market.asOwner(leave, [task.id])
    await market.asOwner(`alter table ${tasks} enable trigger tasks_held_dispute`)
    assert.equal(await heldRows(task.id), 1, 'what the trigger prevents')
  })

  test('move_tasks refuses to decide a dispute that is not held', async () => {
    const { agent, task, path } = await heldDispute(market, { consensus_count: 2, parts: 1 })
    await agent.post(`${path}/dispute/withdraw`)

    const twice = market.at(task.id).transaction(async (tx) => {
      const work = await lockWork(tx, { taskId: task.id, agentId: agent.id })
      const dispute = { status: 'rejected', decided_by: 'operator olga' } as const
      const decision = { ...dispute, decision_note: null, refunded_cents: 0 }
      await moveTasks(tx, [{ task: work.task, becomes: {}, dispute: decision }], {
        now: market.now(),
      })
    })

    await assert.rejects(twice, /a held dispute is decided already/)
  })
})
