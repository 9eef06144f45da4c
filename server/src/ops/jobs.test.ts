import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { marketplace } from '../../test/harness.ts'
import { ops } from '../../test/ops.ts'

const market = await marketplace()

/** A job in the state in which the runner leaves it after its last attempt. */
async function deadJob(name: string): Promise<string> {
  const [job] = await market.asOwner(
    `select id from graphile_worker.add_job($1, '{}'::json, max_attempts := 1)`,
    [name],
  )
  const id = job!.id as string
  await market.asOwner(`select graphile_worker.permanently_fail_jobs(array[$1::bigint], $2)`, [
    id,
    'the mail server did not accept an email',
  ])
  return id
}

const attemptsOf = async (id: string) => {
  const [job] = await market.asOwner('select attempts from graphile_worker.jobs where id = $1', [
    id,
  ])
  return job!.attempts as number
}

describe('ops jobs', () => {
  test('says that there are none, also on retry', async () => {
    assert.deepEqual(await ops(market, 'jobs'), {
      out: 'No jobs are out of attempts.',
      isBad: false,
    })
    assert.equal((await ops(market, 'jobs', 'retry')).isBad, true)
  })

  test('lists jobs by name with their last error, and `ops waiting` counts them', async () => {
    await deadJob('workers.send-mail')

    const { out, isBad } = await ops(market, 'jobs')

    assert(isBad)
    assert.match(out, /workers\.send-mail: 1 jobs? out of attempts/)
    assert(out.includes('the mail server did not accept an email'))
    assert.match((await ops(market, 'waiting')).out, /1 jobs out of attempts.*1 for too long/)
  })

  test('retry restarts the jobs of one name, or all of them', async () => {
    const [mail, open] = [await deadJob('workers.send-mail'), await deadJob('payouts.open')]

    await ops(market, 'jobs', 'retry', 'payouts.open')
    const after = [await attemptsOf(mail), await attemptsOf(open)]
    await ops(market, 'jobs', 'retry')

    assert.deepEqual(after, [1, 0])
    assert.equal((await ops(market, 'jobs')).isBad, false)
  })
})
