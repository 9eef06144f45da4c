import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { marketplace, PHOTO } from '../../test/harness.ts'
import { ops } from '../../test/ops.ts'

const market = await marketplace()

/** A task that was disputed and appealed, with the agent's reply. */
async function answered({ spend = 0 } = {}) {
  const agent = await market.agent({ balanceCents: 2500, freeTasks: false })
  const task = await market.taskIn(agent, 'in_progress', {
    description: 'Photograph the sign\nof the shop',
    proof_required: 'photo',
    criteria: [{ id: 'sharp', text: 'Every line can be read' }],
  })
  const worker = task.workers[0]!
  const proof = { text: 'Here it is \u001b[2J', photos: [PHOTO] }
  await worker.post(`/worker/tasks/${task.id}/proof`, proof)
  const reason = { reason: 'Not readable', category: 'unreadable', criteria: ['sharp'] }
  await agent.post(`/tasks/${task.id}/dispute`, reason)
  if (spend > 0) await agent.post('/tasks', { description: 'Look', budget_cents: spend })
  await worker.post(`/worker/tasks/${task.id}/appeal`, { statement: 'It is, when you zoom in' })
  await agent.post(`/tasks/${task.id}/dispute/answer`, { statement: 'The last line is not' })
  return { agent, task, worker }
}

describe('server ops appeals', () => {
  test('says that there is nothing to do', async () => {
    const { out, isBad } = await ops(market, 'appeals')

    assert.deepEqual(
      [out.split('\n')[0], isBad],
      ['0 appeals to decide, 0 appeals the agent can still reply to', false],
    )
  })

  test('shows the task, the proof, both sides, and the money and trust of each ruling', async () => {
    const { agent, task } = await answered({ spend: 2000 })

    const { out, isBad } = await ops(market, 'appeals')

    const { appeals } = (await agent.get(`/tasks/${task.id}`)).body.task.dispute
    assert.equal(isBad, true, 'action is needed')
    for (const part of [
      '1 appeal to decide',
      `${appeals[0].id} of ${task.id}`,
      'asked      custom, proof by photo: Photograph the sign of the shop',
      '- Every line can be read (not met according to the agent)',
      'delivered  done: Here it is [2J',
      'agent      unreadable: Not readable',
      'worker     It is, when you zoom in',
      'agent      The last line is not',
      'overturned worker $20.50, agent -$25.00 ($20.00 of it as a debt), the fund keeps $4.50; ',
      'the dispute no longer counts, the work counts as approved',
      'split      worker $10.25, agent -$12.50 ($7.50 of it as a debt), the fund keeps $2.25; ',
      'upheld     no money moves; the dispute still counts',
      `ops appeal ${appeals[0].id}`,
    ])
      assert(out.includes(part), `${part}\n${out}`)
    assert(!out.includes('\u001b'), 'no terminal escapes')
    const link = /file +(\S+)/.exec(out)![1]!
    const { pathname, search } = new URL(link)
    const photo = await fetch(new URL(pathname + search, market.server.addresses.api!))
    assert.deepEqual([photo.status, photo.headers.get('content-type')], [200, 'image/jpeg'])
    const json = JSON.parse((await ops(market, 'appeals', '--json')).out) as {
      to_rule_count: number
    }
    assert.equal(json.to_rule_count, 1)
    await ops(market, 'appeal', task.id, 'upheld', 'It can not be read')
    assert.equal((await ops(market, 'appeals')).isBad, false)
  })
})

describe('server ops appeal', () => {
  test('rules as shown, with a note for the worker, and records the operator', async () => {
    const { agent, task, worker } = await answered()

    const { out } = await ops(market, 'appeal', task.id, 'overturned', 'Readable', 'at', '200 %')

    assert.match(out, new RegExp(`^apl_\\w+ of ${task.id} is overturned$`))
    assert.deepEqual([await market.balance(agent.id), await market.payable(worker.id)], [0, 2050])
    const { dispute } = (await worker.get(`/worker/tasks/${task.id}`)).body
    assert.equal(dispute.appeal.ruling_note, 'Readable at 200 %')
    const [kept] = await market.asOwner(
      `select operator, outcome from operator_actions where command = 'appeal' order by id desc limit 1`,
    )
    assert.deepEqual(kept, { operator: 'ada', outcome: 'done' })
  })

  test('is refused without a note, for an unknown verdict, and the second time', async () => {
    const { task, worker } = await answered()

    await assert.rejects(ops(market, 'appeal', task.id, 'upheld'), /Give a note for the worker/)
    await assert.rejects(
      ops(market, 'appeal', task.id, 'perhaps', 'x'),
      /The ruling must be one of upheld/,
    )
    await ops(market, 'appeal', task.id, 'upheld', 'No')
    await assert.rejects(ops(market, 'appeal', task.id, 'overturned', 'Yes'), {
      code: 'appeal_ruled',
    })

    assert.equal(await market.payable(worker.id), 0)
  })
})
