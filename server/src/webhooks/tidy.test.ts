import assert from 'node:assert/strict'
import { test } from 'node:test'
import { marketplace } from '../../test/harness.ts'
import { tidy } from './tidy.ts'

const market = await marketplace()
const DAY_MS = 86_400_000

test('deletes callback hosts that failed a month ago, and no others', async () => {
  const ago = (days: number) => new Date(market.now().getTime() - days * DAY_MS)
  await market.asOwner(
    `insert into webhook_lanes (id, agent_id, failing_since, due_at, disabled_at, disabled_for) values
       ('agent_a', 'agent_a', $1, null, null, null), ('agent_a old', 'agent_a', $1, null, null, null),
       ('agent_a young', 'agent_a', $2, null, null, null), ('agent_a waiting', 'agent_a', $1, $2, null, null),
       ('agent_a well', 'agent_a', null, null, null, null), ('agent_a disabled', 'agent_a', $1, null, $1, 'failing')`,
    [ago(31), ago(29)],
  )
  await market.asOwner(
    `insert into gone_callbacks (agent_id, url, gone_at) values ('agent_a', 'old', $1), ('agent_a', 'young', $2)`,
    [ago(31), ago(29)],
  )

  await market.runJob(tidy)

  const lanes = await market.asOwner('select id from webhook_lanes order by id')
  const gone = await market.asOwner('select url from gone_callbacks')
  assert.deepEqual(
    lanes.map(({ id }) => id),
    ['agent_a', 'agent_a disabled', 'agent_a waiting', 'agent_a well', 'agent_a young'],
  )
  assert.deepEqual(gone, [{ url: 'young' }])
})
