import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { signIn } from '../../test/desk/sign-in.ts'
import { marketplace } from '../../test/harness.ts'
import { sweepEverywhere } from '../../test/run-sweep.ts'
import { lapseDecisions, lapseGlobalDecisions } from './lapse-decisions.ts'

const HOUR = 3_600_000
const market = await marketplace({ roles: ['api', 'desk'] })
// Sessions are shorter than the time that a proposal waits.
const admins = () => Promise.all([signIn(market, 'admin'), signIn(market, 'admin')])

async function lapse(): Promise<number> {
  return (
    (await sweepEverywhere(market, lapseDecisions)) +
    (await sweepEverywhere(market, lapseGlobalDecisions))
  )
}

const close = (worker: { id: string }) => ({
  kind: 'worker.close',
  subject: worker.id,
  input: { tasks: [] },
  reason: 'Photos of other people, again and again.',
  request_key: `close ${worker.id} ${market.now().getTime()}`,
})
const change = () => ({
  kind: 'limit.change',
  subject: 'payout.retry',
  input: { over_cents: 5000 },
  reason: 'We are few now.',
  request_key: `change ${market.now().getTime()}`,
})

describe('a decision that nobody agrees to', () => {
  for (const [name, propose] of [
    ['of a shard', async () => close(await market.worker())],
    ['of all shards', () => Promise.resolve(change())],
  ] as const)
    test(`${name} lapses at its deadline, and can be proposed again`, async () => {
      const [first] = await admins()
      const proposal = await propose()
      const { body } = await first.post('/decisions', proposal)
      const id = body.decision.decision_id as string
      market.advance(72 * HOUR - 1)
      assert.equal(await lapse(), 0)
      market.advance(1)

      assert.equal(await lapse(), 1)

      assert.equal(await lapse(), 0)
      const [again, other] = await admins()
      const { body: shown } = await other.get(`/decisions/${id}`)
      assert.equal(shown.decision.state, 'lapsed')
      const { body: log } = await other.get(`/audit-log?action=${proposal.kind}.lapse&limit=1`)
      assert.deepEqual([log.rows[0].subject, log.rows[0].operator.id], [proposal.subject, 'clock'])
      const renewed = await again.post('/decisions', { ...proposal, request_key: `again ${id}` })
      assert.equal(renewed.body.decision?.state, 'waiting', renewed.text)
      await again.post(`/decisions/${renewed.body.decision.decision_id}/withdraw`, {})
    })

  test('that was agreed to, declined or withdrawn in time does not lapse', async () => {
    const [first, second] = await admins()
    for (const [end, by] of [
      ['agree', second],
      ['decline', second],
      ['withdraw', first],
    ] as const) {
      const { body } = await first.post('/decisions', close(await market.worker()))
      const reason = end === 'decline' ? { reason: 'Not enough to close the account.' } : {}
      const ended = await by.post(`/decisions/${body.decision.decision_id}/${end}`, reason)
      assert.equal(ended.status, 200, ended.text)
    }
    market.advance(73 * HOUR)

    assert.equal(await lapse(), 0)
  })
})
