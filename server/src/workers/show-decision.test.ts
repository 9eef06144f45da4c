import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { objectBy, shutOut } from '../../test/decisions.ts'
import { marketplace } from '../../test/harness.ts'
import { ops } from '../../test/ops.ts'

const market = await marketplace({ mail: true })
const show = (token: string) => market.call('GET', `/worker/objections?token=${token}`)

describe('GET /worker/objections', () => {
  test('200: the reason, the tasks, the duration, and the objection with its result', async () => {
    const agent = await market.agent({ balanceCents: 5000, freeTasks: false })
    const task = await market.taskIn(agent, 'proof_submitted', { title: 'Photograph the shelf' })
    const worker = task.workers[0]!
    const { token, decision } = await shutOut(market, worker, 'suspend', '--tasks', task.id)

    const first = await show(token)
    await objectBy(market, token)
    const waiting = await show(token)
    await ops(market, 'objection', worker.id, 'uphold', 'We looked')
    const replied = await show(token)

    assert.deepEqual(first.body.decision, {
      kind: 'suspended',
      reason: 'Photos of others',
      tasks: [{ id: task.id, title: 'Photograph the shelf' }],
      decided_at: decision.decided_at.toISOString(),
      ends_at: decision.ends_at!.toISOString(),
      ended_at: null,
      objected_at: null,
      reply_by: null,
      reply: null,
      reply_note: null,
    })
    assert.equal(waiting.body.decision.objected_at, market.now().toISOString())
    assert.deepEqual(
      [replied.body.decision.reply, replied.body.decision.reply_note],
      ['upheld', 'We looked'],
    )
  })

  test('400 for an unknown link', async () => {
    const { status, body } = await show('x'.repeat(43))

    assert.deepEqual([status, body.code], [400, 'invalid_mail_link'])
  })

  test('only the hash of the token is stored', async () => {
    const { token } = await shutOut(market, await market.worker(), 'close')

    const rows = await market.asOwner('select l::text from objection_links l')

    assert(rows.length > 0)
    assert(rows.every(({ l }) => !(l as string).includes(token)))
  })
})
