import assert from 'node:assert/strict'
import { test } from 'node:test'
import { marketplace } from '../../test/harness.ts'
import { showWebhookGauges } from './gauges.ts'

const market = await marketplace()

test('the gauges show the delivery delay and the number of failing receivers', async () => {
  const [late, failing, disabled] = await Promise.all([1, 2, 3].map(() => market.agent()))
  await market.asOwner(
    `insert into webhook_lanes (id, agent_id, due_at, failing_since, disabled_at, disabled_for)
     values ($1, $1, $4::timestamptz, null, null, null), ($2, $2, $5, $4, null, null),
            ($3, $3, null, $4, $4, 'gone')`,
    [late!.id, failing!.id, disabled!.id, market.now(), new Date(market.now().getTime() + 60_000)],
  )
  market.advance(9000)

  await showWebhookGauges(market.background)

  const shown = await market.server.metrics.registry.metrics()
  assert.match(shown, /^legwork_webhook_late_seconds 9$/m)
  assert.match(shown, /^legwork_webhook_receivers\{state="failing"\} 1$/m)
  assert.match(shown, /^legwork_webhook_receivers\{state="disabled"\} 1$/m)
})
