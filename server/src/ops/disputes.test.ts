import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Json, marketplace } from '../../test/harness.ts'
import { HELD_AFTER_ONE, heldDispute } from '../../test/held-disputes.ts'
import { ops } from '../../test/ops.ts'
import { showOpsGauges } from './gauges.ts'

const HOUR = 3_600_000

describe('ops disputes', async () => {
  const market = await marketplace({ settings: HELD_AFTER_ONE })

  test('lists pending disputes, the nearest deadline first, with both sides and the cost; exits with 1', async () => {
    assert.deepEqual(await ops(market, 'disputes'), {
      out: 'No held disputes to decide',
      isBad: false,
    })
    const first = await heldDispute(market, {
      description: 'Read the sign\n\u001b[2J',
      criteria: [{ id: 'sharp', text: 'Every line can be read' }],
    })
    market.advance(2 * HOUR)
    const second = await heldDispute(market, { consensus_count: 3, parts: 1 })

    const { out, isBad } = await ops(market, 'disputes')

    assert.equal(isBad, true)
    assert.match(out, /^2 held disputes to decide\n/)
    assert(out.indexOf(first.task.id) < out.indexOf(second.task.id))
    const own = out.split('\n\n')[1]!
    const lines = [
      `${first.held.dispute.id} of ${first.task.id}, held for 2 h, the worker is paid in 2 days`,
      '  asked      custom, proof by text: Read the sign [2J',
      '             - Every line can be read',
      '  agent      Not readable',
      `             ${first.agent.name} (${first.agent.id}): 2 disputes and 1 task reviewed in 24 h; ` +
        '2 disputes in total, 0 decided for the worker',
      '  delivered  done: Done',
      `  worker     ${first.worker.id}: trust 97, 100 approved, 0 disputed`,
      '  uphold     worker $0.00, $30.00 back to the agent; counts against the worker’s trust; the worker can appeal',
      '  reject     worker $24.60, commission $5.40, paid at once from escrow',
      `  decide     ops dispute ${first.held.dispute.id} uphold | reject NOTE FOR BOTH SIDES`,
    ]
    assert.deepEqual(
      own.split('\n').filter((line) => !line.startsWith('  check')),
      lines,
    )
    assert.match(out, /worker \$8\.20, commission \$1\.80, with the rest of the task/)
    assert(!out.includes(first.worker.email))
  })

  test('--json prints the same data', async () => {
    const { out } = await ops(market, 'disputes', '--json')

    const report = JSON.parse(out) as { waiting_count: number; waiting: Json[] }
    assert.equal(report.waiting_count, 2)
    assert.equal(report.waiting[0]!.reject.workers_get_cents, 2460)
    assert.equal(report.waiting[0]!.uphold.agent_gets_back_cents, 3000)
  })

  test('the gauges show the number and the age of pending disputes', async () => {
    await showOpsGauges(market.background)

    const { heldDisputes, heldDisputeOldest } = market.server.metrics
    assert.equal((await heldDisputes.get()).values[0]?.value, 2)
    assert.equal((await heldDisputeOldest.get()).values[0]?.value, 2 * 3600)
  })
})

describe('ops dispute', async () => {
  const market = await marketplace({ settings: HELD_AFTER_ONE })

  test('rejects by the dispute’s id, upholds by the task’s; the note reaches both sides', async () => {
    const one = await heldDispute(market)
    const other = await heldDispute(market)

    const rejected = await ops(
      market,
      'dispute',
      one.held.dispute.id,
      'reject',
      'Every line',
      'can be read.',
    )
    const upheld = await ops(market, 'dispute', other.task.id, 'uphold', 'Another street.')

    assert.equal(rejected.out, `${one.held.dispute.id} is rejected; ${one.task.id} is completed`)
    assert.match(upheld.out, /has taken effect; task_\w+ is disputed, and the worker can appeal/)
    assert.deepEqual(await one.paid(), [2460])
    assert.equal((await one.own()).held_dispute.decision_note, 'Every line can be read.')
    assert.equal((await other.shown()).dispute.decision_note, 'Another street.')
    const [row] = await market.asOwner(`select decided_by from disputes where id = $1`, [
      one.held.dispute.id,
    ])
    assert.equal(row!.decided_by, 'operator ada')
    assert.deepEqual(await ops(market, 'disputes'), {
      out: 'No held disputes to decide',
      isBad: false,
    })
  })

  test('refuses a missing verdict, note or id', async () => {
    const { task, paid } = await heldDispute(market)

    await assert.rejects(ops(market, 'dispute', task.id, 'split', 'x'), /uphold.*reject/)
    await assert.rejects(ops(market, 'dispute', task.id, 'uphold'), /note/)
    await assert.rejects(ops(market, 'dispute'), /a dispute or its task/)
    await assert.rejects(ops(market, 'dispute', 'task_x', 'reject', 'x'), {
      code: 'held_dispute_not_found',
    })

    assert.deepEqual(await paid(), [0])
  })
})
