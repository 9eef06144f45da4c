import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { accountStatus, endAllLinks, shutOut } from '../../test/decisions.ts'
import { everywhere } from '../../test/everywhere.ts'
import { call, freshDatabase, marketplace } from '../../test/harness.ts'
import { openInbox } from '../../test/inbox.ts'
import { newEmail, PASSWORD, signUp, tokenOf } from '../../test/people.ts'
import { readConfig } from '../config.ts'
import { openLog } from '../kit/log.ts'
import { sha256 } from '../kit/secrets.ts'
import { startServer } from '../start.ts'

const market = await marketplace({ mail: true })
const silent = await marketplace()
const unreachable = await marketplace({ settings: { SMTP_URL: 'smtp://127.0.0.1:1' } })
const published = await marketplace({
  mail: true,
  settings: { PUBLIC_URL: 'https://legwork.example/' },
})
const HOUR = 3_600_000

const tokensOf = (email: string, place = market) =>
  place.asOwner(
    `select t.token_hash, t.purpose, t.created_at, t.expires_at, t.used_at from worker_tokens t
       join workers w on w.id = t.worker_id where w.email = $1 order by t.created_at, t.purpose`,
    [email],
  )

describe('workers.send-mail', () => {
  test('creates the link when it runs, and stores only its hash', async () => {
    const person = await signUp(market, { isVerified: false })

    const [stored] = await tokensOf(person.email)

    assert.equal(person.linkToken.length, 43)
    assert.equal(stored!.token_hash, sha256(person.linkToken))
    assert.equal(stored!.purpose, 'verify')
    assert.equal(stored!.expires_at.getTime() - stored!.created_at.getTime(), 24 * HOUR)
  })

  test('a password reset link lasts 30 minutes, and ends the previous one', async () => {
    const person = await signUp(market)
    await person.forget()
    market.advance(1000)
    await person.forget()

    const [older, newer] = (await tokensOf(person.email)).filter(
      ({ purpose }) => purpose === 'reset',
    )

    assert.notEqual(older!.used_at, null)
    assert.equal(newer!.used_at, null)
    assert.equal(newer!.expires_at.getTime() - newer!.created_at.getTime(), HOUR / 2)
  })

  test('links lead to PUBLIC_URL, whatever the Host header is', async () => {
    const email = newEmail()
    await published.call('POST', '/worker/register', {
      body: { name: 'Ann', email, password: PASSWORD },
      headers: { host: 'evil.example', 'x-forwarded-host': 'evil.example' },
    })
    await published.work()

    const mail = await published.inbox.mailTo(email)

    assert.match(mail.links[0]!.href, /^https:\/\/legwork\.example\/verify\?token=[\w-]{43}$/)
    assert(!mail.html.includes('evil'))
  })

  test('the text and the HTML have the same content and link, from the configured sender', async () => {
    const { mail } = await signUp(market)

    const [link] = mail.links
    assert(mail.html.includes(`href="${link!.href}"`))
    assert.match(mail.text, /The link works for 24 hours\./)
    assert.match(mail.text, /If this wasn’t you, ignore this email/)
    assert(!mail.html.includes('<img') && !mail.html.includes('<script'))
    assert.equal(mail.from, 'no-reply@localhost')
    assert.equal(mail.headers['auto-submitted'], 'auto-generated')
  })

  test('a mail is in the language of the worker’s app when it is sent, whatever the next request accepts', async () => {
    const person = await signUp(market, { app_language: 'es' })
    const { body } = await person.logIn()
    const headers = { authorization: `Bearer ${body.token}` }

    await market.call('POST', '/worker/password/forgot', {
      body: { email: person.email },
      headers: { 'accept-language': 'de' },
    })
    await market.call('PUT', '/worker/profile', { body: { app_language: 'ar' }, headers })
    await market.work()
    await market.call('POST', '/worker/verify/resend', { body: { email: person.email } })
    await market.work()

    assert.equal(person.mail.subject, 'Confirma tu correo para Legwork')
    assert.match(
      person.mail.text,
      /^Hola:\n\nAlguien, probablemente tú, .*El enlace sirve durante 24 horas\./s,
    )
    assert.match(person.mail.html, /<html lang="es" dir="ltr">/)
    const reset = await market.inbox.mailTo(person.email)
    assert.equal(reset.subject, 'اختيار كلمة مرور جديدة في Legwork')
    assert.match(reset.html, /<html lang="ar" dir="rtl">/)
    assert.match(reset.links[0]!.href, /\/reset\?token=[\w-]{43}$/)
    const known = await market.inbox.mailTo(person.email)
    assert.equal(known.subject, 'لديك حساب في Legwork من قبل')
  })

  test('the mail contains no name, which could be somebody’s message to a stranger', async () => {
    const { mail } = await signUp(market, { name: 'Win money at evil.example <b>' })

    assert(!mail.text.includes('evil') && !mail.html.includes('evil'))
  })

  test('a worker gets at most 5 mails of one kind an hour', async () => {
    const person = await signUp(market)
    const ask = async () => {
      await market.call('POST', '/worker/password/forgot', { body: { email: person.email } })
      await market.work()
    }
    for (let i = 0; i < 8; i += 1) await ask()
    const first = market.inbox.unreadTo(person.email).length

    market.advance(HOUR)
    await ask()

    assert.equal(first, 5)
    assert.equal(market.inbox.unreadTo(person.email).length, 6)
  })

  test('the limit also applies to “already registered” mails', async () => {
    const person = await signUp(market)
    for (let i = 0; i < 8; i += 1) {
      await market.call('POST', '/worker/verify/resend', { body: { email: person.email } })
      await market.work()
    }

    assert.equal(
      market.inbox.unreadTo(person.email).length,
      4,
      'besides the first mail with the link',
    )
  })

  test('none goes to a closed account', async () => {
    const person = await signUp(market)
    await market.asOwner(`update workers set status = 'closed' where id = $1`, [person.id])

    await market.call('POST', '/worker/password/forgot', { body: { email: person.email } })
    await market.work()

    assert.deepEqual(market.inbox.unreadTo(person.email), [])
  })

  test('a worker whose account an operator closed can reset the password to get the objection link', async () => {
    const worker = await market.worker()
    await shutOut(market, worker, 'close')
    await endAllLinks(market)

    await market.call('POST', '/worker/password/forgot', { body: { email: worker.email } })
    await market.work()
    const token = tokenOf(await market.inbox.mailTo(worker.email))
    const password = 'a password nobody knows'
    const reset = await market.call('POST', '/worker/password/reset', { body: { token, password } })
    const login = await market.call('POST', '/worker/login', {
      body: { email: worker.email, password },
    })

    assert.equal(reset.status, 202)
    assert.deepEqual([login.status, login.body.code], [403, 'worker_closed'])
    const link = new URL(login.body.objection_url).searchParams.get('token')
    const page = await market.call('GET', `/worker/objections?token=${link}`)
    assert.equal(page.status, 200)
    assert.equal(await accountStatus(market, worker.id), 'closed')
  })

  test('an unreachable mail server is an error, and the job is retried; no link stays', async () => {
    const email = newEmail()
    await unreachable.call('POST', '/worker/register', {
      body: { name: 'Ann', email, password: PASSWORD },
    })

    await assert.rejects(unreachable.work(), (error: Error) => {
      assert.match(error.message, /^the mail server did not accept an email \(ESOCKET CONN\)$/)
      assert(!error.message.includes(email))
      return true
    })

    assert.deepEqual(await tokensOf(email, unreachable), [])
  })

  test('without a mail server nothing is sent, and no link is created', async () => {
    const email = newEmail()
    await silent.call('POST', '/worker/register', {
      body: { name: 'Ann', email, password: PASSWORD },
    })

    await silent.work()

    assert.deepEqual(await tokensOf(email, silent), [])
  })

  test('expired links are deleted', async () => {
    const person = await signUp(market)
    market.advance(40 * 24 * HOUR)

    await person.forget()

    const left = await tokensOf(person.email)
    assert.deepEqual(
      left.map(({ purpose }) => purpose),
      ['reset'],
    )
  })
})

