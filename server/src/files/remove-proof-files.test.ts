import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { marketplace } from '../../test/harness.ts'
import { sweepEverywhere } from '../../test/run-sweep.ts'
import { filesOf } from './files.ts'
import { keptUntil, removeProofFiles } from './remove-proof-files.ts'
import { readyKey } from './store.ts'

const DAY = 86_400_000
const market = await marketplace()
const { store } = filesOf(market.server.config)
const run = () => sweepEverywhere(market, removeProofFiles)

async function taskWithPhoto(status: 'completed' | 'disputed' | 'proof_submitted') {
  const agent = await market.agent({ balanceCents: 5000, freeTasks: false })
  const task = await market.taskIn(agent, status, { proof_required: 'photo' })
  const [file] = await market.asOwner('select id from files where task_id = $1', [task.id])
  const fileId = file!.id as string
  return {
    agent,
    taskId: task.id as string,
    fileId,
    proof: async () => (await agent.get(`/tasks/${task.id}/proof`)).body.proofs[0],
    left: async () => ({
      bytes: (await store.size(readyKey(fileId))) !== undefined,
      row: (await market.asOwner('select 1 from files where id = $1', [fileId])).length > 0,
      hash:
        (await market.asOwner('select 1 from photo_hashes where file_id = $1', [fileId])).length >
        0,
    }),
  }
}

describe('files.remove-proof-files', () => {
  test('180 days after the end of a task its photos, rows and fingerprints go, and the proof says so', async () => {
    const { agent, taskId, proof, left } = await taskWithPhoto('completed')
    const shown = await proof()
    assert.equal(shown.photos.length, 1)
    assert.equal(shown.files_removed_at, null)

    market.advance(179 * DAY)
    await run()
    assert.deepEqual(await left(), { bytes: true, row: true, hash: true })
    market.advance(DAY)
    const at = market.now().toISOString()
    await run()

    assert.deepEqual(await left(), { bytes: false, row: false, hash: false })
    const after = await proof()
    assert.deepEqual([after.photos, after.media, after.files_removed_at], [[], [], at])
    assert.deepEqual(Object.keys(after), Object.keys(shown))
    assert.deepEqual([after.text, after.checks], [shown.text, shown.checks])
    const { status, body } = await agent.get(`/tasks/${taskId}`)
    assert.equal(status, 200)
    assert.deepEqual(body.task.proofs[0].media, [])
  })

  test('stay while the task is open, and while an appeal or a chargeback waits for a decision', async () => {
    const open = await taskWithPhoto('proof_submitted')
    const charged = await taskWithPhoto('completed')
    await market.asOwner(
      `insert into chargebacks (id, deposit_id, agent_id, amount_cents, reason, status, created_at, updated_at)
       values ('dp_1', 'txn_x', $1, 100, 'fraudulent', 'under_review', now(), now())`,
      [charged.agent.id],
    )
    await market.asOwner(
      `update tasks set review_due_at = review_due_at + interval '900 days' where id = $1`,
      [open.taskId],
    )

    market.advance(400 * DAY)
    await run()

    for (const { left } of [open, charged])
      assert.deepEqual(await left(), { bytes: true, row: true, hash: true })
    await market.asOwner(`update chargebacks set status = 'won'`)
    market.advance(DAY)
    await run()
    assert.deepEqual(await charged.left(), { bytes: false, row: false, hash: false })
    await market.asOwner('delete from chargebacks')
  })

  test('a pass that was interrupted after the bytes were removed is finished by the next', async () => {
    const { fileId, proof, left } = await taskWithPhoto('completed')
    await store.remove(readyKey(fileId))

    market.advance(181 * DAY)
    await run()
    await run()

    assert.deepEqual(await left(), { bytes: false, row: false, hash: false })
    assert.deepEqual((await proof()).photos, [])
  })
})

test('keptUntil: the retention counts from the end of the task', () => {
  const now = new Date('2030-01-01T00:00:00Z')
  const days = (count: number) => new Date(now.getTime() + count * DAY)
  const until = (ended_at: Date | null, is_needed = false) =>
    keptUntil({ ended_at, is_needed }, { config: { PROOF_KEEP_DAYS: 180 }, now })

  assert.deepEqual(until(null), days(1))
  assert.deepEqual(until(days(-10)), days(170))
  assert.deepEqual(until(days(-179.5)), days(0.5))
  assert.equal(until(days(-180)), null)
  assert.deepEqual(until(days(-500), true), days(1))
})
