import assert from 'node:assert/strict'
import { test } from 'node:test'
import { marketplace, PHOTO } from '../../test/harness.ts'
import { forgetWorker } from './forget-worker.ts'

const market = await marketplace()

test('photos of a closed account lose fingerprints, original data and exact places; others keep them', async () => {
  const agent = await market.agent({ balanceCents: 5000, freeTasks: false })
  const prove = async () => {
    const worker = await market.worker()
    const task = { description: 'Look', budget_cents: 500, proof_required: 'photo' }
    const { body } = await agent.post('/tasks', task)
    await worker.post(`/worker/tasks/${body.task.id}/accept`)
    const proof = { photos: [PHOTO], location: { lat: 52.5163, lng: 13.3777 } }
    const { status, text } = await worker.post(`/worker/tasks/${body.task.id}/proof`, proof)
    assert.equal(status, 201, text)
    return { workerId: worker.id, taskId: body.task.id as string }
  }
  const [closed, other] = [await prove(), await prove()]
  const of = (workerId: string) =>
    market.asOwner(
      `select f.sha256 <> 'erased' and f.stored_sha256 is not null as file, f.evidence is not null as evidence,
              p.location is not null as location, p.area is not null as area,
              exists (select 1 from photo_hashes h where h.file_id = f.id) as hash
         from files f join proofs p on p.id = f.proof_id where f.worker_id = $1`,
      [workerId],
    )
  const whole = { file: true, evidence: true, location: true, area: false, hash: true }
  assert.deepEqual(await of(closed.workerId), [whole])

  for (const _ of ['once', 'again after a crash'])
    await forgetWorker.run({
      ...market.backgroundAt(closed.workerId),
      payload: { data: { id: closed.workerId } },
    })

  assert.deepEqual(await of(closed.workerId), [
    { file: false, evidence: false, location: false, area: true, hash: false },
  ])
  assert.deepEqual(await of(other.workerId), [whole])
  const { body } = await agent.get(`/tasks/${closed.taskId}/proof`)
  assert.equal(body.proofs[0].photos.length, 1)
})
