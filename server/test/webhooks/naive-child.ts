/** Delivers in a way that loses events: removes what is to be sent first, and sometimes dies in between. */
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { Webhook } from 'standardwebhooks'
import { openDb } from '../../src/kit/db.ts'
import { readSecret } from '../../src/kit/secrets.ts'
import { type EventRow, renderEvent } from '../../src/webhooks/event-view.ts'
import { takeEvents } from '../../src/webhooks/take-events.ts'

const AT_ONCE = 5
const DIES_AFTER = 2

interface Row extends EventRow {
  agent_id: string
  webhook_url: string
  webhook_secret: string
}

// Exit when the test process dies.
process.once('disconnect', () => process.exit())
const { DATABASE_URL, WEBHOOK_SECRET_KEYS = '' } = process.env
const db = openDb(DATABASE_URL!, { onError() {} })
process.send?.('ready')
for (let batches = 0; ; ) {
  await db.transaction((tx) => takeEvents(tx, 500, { now: new Date() }))
  const { rows } = await sql<Row>`
    with due as (
      delete from deliveries where event_id in (select event_id from deliveries limit ${AT_ONCE} for update)
      returning event_id, event_at
    )
    select e.id, e.type, e.created_at, e.sequence, e.data, a.id as agent_id, a.webhook_url,
           a.webhook_secret
      from due join events e on e.id = event_id and e.created_at = event_at join agents a on a.id = e.agent_id
    `.execute(db.reader)
  if (rows.length > 0) batches += 1
  if (batches === DIES_AFTER) process.kill(process.pid, 'SIGKILL')
  await Promise.all(rows.map(send))
  await sleep(20)
}

async function send(row: Row): Promise<void> {
  const body = renderEvent(row)
  const keys = WEBHOOK_SECRET_KEYS.split(',')
  const secret = readSecret(row.webhook_secret, { keys, owner: row.agent_id })
  const at = new Date()
  await fetch(row.webhook_url, {
    method: 'POST',
    headers: {
      'webhook-id': row.id,
      'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
      'webhook-signature': new Webhook(secret).sign(row.id, at, body),
    },
    body,
  })
}
