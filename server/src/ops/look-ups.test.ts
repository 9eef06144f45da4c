import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { marketplace } from '../../test/harness.ts'
import { ops } from '../../test/ops.ts'
import { completedBy, payableWorker } from '../../test/payouts.ts'

const market = await marketplace()
const DAY = 86_400_000

describe('ops agent', () => {
  test('shows an agent by id or by email, which is masked by default', async () => {
    const agent = await market.agent({ balanceCents: 5000, freeTasks: false })
    await market.taskIn(agent, 'proof_submitted', { budget_cents: 700 })
    await ops(market, 'agent', 'restrict', agent.id, 'x')

    const byId = await ops(market, 'agent', agent.id)
    const byEmail = await ops(market, 'agent', agent.email.toUpperCase(), '--email')

    assert.match(byId.out, /wallet +\$43\.00\n/)
    assert.match(byId.out, /tasks proof_submitted +1, \$7\.00 in escrow/)
    assert.match(byId.out, new RegExp(`next: {2}ops agent free ${agent.id} REASON`))
    assert(!byId.out.includes(agent.email))
    assert(byEmail.out.includes(agent.email))
    assert(!byEmail.out.includes('whsec_'))
  })

  test('is recorded with the id, and without the email that was searched for', async () => {
    const agent = await market.agent()

    await ops(market, 'agent', agent.email)
    const unknown = await ops(market, 'agent', 'nobody@example.com')

    assert.deepEqual([unknown.out, unknown.isBad], ['This agent does not exist', true])
    const rows = await market.asOwner(
      `select words, outcome, answer from operator_actions where command = 'agent' order by id desc limit 2`,
    )
    assert.deepEqual(rows, [
      { words: ['nobody'], outcome: 'refused', answer: null },
      { words: [agent.id], outcome: 'done', answer: null },
    ])
  })
})

describe('ops worker', () => {
  test('shows account, track record, slots and decisions, and how to end a suspension', async () => {
    const agent = await market.agent({ balanceCents: 5000, freeTasks: false })
    const { id, workers } = await market.taskIn(agent, 'proof_submitted')
    const person = workers[0]!

    const before = await ops(market, 'worker', person.id)
    await ops(market, 'worker', 'suspend', person.id, 'Photos of others')
    const after = await ops(market, 'worker', person.email)
    const json = await ops(market, 'worker', person.id, '--json')

    assert.match(before.out, /status +active\n/)
    assert.match(before.out, new RegExp(`slot +${id}, submitted`))
    assert.match(before.out, /Waiting for: none/)
    assert.match(after.out, /status +suspended\n/)
    assert.match(after.out, /decision +wdn_\w+, suspended by ada on .*: Photos of others/)
    assert.match(after.out, /until: .* UTC, in (29|30) days/)
    assert.match(after.out, new RegExp(`next: {2}ops worker reinstate ${person.id} REASON`))
    assert(!/password|session_version/.test(json.out))
    assert.equal((JSON.parse(json.out) as { worker: { id: string } }).worker.id, person.id)
  })

  test('prints a sentence for an unknown worker, and exits with 1', async () => {
    const said = await ops(market, 'worker', 'worker_nobody')

    assert.deepEqual([said.out, said.isBad], ['This worker does not exist', true])
  })
})

describe('ops task', () => {
  test('shows state, money and slots, and the review deadline', async () => {
    const agent = await market.agent({ balanceCents: 5000, freeTasks: false })
    const { id, workers } = await market.taskIn(agent, 'proof_submitted', { title: 'Look here' })

    const { out } = await ops(market, 'task', id)
    const unknown = await ops(market, 'task', 'task_nothing')

    assert.match(out, /title +Look here\n/)
    assert.match(out, /budget +\$25\.00, \$25\.00 in escrow/)
    assert.match(out, new RegExp(`slot +${workers[0]!.id}, submitted`))
    assert.match(out, /the agent is reviewing it; it is approved automatically\n +until: /)
    assert.deepEqual([unknown.out, unknown.isBad], ['Task task_nothing does not exist', true])
  })

  test('shows a report and the command that decides it', async () => {
    const agent = await market.agent({ balanceCents: 5000, freeTasks: false })
    const { id } = await market.taskIn(agent, 'pending')
    const worker = await market.worker({ approvals: 100 })
    const told = await worker.post(`/worker/tasks/${id}/report`, { kind: 'scam' })
    assert.equal(told.status, 200, told.text)

    const { out } = await ops(market, 'task', id)

    assert.match(out, /report +scam, waits/)
    assert.match(out, new RegExp(`next: {2}ops report ${id} clear \\| uphold REASON`))
  })
})

test('ops payouts prints the total if it cannot show all', async () => {
  const one = await marketplace({ processor: true, settings: { LOG_LEVEL: 'silent' } })
  const agent = await one.agent({ balanceCents: 1000, freeTasks: false })
  await completedBy(agent, [await one.worker({ approvals: 100 })])
  await one.settle()
  await one.asOwner(`
    insert into payouts select (r).* from (
      select jsonb_populate_record(p, jsonb_build_object(
        'id', left(p.id, 26) || lpad(n::text, 3, '0'), 'task_id', p.task_id || n)) as r
        from payouts p, generate_series(1, 204) n) made`)

  const { out } = await ops(one, 'payouts')

  assert.match(out, /^205 payouts, \$[\d,.]+; the first 200 are listed\n/)
})

test('ops payouts held lists reason, deadline and command; ops payout shows one', async () => {
  const books = await marketplace({
    processor: true,
    settings: { LOG_LEVEL: 'silent', HOLD_HOURS_NEW: 72, HOLD_HOURS: 72 },
  })
  await books.sandbox.control('POST', 'topups', { amount: 10_000 })
  const agent = await books.agent({ freeTasks: false })
  await books.deposit(agent, 5000)
  const worker = await payableWorker(books)
  await completedBy(agent, [worker])
  await books.settle()

  const held = await ops(books, 'payouts', 'held')
  const [row] = await books.asOwner('select id, task_id from payouts')
  const id = row!.id as string
  const task = await ops(books, 'task', row!.task_id as string)
  const one = await ops(books, 'payout', id)
  books.advance(4 * DAY)
  await books.settle()
  const later = await ops(books, 'payouts', 'held')
  const paid = await ops(books, 'payout', id)

  assert.match(held.out, /1 payout, \$8\.20\n/)
  assert.match(held.out, new RegExp(`${id}, \\$8\\.20 is held: the agent’s deposit may still be`))
  assert.match(held.out, /until: .* UTC, in (?:\d+ h|\d days)\n/)
  assert.match(held.out, new RegExp(`next: {2}ops payout release ${id} REASON`))
  assert.match(held.out, new RegExp(`since: .*${worker.id}`))
  assert.match(task.out, new RegExp(`${id}, \\$8\\.20 is held: the agent’s deposit`))
  assert.match(one.out, /status +held: the agent’s deposit/)
  assert.equal(later.out, 'No payouts are waiting.')
  assert.match(paid.out, /status +paid\n/)
  assert.match(paid.out, /Waiting for: none/)
  await assert.rejects(ops(books, 'payouts', 'paid'), /The only filter is `held`/)
  assert.equal((await ops(books, 'payout', 'po_nothing')).isBad, true)
})
