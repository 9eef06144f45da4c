import assert from 'node:assert/strict'
import { test } from 'node:test'
import { marketplace } from '../../test/harness.ts'
import { filesOf } from './files.ts'

const market = await marketplace()

test('the photos of all scripted workers are one stored file, and each proof shows it', async () => {
  const { test: agent } = await market.agent()
  const ids: string[] = []
  for (let i = 0; i < 2; i += 1) {
    const { body } = await agent.post('/tasks', {
      description: 'Look',
      budget_cents: 100,
      consensus_count: 3,
      proof_required: 'photo',
    })
    ids.push(body.task.id as string)
  }

  assert.equal((await agent.post('/test/clock/advance', { by: '1m' })).status, 200)

  const rows = await market.asOwner('select store_key, bytes, status from files')
  assert.equal(rows.length, 6)
  assert.deepEqual([...new Set(rows.map(({ status }) => status))], ['ready'])
  const keys = new Set(rows.map(({ store_key }) => store_key as string))
  assert.equal(keys.size, 1)
  const { store } = filesOf(market.server.config)
  assert.equal(await store.size([...keys][0]!), Number(rows[0]!.bytes))
  const photos: string[] = []
  for (const id of ids)
    for (const proof of (await agent.get(`/tasks/${id}/proof`)).body.proofs)
      photos.push(...(proof.photos as string[]))
  assert.equal(photos.length, 6)
  assert.equal(new Set(photos).size, 1)
  assert.match(photos[0]!, /^data:image\/jpeg;base64,/)
  const linked = (await agent.get(`/tasks/${ids[0]}/proof?media=url`)).body.proofs[0].media[0]
  const { pathname, search } = new URL(linked.url as string)
  const shown = await fetch(new URL(pathname + search, market.server.addresses.api))
  assert.equal((await shown.bytes()).length, Number(rows[0]!.bytes))
})
