import assert from 'node:assert/strict'
import { createServer } from 'node:net'
import { describe, test, type TestContext } from 'node:test'
import { linksIn, type ReceivedMail, startMailbox } from '../../../scripts/inbox.ts'
import { freePort } from '../../../scripts/postgres.ts'
import { marketplace, startOn } from '../../test/harness.ts'
import { eventually } from '../../test/jobs-child.ts'
import { ops } from '../../test/ops.ts'
import { PASSWORD } from '../../test/people.ts'
import { jobs } from '../jobs.ts'
import { MAIL_ATTEMPTS_MAX } from './attempts.ts'
import { retryMails } from './retry-mails.ts'

const market = await marketplace({ clock: 'real' })
const HOUR = 3600

/** The waiting jobs in the queue. */
const queued = (name: string) =>
  market.asOwner(
    `select id, attempts, max_attempts, run_at > now() + interval '1 minute' as is_later, last_error
       from graphile_worker.jobs where task_identifier = $1`,
    [name],
  )

/** Simulates hours passing for waiting emails: sets their attempts, and moves the next one hours away. */
const pass = (attempts: number, lastError?: string) =>
  market.asOwner(
    `update graphile_worker._private_jobs
        set attempts = $1, run_at = now() + interval '6 hours', updated_at = now() - interval '2 hours',
            last_error = coalesce($2, last_error)
      where max_attempts = $3`,
    [attempts, lastError ?? null, MAIL_ATTEMPTS_MAX],
  )

const retry = () => retryMails.run({ ...market.background, payload: undefined })

/** A jobs process whose mail server is down. */
async function withoutMailServer(t: TestContext) {
  const port = await freePort()
  const server = await startOn(market.url, {
    roles: ['jobs'],
    settings: { SMTP_URL: `smtp://127.0.0.1:${port}`, LOG_LEVEL: 'silent' },
  })
  t.after(() => server.stop())
  return { port }
}

async function register(email: string) {
  const { status, text } = await market.call('POST', '/worker/register', {
    body: { name: 'Ann', email, password: PASSWORD },
  })
  assert.equal(status, 201, text)
}

const untilTried = (name: string) =>
  eventually('it was tried', 15_000, async () => {
    const [job] = await queued(name)
    return job?.['last_error'] ? job : undefined
  })

describe('while the mail server is down for a day', () => {
  test('mails wait and arrive within an hour of its return, with links valid from then', async (t) => {
    const { port } = await withoutMailServer(t)
    const email = 'ann@example.com'
    await register(email)
    await market.call('POST', '/agents/register', {
      body: { name: 'Agent', email: 'agent@example.com' },
    })
    const failed = await untilTried('workers.send-mail')
    await untilTried('agents.send-mail')
    await pass(30)
    const received: ReceivedMail[] = []
    const mailbox = await startMailbox({ port, onMail: (mail) => received.push(mail) })
    t.after(() => mailbox.stop())

    await retry()
    const [first, second] = await eventually('both arrive', 15_000, async () =>
      received.length === 2
        ? received.toSorted((a, b) => (a.to[0]! < b.to[0]! ? -1 : 1))
        : undefined,
    )
    const token = new URL(linksIn(second!.text)[0]!).searchParams.get('token')
    const verified = await market.call('GET', `/worker/verify?token=${token}`)

    assert.match(failed['last_error'] as string, /the mail server did not accept an email/)
    assert.equal(failed['max_attempts'], MAIL_ATTEMPTS_MAX)
    assert.deepEqual([first!.to, second!.to], [['agent@example.com'], [email]])
    assert.equal(verified.status, 200, verified.text)
    const [link] = await market.asOwner(
      `select extract(epoch from expires_at - now())::integer as seconds from worker_tokens`,
    )
    assert(link!['seconds'] > 23 * HOUR, 'the link is valid for a day from sending')
    assert.deepEqual(await queued('workers.send-mail'), [])
  })

  test('a mail is tried eight times in half an hour, then hourly, for 72 hours in all', () => {
    // The queue's backoff is e^attempts seconds, but at most an hour for this job.
    let seconds = 0
    for (let attempt = 1; attempt < MAIL_ATTEMPTS_MAX; attempt += 1)
      seconds += Math.min(Math.exp(Math.min(attempt, 10)), attempt < 8 ? Infinity : HOUR)

    assert(seconds >= 71.5 * HOUR && seconds < 80 * HOUR, `${seconds / HOUR} hours`)
  })

  test('all mails have the same retry schedule', () => {
    const mails = jobs.filter(({ name }) => /mail/.test(name) && name !== retryMails.name)

    assert.equal(mails.length, 14)
    for (const { name, attemptsMax } of mails) assert.equal(attemptsMax, MAIL_ATTEMPTS_MAX, name)
  })

  test('after 72 hours `ops jobs` lists undelivered mails, and can send them', async (t) => {
    await withoutMailServer(t)
    await register('late@example.com')
    await untilTried('workers.send-mail')
    await pass(MAIL_ATTEMPTS_MAX)

    await retry()

    const { out, isBad } = await ops(market, 'jobs')
    assert(isBad)
    assert.match(out, /workers\.send-mail: 1 jobs? out of attempts/)
    assert.match((await ops(market, 'jobs', 'retry', 'workers.send-mail')).out, /1 jobs?/)
    await market.asOwner(`delete from graphile_worker._private_jobs`)
  })
})

