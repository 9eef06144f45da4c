import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { marketplace } from '../../test/harness.ts'
import { TARGET_CAPS } from '../../test/targets/caps.ts'

const market = await marketplace({ settings: TARGET_CAPS })
const DAY = 86_400_000
let numbers = 0

/** A number that no other test calls. */
function newNumber(): string {
  numbers += 1
  return `+49301234${String(numbers).padStart(4, '0')}`
}
const rich = () => market.agent({ freeTasks: false, balanceCents: 100_000 })
type Agent = Awaited<ReturnType<typeof rich>>
const ask = (agent: Agent, number: string, headers?: Record<string, string>) =>
  agent.post('/call', { description: 'Ask for the hours', number }, headers)

/** Fills the cap of a number, each task by an agent of its own. */
async function fill(number: string): Promise<void> {
  for (let i = 0; i < 5; i += 1) assert.equal((await ask(await rich(), number)).status, 201)
}

describe('caps on targets', () => {
  test('403: the sixth call to a number in a day, of whatever agent; nothing is charged', async () => {
    const number = newNumber()
    await fill(number)
    const agent = await rich()
    market.advance(DAY / 2)

    const { status, body } = await ask(agent, `${number} x7`)

    assert.equal(status, 403)
    assert.equal(body.code, 'target_protected')
    assert.deepEqual(
      [body.target, body.cap, body.window_hours, body.retry_after_seconds],
      ['phone', 5, 24, DAY / 2000],
    )
    assert.equal(await market.balance(agent.id), 100_000)
    market.advance(DAY / 2)
    assert.equal((await ask(agent, number)).status, 201)
  })

  test('403: the eleventh task about a person in 30 days', async () => {
    const agent = await rich()
    const body = {
      situation: 'They wait',
      person: { contact: 'kim@corner-shop.com' },
      budget_cents: 100,
    }
    for (let i = 0; i < 10; i += 1) {
      assert.equal((await agent.post('/escalate', body)).status, 201)
      market.advance(DAY / 2)
    }

    const refused = await agent.post('/escalate', body)

    assert.equal(refused.status, 403)
    assert.deepEqual([refused.body.cap, refused.body.window_hours], [10, 720])
  })

  test('403: the 51st task at an address in a day, and nothing about other addresses', async () => {
    const agent = await rich()
    const visit = (location: string) =>
      agent.post('/verify', { question: 'Is it open?', location, budget_cents: 100 })
    for (let i = 0; i < 50; i += 1)
      assert.equal((await visit('77 Long Street, Springfield')).status, 201)

    const refused = await visit('77 long st. Springfield')

    assert.equal(refused.status, 403)
    assert.equal(refused.body.target, 'place')
    assert.equal((await visit('78 Long Street, Springfield')).status, 201)
    assert.equal((await visit('Springfield')).status, 201)
  })

  test('a retry gets the first response, the task or the refusal', async () => {
    const number = newNumber()
    const [agent, late] = [await rich(), await rich()]
    const first = await ask(agent, number, { 'idempotency-key': 'first' })
    for (let i = 0; i < 4; i += 1) await ask(agent, number)
    const refused = await ask(late, number, { 'idempotency-key': 'late' })
    market.advance(2 * DAY)

    const again = await ask(agent, number, { 'idempotency-key': 'first' })
    const lateAgain = await ask(late, number, { 'idempotency-key': 'late' })

    assert.equal(refused.status, 403)
    assert.equal(again.text, first.text)
    assert.equal(lateAgain.text, refused.text)
  })

  test('a retry of a created task gets it while the cap is reached, too', async () => {
    const number = newNumber()
    const agent = await rich()
    const first = await ask(agent, number, { 'idempotency-key': 'mine' })
    for (let i = 0; i < 4; i += 1) await ask(agent, number)

    const again = await ask(agent, number, { 'idempotency-key': 'mine' })

    assert.equal(again.status, 201)
    assert.equal(again.text, first.text)
  })

  test('a task that is not created is not counted', async () => {
    const number = newNumber()
    const poor = await market.agent({ freeTasks: false, balanceCents: 0 })

    for (let i = 0; i < 6; i += 1) assert.equal((await ask(poor as Agent, number)).status, 402)

    await fill(number)
  })

  test('a task for five workers counts once', async () => {
    const number = newNumber()
    const agent = await rich()

    for (let i = 0; i < 5; i += 1) {
      const body = { description: 'Ask for the hours', number, consensus: 5 }
      assert.equal((await agent.post('/call', body)).status, 201)
    }

    assert.equal((await ask(agent, number)).status, 403)
  })

  test('numbers of films and examples, and test mode, have no cap', async () => {
    const agent = await rich()
    const number = newNumber()

    for (let i = 0; i < 7; i += 1) {
      assert.equal((await ask(agent, '+1-555-0123')).status, 201)
      assert.equal((await agent.test.post('/call', { description: 'Ask', number })).status, 201)
    }
  })

  test('no table has the number', async () => {
    const number = newNumber()
    const { body } = await ask(await rich(), number)

    const rows = await market.asOwner('select * from target_uses where task_id = $1', [
      body.task.id,
    ])

    assert.equal(rows.length, 1)
    assert.match(rows[0]!.target as string, /^[\w-]{43}$/)
    assert(!JSON.stringify(rows).includes(number.slice(3)))
  })
})
