import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { marketplace } from '../../test/harness.ts'
import type { SwitchName } from '../kit/switches.ts'
import {
  copySwitches,
  followSwitches,
  type MoneySwitch,
  readSwitches,
  turnSwitch,
} from './switches.ts'

const market = await marketplace()

const { shards } = market.server.db

async function turn(name: SwitchName, isOn: boolean) {
  await shards.global.transaction((tx) =>
    turnSwitch(tx, { name, isOn, reason: 'a test', operator: 'ada', now: market.now() }),
  )
  await copySwitches(shards)
}
const follow = (off: Partial<Record<MoneySwitch, string>>) =>
  shards.global.transaction((tx) => followSwitches(tx, { off, now: market.now() }))
const state = async (name: SwitchName) =>
  (await readSwitches(shards.global.reader)).find((one) => one.name === name)!

describe('a switch', () => {
  test('is turned once by reconciliation, and keeps its time if only the reason changes', async () => {
    const first = await follow({ payouts: '$1.00 is unexplained' })
    const since = market.now()
    market.advance(60_000)
    const second = await follow({ payouts: '$2.00 are unexplained' })
    const { reason, changed_at } = await state('payouts')
    const third = await follow({})

    assert.deepEqual(
      first.map(({ name, is_on }) => [name, is_on]),
      [['payouts', false]],
    )
    assert.deepEqual(second, [])
    assert.deepEqual([reason, changed_at], ['$2.00 are unexplained', since])
    assert.deepEqual(
      third.map(({ name, is_on, reason }) => [name, is_on, reason]),
      [['payouts', true, null]],
    )
  })

  test('that an operator has turned off is not changed', async () => {
    await turn('withdrawals', false)

    const turned = [...(await follow({})), ...(await follow({ withdrawals: 'another reason' }))]

    const { is_on, reason, set_by } = await state('withdrawals')
    assert.deepEqual(turned, [])
    assert.deepEqual([is_on, reason, set_by], [false, 'a test', 'ada'])
    await turn('withdrawals', true)
    assert.equal((await state('withdrawals')).set_by, 'reconciliation')
  })
})

describe('while free tasks are switched off', () => {
  const task = { description: 'Look', budget_cents: 500 }
  const freeTasksOf = async (agentId: string) => {
    const [row] = await market.asOwner(
      'select free_tasks_remaining as free from ledger_agents where agent_id = $1',
      [agentId],
    )
    return row!.free as number
  }

  test('the wallet pays, and no free task is used; afterwards they are available again', async () => {
    const agent = await market.agent({ balanceCents: 1200 })
    await turn('free_tasks', false)

    const off = await agent.post('/tasks', task)
    const left = await freeTasksOf(agent.id)
    await turn('free_tasks', true)
    const on = await agent.post('/tasks', task)

    assert.deepEqual([off.body.task.funding, on.body.task.funding], ['wallet', 'free'])
    assert.equal(left, 3)
    assert.equal(await freeTasksOf(agent.id), 2)
    assert.equal(await market.balance(agent.id), 700)
  })

  test('402: an empty wallet pays for nothing', async () => {
    const agent = await market.agent()
    await turn('free_tasks', false)

    const { status, body } = await agent.post('/tasks', task)
    await turn('free_tasks', true)

    assert.deepEqual([status, body.code], [402, 'insufficient_funds'])
    assert.equal(await freeTasksOf(agent.id), 3)
  })

  test('a batch of many agents is handled the same way, and test mode stays free', async () => {
    const agents = await Promise.all(
      Array.from({ length: 6 }, (_, i) => market.agent({ balanceCents: i % 2 === 0 ? 1000 : 0 })),
    )
    await turn('free_tasks', false)

    const live = await Promise.all(agents.map((agent) => agent.post('/tasks', task)))
    const test = await Promise.all(agents.map((agent) => agent.test.post('/tasks', task)))
    await turn('free_tasks', true)

    assert.deepEqual(
      live.map(({ status, body }) => body.task?.funding ?? status),
      ['wallet', 402, 'wallet', 402, 'wallet', 402],
    )
    assert.deepEqual(new Set(test.map(({ status }) => status)), new Set([201]))
    const [agent] = agents
    const [row] = await market.asOwner(
      `select funding from tasks where mode = 'test' and agent_id <> $1 limit 1`,
      [agent!.id],
    )
    assert.equal(row!.funding, test[0]!.body.task.funding)
  })

  test('a task above the free limit is paid as always', async () => {
    const agent = await market.agent({ balanceCents: 5000 })
    await turn('free_tasks', false)

    const { body } = await agent.post('/tasks', { ...task, budget_cents: 2500 })
    await turn('free_tasks', true)

    assert.equal(body.task.funding, 'wallet')
  })
})
