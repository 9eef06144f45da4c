/**
 * Every row of every queue opens a page. The page says in which queue the record waits, and offers a decision, a thread
 * to answer, or a next step in words: no operator is left with a row that leads nowhere.
 */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { QUEUES } from '../../src/ops/queues.ts'
import { settleRefund } from '../../src/wallet/settle-refund.ts'
import { ops } from '../ops.ts'
import { setCases } from './cases.ts'
import { addCases } from './more-cases.ts'

const cases = await setCases()
const more = await addCases(cases)
const { market } = cases
const { ada } = cases.operators

interface Row {
  id: string
  kind: string
}
interface Page {
  id: string
  kind: string
  facts: { name: string; value: unknown }[]
  waits: { queue: string | null }[]
  choices: { label: string; kind: string; subject: string; input: object; fields: object[] }[]
  thread: unknown[] | null
  related: Row[]
  money: { type: string; amount_cents: number }[]
  linked: { how: string; id: string }[]
}

async function pageOf(id: string): Promise<Page> {
  const { status, body, text } = await ada.get(`/objects/${encodeURIComponent(id)}`)
  assert.equal(status, 200, `${id}: ${text}`)
  return body.object
}

async function rowsOf(queue: string): Promise<Row[]> {
  const { status, body, text } = await ada.get(`/queues/${queue}`)
  assert.equal(status, 200, `${queue}: ${text}`)
  return body.rows
}

const nextStep = ({ facts }: Page) => facts.find(({ name }) => name === 'Next step')?.value

// Read-only mode would stop the cases, so it is turned last.
await ops(market, 'switch', 'withdrawals', 'off', 'The bank asks us to wait.')
await ops(market, 'switch', 'read_only', 'on', 'The database is moved.')

describe('every queue', () => {
  for (const { name, kind } of QUEUES)
    test(`${name}: each row opens a page with something to do`, async () => {
      const rows = await rowsOf(name)

      assert(rows.length > 0, 'has no case')
      for (const { id } of rows.slice(0, 5)) {
        if (kind === 'decision') {
          assert.equal((await ada.get(`/decisions/${id}`)).status, 200, id)
          continue
        }
        const page = await pageOf(id)
        assert.equal(page.id, id)
        assert.equal(page.kind, kind)
        assert(
          page.waits.some(({ queue }) => queue === name),
          `${id} doesn't say that it waits in ${name}`,
        )
        assert(
          page.choices.length > 0 || page.thread !== null || typeof nextStep(page) === 'string',
          `${id} leads nowhere`,
        )
      }
    })
})

describe('the pages that they lead to', () => {
  test('exist for every related record, and each choice without fields can be previewed', async () => {
    const queues = await Promise.all(QUEUES.map(async ({ name }) => await rowsOf(name)))
    const seen = new Set<string>()
    for (const { id, kind } of queues.flat()) {
      if (kind === 'decision' || seen.has(id)) continue
      seen.add(id)
      const page = await pageOf(id)
      for (const { kind: decision, subject, input, fields, label } of page.choices) {
        if (fields.length > 0) continue
        const body = { kind: decision, subject, input }
        const { status, text } = await ada.post('/decisions/preview', body)
        assert.equal(status, 200, `${id}: ${label}: ${text}`)
      }
      for (const one of page.related) {
        if (seen.has(one.id)) continue
        seen.add(one.id)
        const found = await pageOf(one.id)
        assert.equal(found.kind, one.kind, `${id} → ${one.id}`)
      }
    }
    assert(seen.size > 50, `${seen.size} pages`)
  })

  test('name the processor’s reference of a chargeback, and what to send', async () => {
    const page = await pageOf(more.chargeback)

    assert.equal(
      nextStep(page),
      `Send evidence in the processor’s dashboard, under ${more.chargeback}: the payment, and the tasks that it paid for.`,
    )
    assert(page.related.some(({ kind }) => kind === 'task'))
    assert.deepEqual(
      page.choices.map(({ label }) => label),
      ['Free the agent', 'Restrict the agent'],
    )
  })

  test('resolve the money of a deposit that doesn’t match its order', async () => {
    const page = await pageOf(more.mismatched)

    assert.deepEqual(
      page.choices.map(({ label }) => label),
      ['Give it to an agent', 'Send it back to the payer', 'Book it as our own'],
    )
    assert(
      page.money.some(
        ({ type, amount_cents }) => type === 'unmatched_receipt' && amount_cents === 2500,
      ),
    )
  })

  test('link the worker who farmed free tasks to the agents with the same inbox', async () => {
    const { farm } = cases
    const { linked } = await pageOf(farm.worker.id)

    assert.deepEqual(
      new Set(linked.filter(({ how }) => how === 'inbox').map(({ id }) => id)),
      new Set(farm.agents.map(({ id }) => id)),
    )
  })

  test('offer a failed refund again, with its amount', async () => {
    const [row] = await market.asOwner('select processor_refund_id from refunds where id = $1', [
      more.refund,
    ])
    await market.sandbox.control('POST', `refunds/${row!.processor_refund_id}/fail`)
    await settleRefund(market.background, String(row!.processor_refund_id))

    const page = await pageOf(more.refund)

    assert.deepEqual(
      page.choices.map(({ label, input }) => [label, input]),
      [['Refund the amount again', { amount_cents: 1000 }]],
    )
    assert.match(String(nextStep(page)), /in the wallet again/)
  })
})
