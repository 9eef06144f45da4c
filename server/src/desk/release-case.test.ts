import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { signIn } from '../../test/desk/sign-in.ts'
import { marketplace } from '../../test/harness.ts'
import { ops } from '../../test/ops.ts'
import { releaseEndedCases } from './release-case.ts'

const market = await marketplace({ roles: ['api', 'desk'] })
const HOUR = 3_600_000
// Operators' sessions end after hours, so cases are old from the beginning.
market.advance(-30 * HOUR)
const restricted = await market.agent()
const other = await market.agent()
await ops(market, 'agent', 'restrict', restricted.id, 'fraud')
{
  const early = await signIn(market, 'trust')
  for (const { id } of [restricted, other])
    await early.put(`/cases/${id}/assignment`, { operator_id: early.id })
}
market.advance(30 * HOUR)

const audited = (subject: string) =>
  market.asOwner('select action, operator_id from audit_log where subject = $1 order by seq', [
    subject,
  ])

describe('DELETE /cases/:id/assignment', () => {
  test('releases the case, once in the log', async () => {
    const agent = await market.agent()
    const tara = await signIn(market, 'trust')
    await tara.put(`/cases/${agent.id}/assignment`, { operator_id: tara.id })

    const replies = await Promise.all(
      [1, 2].map(() => tara.delete(`/cases/${agent.id}/assignment`)),
    )

    assert.deepEqual(
      replies.map(({ status, body }) => [status, body.assignment]),
      [
        [200, null],
        [200, null],
      ],
    )
    assert.deepEqual(
      (await audited(agent.id)).map(({ action }) => action),
      ['case.assign', 'case.release'],
    )
  })

  test('the clock releases a case that is in no queue any more, and keeps one that waits', async () => {
    const tara = await signIn(market, 'trust')

    await market.runJob(releaseEndedCases)

    const assignmentOf = async (id: string) =>
      (await tara.get(`/objects/${id}`)).body.object.assignment
    assert.notEqual(await assignmentOf(restricted.id), null)
    assert.equal(await assignmentOf(other.id), null)
  })
})