describe('the whole mail path through the jobs process', () => {
  test('leaves no token, password or email in the log, the outbox, or a job', async () => {
    const lines: string[] = []
    const inbox = await openInbox()
    const url = await freshDatabase()
    const config = readConfig({
      NODE_ENV: 'test',
      DATABASE_URL: url,
      PORT: '0',
      OPS_PORT: '0',
      LOG_LEVEL: 'debug',
      RATE_LIMITS: 'off',
      SMTP_URL: inbox.url,
    })
    const log = openLog('debug', { write: (line: string) => void lines.push(line) })
    const server = await startServer({ config, roles: ['api', 'jobs'], log })
    const { pool } = everywhere(server.db, url)
    after(() => inbox.stop())
    const send = (path: string, body: unknown) =>
      call(server.addresses.api!, 'POST', path, { body })
    const email = newEmail()
    const jobs: string[] = []
    const watch = async () => {
      const { rows } = await pool.query<{ row: string }>(
        `select to_json(o)::text as row from outbox o
         union all select to_json(j)::text from graphile_worker.jobs j`,
      )
      jobs.push(...rows.map(({ row }) => row))
    }

    await send('/worker/register', { name: 'Ann', email, password: PASSWORD })
    await watch()
    const verify = tokenOf(await inbox.mailTo(email))
    await send('/worker/verify', { token: verify })
    await send('/worker/login', { email, password: 'a wrong password' })
    const { body } = await send('/worker/login', { email, password: PASSWORD })
    await send('/worker/password/forgot', { email })
    await watch()
    const reset = tokenOf(await inbox.mailTo(email))
    const origin = new URL(server.addresses.api!).origin
    await fetch(`${origin}/reset?token=${reset}`)
    await fetch(`${server.addresses.api}/worker/verify?token=${verify}`)
    await send('/worker/password/reset', { token: reset, password: 'the next password' })
    await call(server.addresses.api!, 'GET', '/worker/profile', {
      headers: { authorization: `Bearer ${body.token}` },
    })
    await server.stop()

    const written = [...lines, ...jobs].join('\n')
    const secrets = [verify, reset, body.token, PASSWORD, 'the next password', 'a wrong password']
    for (const secret of [...secrets, email, sha256(verify), sha256(reset)])
      assert(!written.includes(secret), `${secret} was written`)
    assert(lines.some((line) => line.includes('/worker/login')))
    assert(jobs.length > 0)
  })
})
