import assert from 'node:assert/strict'
import { test } from 'node:test'
import { marketplace, PHOTO } from '../../test/harness.ts'
import { sweepEverywhere } from '../../test/run-sweep.ts'
import { filesOf } from './files.ts'
import { removeEnded } from './remove-ended.ts'
import { readyKey } from './store.ts'

const DAY_MS = 86_400_000
const market = await marketplace()

test('files of an ended test agent are removed half a day after its end; live ones stay', async () => {
  const task = { description: 'Look', budget_cents: 100, proof_required: 'photo' }
  const made = await market.call('POST', '/test/agents', { body: {} })
  const ended = market.client(made.body.agent.test_api_key as string)
  const { id } = (await ended.post('/tasks', { ...task, context: { sim: 'me' } })).body.task
  const { token } = (await ended.post('/test/workers', {})).body
  const worker = market.client(token as string)
  await worker.post(`/worker/tasks/${id}/accept`)
  const proof = await worker.post(`/worker/tasks/${id}/proof`, { photos: [PHOTO] })
  assert.equal(proof.status, 201, proof.text)
  const live = await market.agent({ balanceCents: 5000 })
  await market.taskIn(live, 'proof_submitted', { proof_required: 'photo' })
  const rows = () => market.asOwner('select id, task_id from files order by id')
  const [gone, kept] = (await rows()).toSorted((a) => (a.task_id === id ? -1 : 1))
  await market.asOwner(`update agents set status = 'closed', expires_at = $2 where id = $1`, [
    made.body.agent.id,
    market.now(),
  ])

  assert.equal(await sweepEverywhere(market, removeEnded), 0)
  market.advance(DAY_MS / 2)
  assert.equal(await sweepEverywhere(market, removeEnded), 1)

  assert.deepEqual(await rows(), [kept])
  const { store } = filesOf(market.server.config)
  assert.equal(await store.size(readyKey(gone!.id)), undefined)
  assert.notEqual(await store.size(readyKey(kept!.id)), undefined)
})
