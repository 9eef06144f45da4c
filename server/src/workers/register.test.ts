import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import { marketplace } from '../../test/harness.ts'
import { newEmail, PASSWORD, signUp } from '../../test/people.ts'
import { idPattern } from '../kit/ids.ts'

const market = await marketplace({ mail: true })
const strict = await marketplace({ settings: { PASSWORD_BLOCKLIST: 'on' } })

const register = (body: unknown, headers: Record<string, string> = {}) =>
  market.call('POST', '/worker/register', { body, headers })

describe('POST /worker/register', () => {
  test('201: an unverified worker of level 1 with a trust of 70 [4.5-register] [1-worker-account]', async () => {
    const email = newEmail()

    const { status, body } = await register({ name: '  Ann Lee ', email, password: PASSWORD })

    assert.equal(status, 201)
    assert.deepEqual(Object.keys(body), ['worker'])
    const { id, ...rest } = body.worker
    assert.match(id, idPattern('worker'))
    assert.deepEqual(rest, {
      name: 'Ann Lee',
      email,
      mode: 'live',
      status: 'unverified',
      email_verified: false,
      app_language: 'en',
      level: 1,
      trust_score: 70,
      adult_confirmed_at: null,
      created_at: market.now().toISOString(),
    })
  })

  test('records that the worker is an adult, with the version of the terms; 400 for false', async () => {
    const person = { name: 'Ann', email: newEmail(), password: PASSWORD }

    const minor = await register({ ...person, adult: false })
    const { body } = await register({ ...person, adult: true })

    assert.deepEqual([minor.status, minor.body.code], [400, 'invalid_request'])
    assert.equal(body.worker.adult_confirmed_at, market.now().toISOString())
    const [row] = await market.asOwner('select terms_version from workers where id = $1', [
      body.worker.id,
    ])
    assert.equal(row!.terms_version, market.server.config.TERMS_VERSION)
  })

  test('sends a mail with a link to confirm the address [4.5-register-mail]', async () => {
    const email = newEmail()
    await register({ name: 'Ann', email, password: PASSWORD })

    await market.work()

    const mail = await market.inbox.mailTo(email)
    assert.equal(mail.subject, 'Confirm your email address for Legwork')
    assert.deepEqual(mail.to, [email])
    assert.match(mail.links[0]!.href, /\/verify\?token=[\w-]{43}$/)
  })

  for (const [words, app_language, header, expected] of [
    ['is the one that the app sends', 'pt-BR', 'de', 'pt-BR'],
    ['is the best match of Accept-Language otherwise', undefined, 'fr-CA;q=0.5, es-MX', 'es'],
    ['is English if no language is known', undefined, 'ja, *;q=0.5', 'en'],
  ] as const)
    test(`the language of the app and of emails ${words}`, async () => {
      const person = { name: 'Ann', email: newEmail(), password: PASSWORD, app_language }

      const { status, body } = await register(person, { 'accept-language': header })

      assert.equal(status, 201)
      assert.equal(body.worker.app_language, expected)
      assert.equal(body.warnings, undefined)
    })

  test('opens the worker’s accounts in the ledger', async () => {
    const { body } = await register({ name: 'Ann', email: newEmail(), password: PASSWORD })

    const accounts = await market.asOwner(
      'select mode, payable_cents from ledger_workers where worker_id = $1',
      [body.worker.id],
    )
    assert.deepEqual(accounts, [{ mode: 'live', payable_cents: 0 }])
  })

  test('stores only the Argon2id hash of the password, and no plain response', async () => {
    const [email, password, key] = [newEmail(), randomUUID(), randomUUID()]

    await register({ name: 'Secretive', email, password }, { 'idempotency-key': key })

    const dump = await dumpTables()
    const [row] = await market.asOwner('select password_hash from workers where email = $1', [
      email,
    ])
    assert(!dump.includes(password))
    assert.match(row!.password_hash, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/)
    const [stored] = await market.asOwner('select fingerprint, answer from idempotency_keys')
    assert(!stored!.answer.includes('Secretive'), 'the stored response is sealed')
  })

  test('409 for a registered email in any spelling [5-worker-exists]', async () => {
    const person = await signUp(market)

    for (const email of [person.email, person.email.toUpperCase()]) {
      const { status, body } = await register({ name: 'Other', email, password: PASSWORD })

      assert.equal(status, 409)
      assert.deepEqual(Object.keys(body), ['error', 'code', 'request_id', 'hint', 'doc_url'])
      assert.equal(body.error, 'Already registered')
      assert.equal(body.code, 'worker_exists')
    }
    await market.work()
    assert.deepEqual(market.inbox.unreadTo(person.email), [])
  })

  test('409 for fifteen of 16 concurrent registrations of one email', async () => {
    const email = newEmail()
    const spellings = [email, email.toUpperCase()]

    const replies = await Promise.all(
      Array.from({ length: 16 }, (_, i) =>
        register({ name: `N${i}`, email: spellings[i % 2], password: PASSWORD }),
      ),
    )

    const statuses = replies.map(({ status }) => status).sort((a, b) => a - b)
    assert.deepEqual(statuses, [201, ...Array<number>(15).fill(409)])
    const workers = await market.asOwner('select from workers where lower(email) = $1', [email])
    assert.equal(workers.length, 1)
  })

  test('201: an agent’s email is free for a worker', async () => {
    const agent = await market.agent()

    const { status } = await register({ name: 'Ann', email: agent.email, password: PASSWORD })

    assert.equal(status, 201)
  })

  for (const [words, password] of [
    ['8 characters', '12345678'],
    ['128 characters', 'x'.repeat(128)],
    ['128 emoji', '🦊'.repeat(128)],
    ['8 letters of another script', 'пароль日本'],
    ['spaces around it', '   spaces   '],
  ] as const)
    test(`201 with a password of ${words}, unchanged`, async () => {
      const person = await signUp(market, { password })

      assert.equal((await person.logIn()).status, 200)
      assert.equal((await person.logIn(`${password} `)).status, 401)
    })

  for (const [words, change, path, message] of [
    ['without a name', { name: undefined }, 'name', 'is required'],
    ['with a blank name', { name: '  ' }, 'name', 'must not be empty'],
    [
      'with a name of 101 letters',
      { name: 'x'.repeat(101) },
      'name',
      'must have at most 100 characters',
    ],
    ['without an email', { email: undefined }, 'email', 'is required'],
    ['with an invalid email', { email: 'ann' }, 'email', 'must be an email address'],
    [
      'with two addresses',
      { email: 'a@b.example, c@d.example' },
      'email',
      'must be an email address',
    ],
    [
      'with a line break in the email',
      { email: 'a@b.example\nbcc: c@d.example' },
      'email',
      'must be an email address',
    ],
    ['without a password', { password: undefined }, 'password', 'is required'],
    [
      'with a password of 7 characters',
      { password: '1234567' },
      'password',
      'must have at least 8 characters',
    ],
    [
      'with a password of 7 emoji',
      { password: '🦊'.repeat(7) },
      'password',
      'must have at least 8 characters',
    ],
    [
      'with a password of 129 characters',
      { password: 'x'.repeat(129) },
      'password',
      'must have at most 128 characters',
    ],
    [
      'with a huge password',
      { password: 'x'.repeat(15_000) },
      'password',
      'must have at most 128 characters',
    ],
    [
      'with a password that is not a string',
      { password: 12345678 },
      'password',
      'must be a string',
    ],
    [
      'with an unknown language of the app',
      { app_language: 'es-MX' },
      'app_language',
      'must be one of en, es, ar, pt-BR, fr, de',
    ],
  ] as const)
    test(`400 ${words}`, async () => {
      const { status, body } = await register({
        name: 'Ann',
        email: newEmail(),
        password: PASSWORD,
        ...change,
      })

      assert.equal(status, 400)
      assert.equal(body.code, 'invalid_request')
      assert.deepEqual(body.details, [{ path, message }])
    })

  test('read-only fields have no effect and are named', async () => {
    const { status, body } = await register({
      name: 'Ann',
      email: newEmail(),
      password: PASSWORD,
      status: 'active',
      trust_score: 100,
    })

    assert.equal(status, 201)
    assert.equal(body.worker.status, 'unverified')
    assert.deepEqual(
      body.warnings.map(({ path }: { path: string }) => path),
      ['status', 'trust_score'],
    )
  })

  describe('if common passwords are refused', () => {
    for (const [words, password] of [
      ['the most common one', 'Password'],
      ['a keyboard pattern', 'qwertyuiop'],
      ['a word with a year', 'Summer2024'],
      ['the email', 'Ann.Lee.X@example.com'],
      ['the local part of the email', 'ANN.LEE.X'],
      ['the name', 'ann lee-miller'],
    ] as const)
      test(`400 for ${words}`, async () => {
        const { status, body } = await strict.call('POST', '/worker/register', {
          body: { name: 'Ann Lee-Miller', email: 'ann.lee.x@example.com', password },
        })

        assert.equal(status, 400)
        assert.equal(body.code, 'invalid_request')
        assert.equal(body.details[0].path, 'password')
      })

    test('201 for another password', async () => {
      const { status } = await strict.call('POST', '/worker/register', {
        body: { name: 'Ann', email: newEmail(), password: PASSWORD },
      })

      assert.equal(status, 201)
    })
  })
})

async function dumpTables(): Promise<string> {
  const tables = ['workers', 'worker_emails', 'worker_tokens', 'outbox', 'idempotency_keys']
  const rows = await Promise.all(
    tables.map((table) => market.asOwner(`select to_json(t)::text as row from ${table} t`)),
  )
  return JSON.stringify(rows)
}
