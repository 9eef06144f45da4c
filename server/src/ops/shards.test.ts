import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { marketplace } from '../../test/harness.ts'
import { ops } from '../../test/ops.ts'

const market = await marketplace()
const SCHEMA = market.server.db.shards.all[0]!.schema.name

describe('ops shards', () => {
  test('shows every schema with its logical shards and its last migration', async () => {
    const { out, isBad } = await ops(market, 'shards')

    assert.equal(isBad, false)
    assert.match(
      out,
      new RegExp(`^${SCHEMA} +main +shards 0–\\d+ +\\d+ MB +\\d{4}_\\w+\\.sql$`, 'm'),
    )
    const ends = [...out.matchAll(/shards (\d+)–(\d+)/g)].map(([, first, last]) => [first, last])
    assert.equal(ends.at(-1)![1], '4095')
  })

  test('exits with 1 if a schema lacks a migration', { skip: SCHEMA === 'public' }, async () => {
    const [row] = await market.asOwner(
      `delete from ${SCHEMA}.migrations where name = (select max(name) from ${SCHEMA}.migrations
        where name <> 'functions') returning *`,
    )

    const { out, isBad } = await ops(market, 'shards')

    assert.equal(isBad, true)
    assert.match(out, /next: server migrate/)
    await market.asOwner(
      `insert into ${SCHEMA}.migrations select ($1::jsonb->>'name'), ($1::jsonb->>'checksum')`,
      [JSON.stringify(row)],
    )
  })
})