describe('a queued mail', () => {
  for (const { what, attempts, lastError, expected } of [
    {
      what: 'is not retried while its quick attempts are running',
      attempts: 7,
      lastError: undefined,
      expected: { is_later: true, isDead: false },
    },
    {
      what: 'is retried an hour after the last attempt',
      attempts: 8,
      lastError: undefined,
      expected: { is_later: false, isDead: false },
    },
    {
      what: 'is dropped after the quick attempts if its address is permanently refused',
      attempts: 8,
      lastError: 'the mail server did not accept an email (EENVELOPE RCPT TO 550)',
      expected: { is_later: true, isDead: true },
    },
    {
      what: 'is retried if the server is only busy',
      attempts: 8,
      lastError: 'the mail server did not accept an email (EENVELOPE RCPT TO 450)',
      expected: { is_later: false, isDead: false },
    },
  ])
    test(what, async () => {
      await market.asOwner(
        `select graphile_worker.add_job('workers.send-mail', '{}'::json, max_attempts := $1)`,
        [MAIL_ATTEMPTS_MAX],
      )
      await pass(attempts, lastError)

      await retry()

      const [job] = await queued('workers.send-mail')
      await market.asOwner(`delete from graphile_worker._private_jobs`)
      const isDead = job!['attempts'] === MAIL_ATTEMPTS_MAX
      assert.deepEqual({ is_later: job!['is_later'], isDead }, expected)
    })

  test('is matched to the error messages of a real server', async (t) => {
    const server = createServer((socket) => {
      socket.on('error', () => {})
      socket.write('220 test\r\n')
      socket.on('data', (data) => {
        const isRecipient = data.toString().startsWith('RCPT')
        socket.write(isRecipient ? '550 no such user\r\n' : '250 ok\r\n')
      })
    })
    const port = await freePort()
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
    t.after(() => new Promise((resolve) => server.close(resolve)))
    const jobsServer = await startOn(market.url, {
      roles: ['jobs'],
      settings: { SMTP_URL: `smtp://127.0.0.1:${port}`, LOG_LEVEL: 'silent' },
    })
    t.after(() => jobsServer.stop())
    await register('nobody@example.com')

    const failed = await untilTried('workers.send-mail')

    assert.match(failed['last_error'] as string, /RCPT TO 550/)
    await market.asOwner(`delete from graphile_worker._private_jobs`)
  })
})
