import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { signIn } from '../../test/desk/sign-in.ts'
import { marketplace } from '../../test/harness.ts'
import { sweepEverywhere } from '../../test/run-sweep.ts'
import { resumeDecisions, resumeGlobalDecisions } from './resume-decisions.ts'

const MINUTE = 60_000
const market = await marketplace({ roles: ['api', 'desk'], settings: { LOG_LEVEL: 'silent' } })
const admin = await signIn(market, 'admin')

async function resume(): Promise<number> {
  return (
    (await sweepEverywhere(market, resumeDecisions)) +
    (await sweepEverywhere(market, resumeGlobalDecisions))
  )
}

/** A decision whose process died right after it was recorded, or after it took effect. */
async function interrupted({
  kind,
  subject,
  input = {},
}: {
  kind: string
  subject: string
  input?: object
}): Promise<string> {
  const { body, text } = await admin.post('/decisions', {
    kind,
    subject,
    input,
    reason: 'Photos of other people.',
    request_key: `${kind} ${subject}`,
  })
  assert.equal(body.decision?.state, 'done', text)
  const id = body.decision.decision_id as string
  // No operation can do this: a decision moves forward only.
  await market.asOwner(`
    alter table operator_decisions disable trigger operator_decisions_forward;
    update operator_decisions set state = 'agreed', ended_at = null, result = null where id = '${id}';
    alter table operator_decisions enable trigger operator_decisions_forward`)
  return id
}

const stateOf = async (id: string) => (await admin.get(`/decisions/${id}`)).body.decision.state
const closedFor = (workerId: string) =>
  market.asOwner('select kind from worker_decisions where worker_id = $1', [workerId])

describe('a decision whose process died', () => {
  test('after it took effect is recorded as done after 10 minutes, and does not happen again', async () => {
    const { id: subject } = await market.worker()
    const id = await interrupted({ kind: 'worker.suspend', subject })
    market.advance(10 * MINUTE - 1)
    assert.equal(await resume(), 0)
    market.advance(1)

    assert.equal(await resume(), 1)

    assert.equal(await stateOf(id), 'done')
    assert.equal((await closedFor(subject)).length, 1)
    assert.equal(await resume(), 0)
  })

  test('before it took effect is carried out, once, by whichever process is first', async () => {
    const { id: subject } = await market.worker()
    const id = await interrupted({ kind: 'worker.suspend', subject })
    await market.asOwner('delete from worker_decisions where worker_id = $1', [subject])
    await market.asOwner(`update workers set status = 'active' where id = $1`, [subject])
    market.advance(11 * MINUTE)

    const moved = await Promise.all([resume(), resume(), resume()])

    assert.equal(
      moved.reduce((sum, count) => sum + count),
      1,
    )
    assert.equal(await stateOf(id), 'done')
    assert.equal((await closedFor(subject)).length, 1)
  })

  test('of all shards is finished too', async () => {
    const id = await interrupted({
      kind: 'switch.turn',
      subject: 'free_tasks',
      input: { is_on: true },
    })
    market.advance(11 * MINUTE)

    assert.equal(await resume(), 1)

    assert.equal(await stateOf(id), 'done')
  })

  test('and that can no longer be carried out is recorded as failed', async () => {
    const { id: subject } = await market.worker()
    const id = await interrupted({ kind: 'worker.suspend', subject })
    await market.asOwner('delete from worker_decisions where worker_id = $1', [subject])
    market.advance(11 * MINUTE)

    assert.equal(await resume(), 1)

    assert.equal(await stateOf(id), 'failed')
    assert.equal(await resume(), 0)
  })
})
