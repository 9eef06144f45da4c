import assert from 'node:assert/strict'
import { test } from 'node:test'
import { marketplace } from '../../test/harness.ts'
import { sweepEverywhere } from '../../test/run-sweep.ts'
import { coarsenLocations } from './coarsen-locations.ts'

const DAY = 86_400_000
const market = await marketplace()

test('30 days after a proof its exact location is replaced by a region, which the agent then sees', async () => {
  const agent = await market.agent({ balanceCents: 5000 })
  const worker = await market.worker()
  const { body } = await agent.post('/tasks', { description: 'Look', budget_cents: 500 })
  const { id } = body.task
  await worker.post(`/worker/tasks/${id}/accept`)
  const place = { lat: 52.5163, lng: -13.3777, accuracy_m: 12 }
  await worker.post(`/worker/tasks/${id}/proof`, { text: 'Done', location: place })
  const run = () => sweepEverywhere(market, coarsenLocations)
  const shown = async () => (await agent.get(`/tasks/${id}/proof`)).body.proofs[0].location
  const exact = await shown()

  market.advance(29 * DAY)
  await run()
  assert.deepEqual(await shown(), exact)
  market.advance(2 * DAY)
  await run()

  const region = await shown()
  assert.equal(region.accuracy_m, 110_000)
  assert(Math.abs(region.lat - place.lat) < 0.71 && Math.abs(region.lng - place.lng) < 0.71)
  const rows = await market.asOwner('select location, area::text from proofs')
  assert.equal(rows[0]!.location, null)
  assert.doesNotMatch(rows[0]!.area, /52\.51|13\.37/)
  await run()
  assert.deepEqual(await shown(), region)
})

test('places of one geohash cell have the same region', async () => {
  // u33 is the cell of Berlin: 52.03125..53.4375 north, 12.65625..14.0625 east.
  const home = market.server.db.shards.of(0).schema.name
  const regions = await market.asOwner(`
    select distinct ${home}.places_region_of(json_build_object('lat', lat, 'lng', lng))::text as region
      from (values (52.04, 12.66), (53.43, 14.06), (52.5163, 13.3777)) places(lat, lng)`)

  assert.deepEqual(
    regions.map(({ region }) => JSON.parse(region)),
    [{ lat: 52.734375, lng: 13.359375, accuracy_m: 110_000 }],
  )
})
