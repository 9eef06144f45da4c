import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { pushKeys } from '../test/harness.ts'
import { readConfig } from './config.ts'
import { trustedProxies } from './kit/proxies.ts'

const PRODUCTION = {
  NODE_ENV: 'production',
  REDIS_URL: 'redis://cache:6379',
  PUBLIC_URL: 'https://api.example.com',
  TRUST_PROXY: '10.0.0.0/8',
  SECURITY_CONTACT: 'mailto:security@example.com',
  WORKER_TOKEN_KEYS: Buffer.alloc(32).toString('base64'),
  PASSWORD_BLOCKLIST: 'on',
  SMTP_URL: 'smtps://user:secret@mail.example.com',
  MAIL_FROM: 'Legwork <hello@example.com>',
  FILES_DIR: '/var/lib/legwork/files',
  FILES_LINK_KEY: 'k'.repeat(32),
  STRIPE_SECRET_KEY: 'rk_live_key',
  STRIPE_SECRETS_ACCOUNT: 'whsec_account',
  STRIPE_SECRETS_CONNECT: 'whsec_connect',
  STRIPE_SECRETS_V2: 'whsec_v2',
  WEBHOOK_SECRET_KEYS: Buffer.alloc(32).toString('base64'),
}

describe('the settings', () => {
  test('have the documented defaults', () => {
    const config = readConfig({})

    assert.equal(config.NODE_ENV, 'development')
    assert.equal(config.RATE_LIMITS, 'on')
    assert.equal(config.LIMIT_GLOBAL_PER_MINUTE, 100)
    assert.equal(config.LIMIT_ADDRESS_PER_MINUTE, 1000)
    assert.equal(config.LIMIT_CREATE_PER_MINUTE, 30)
    assert.equal(config.LIMIT_REGISTER_PER_HOUR, 20)
    assert.equal(config.LIMIT_LOGIN_PER_15_MINUTES, 10)
    assert.equal(config.FREE_TASKS, 3)
    assert.equal(config.FREE_TASK_MAX_CENTS, 2000)
    assert.equal(config.KEYS_MAX, 10)
    assert.equal(config.WORKER_TOKEN_DAYS, 7)
    assert.equal(config.VERIFY_LINK_HOURS, 24)
    assert.equal(config.RESET_LINK_MINUTES, 30)
    assert.equal(config.PASSWORD_BLOCKLIST, 'off')
    assert.equal(config.KEY_ROTATION_GRACE_HOURS, 24)
    assert.equal(config.DEPOSIT_MIN_CENTS, 500)
    assert.equal(config.DEPOSIT_MAX_CENTS, 1_000_000)
    assert.equal(config.HOLD_HOURS_FREE, 7 * 24)
  })

  test('let a stopping process drain for some seconds in production, and not elsewhere', () => {
    assert.equal(readConfig({}).DRAIN_SECONDS, 0)
    assert.equal(readConfig(PRODUCTION).DRAIN_SECONDS, 5)
    assert.equal(readConfig({ ...PRODUCTION, DRAIN_SECONDS: '0' }).DRAIN_SECONDS, 0)
    assert.throws(() => readConfig({ DRAIN_SECONDS: '30' }), /STOP_GRACE_SECONDS: must be longer/)
  })

  test('bound the share of test mode in the database in production, and not elsewhere', () => {
    assert.equal(readConfig({}).TEST_DATABASE_PERCENT, 0)
    assert.equal(readConfig(PRODUCTION).TEST_DATABASE_PERCENT, 10)
    assert.equal(
      readConfig({ ...PRODUCTION, TEST_DATABASE_PERCENT: '30' }).TEST_DATABASE_PERCENT,
      30,
    )
  })

  test('accept several secrets in one variable, for rotation', () => {
    const config = readConfig({ STRIPE_SECRETS_ACCOUNT: 'whsec_new, whsec_old' })

    assert.deepEqual(config.STRIPE_SECRETS_ACCOUNT, ['whsec_new', 'whsec_old'])
    assert.deepEqual(config.STRIPE_SECRETS_V2, [])
  })

  test('treat an empty secret as unset', () => {
    const config = readConfig({ STRIPE_SECRETS_ACCOUNT: ' , ,', STRIPE_SECRETS_CONNECT: '' })

    assert.deepEqual(config.STRIPE_SECRETS_ACCOUNT, [])
    assert.deepEqual(config.STRIPE_SECRETS_CONNECT, [])
  })

  test('allow only public addresses for webhooks, unless a range is named', () => {
    const config = readConfig({ WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8, ::1/128' })

    assert.deepEqual(config.WEBHOOK_ALLOW_CIDRS, ['127.0.0.0/8', '::1/128'])
    assert.deepEqual(readConfig({}).WEBHOOK_ALLOW_CIDRS, [])
    assert.equal(config.WEBHOOK_TIMEOUT_MS, 10_000)
  })

  test('are read from text; an empty variable is an unset one', () => {
    const config = readConfig({ PORT: '1234', LIMIT_CREATE_PER_MINUTE: '', UNKNOWN: 'x' })

    assert.equal(config.PORT, 1234)
    assert.equal(config.LIMIT_CREATE_PER_MINUTE, 30)
    assert(!('UNKNOWN' in config))
  })

  for (const [name, value] of [
    ['PORT', 'eighty'],
    ['PORT', '-1'],
    ['PORT', '80.5'],
    ['LIMIT_GLOBAL_PER_MINUTE', '0'],
    ['NODE_ENV', 'staging'],
    ['RATE_LIMITS', 'maybe'],
    ['LOG_LEVEL', 'loud'],
    ['KEYS_MAX', '0'],
    ['SMTP_URL', 'https://mail.example.com'],
    ['PASSWORD_BLOCKLIST', 'some'],
    ['FILES_LINK_KEY', 'short'],
    ['STRIPE_SECRET_KEY', 'pk_test_key'],
    ['STRIPE_API_BASE', 'localhost'],
    ['CONNECT_ACCOUNTS_API', 'v3'],
    ['CONNECT_COUNTRY', 'USA'],
    ['PAYOUT_COUNTRIES', 'US,DE'],
    ['CHECKOUT_MINUTES', '30'],
    ['CHECKOUT_MINUTES', '1440'],
    ['DEPOSIT_MIN_CENTS', '0'],
    ['WEBHOOK_SECRET_KEYS', Buffer.alloc(31).toString('base64')],
    ['WEBHOOK_ALLOW_CIDRS', '127.0.0.1'],
    ['WEBHOOK_ALLOW_CIDRS', '127.0.0.0/33'],
    ['WEBHOOK_ALLOW_CIDRS', '127.0.0.0/8, ::1/129'],
    ['WEBHOOK_ALLOW_CIDRS', 'localhost/8'],
    ['WEBHOOK_ALLOW_CIDRS', 'fe80::1%lo/64'],
    ['WEBHOOK_DNS_SERVERS', 'dns.example.com'],
    ['WEBHOOK_DNS_SERVERS', '127.0.0.1:53, 127.0.0.1:port'],
    ['WEBHOOK_TIMEOUT_MS', '0'],
    ['TRUST_PROXY', 'proxy.example.com'],
    ['TRUST_PROXY', '10.0.0.0/33'],
    ['TRUST_PROXY', 'none, 10.0.0.1'],
    ['TRUST_PROXY', '10.0.0.1,'],
    ['SECURITY_CONTACT', 'security@example.com'],
    ['SECURITY_POLICY_URL', 'http://example.com/policy'],
  ] as const)
    test(`refuse ${name}=${value} by its name`, () => {
      assert.throws(
        () => readConfig({ [name]: value }),
        (error: Error) => error.message.includes(`\n  ${name}: `),
      )
    })

  test('report all invalid variables at once', () => {
    assert.throws(
      () => readConfig({ PORT: 'x', KEYS_MAX: 'y' }),
      (error: Error) => /\bPORT: /.test(error.message) && /\bKEYS_MAX: /.test(error.message),
    )
  })
})

test('a live key is never sent to a sandbox, wherever the server runs', () => {
  for (const kind of ['sk', 'rk'])
    assert.throws(
      () =>
        readConfig({
          STRIPE_SECRET_KEY: `${kind}_live_key`,
          STRIPE_API_BASE: 'http://127.0.0.1:12111',
        }),
      /STRIPE_API_BASE is a sandbox, but STRIPE_SECRET_KEY is a live key/,
    )
})

describe('the push keys', () => {
  const { PUSH_PUBLIC_KEY, PUSH_PRIVATE_KEY } = pushKeys(Buffer.alloc(32, 1))

  test('are a pair, or both unset', () => {
    assert.equal(readConfig({}).PUSH_PUBLIC_KEY, undefined)
    assert.doesNotThrow(() => readConfig({ PUSH_PUBLIC_KEY, PUSH_PRIVATE_KEY }))
  })

  for (const [what, settings] of [
    ['only the public key', { PUSH_PUBLIC_KEY }],
    ['only the private key', { PUSH_PRIVATE_KEY }],
    ['keys of different pairs', { ...pushKeys(Buffer.alloc(32, 2)), PUSH_PUBLIC_KEY }],
    ['an invalid private key', { PUSH_PUBLIC_KEY, PUSH_PRIVATE_KEY: '_'.repeat(43) }],
    ['a word as the public key', { PUSH_PUBLIC_KEY: 'secret', PUSH_PRIVATE_KEY }],
    ['an invalid subject', { PUSH_SUBJECT: 'me' }],
  ] as const)
    test(`are refused: ${what}`, () => {
      assert.throws(() => readConfig(settings), /^Error: These settings can't be used:\n {2}PUSH_/)
    })

  test('need a contact address for push services in production', () => {
    const settings = { ...PRODUCTION, PUSH_PUBLIC_KEY, PUSH_PRIVATE_KEY }

    assert.throws(() => readConfig(settings), /\n {2}PUSH_SUBJECT: /)
    assert.doesNotThrow(() => readConfig({ ...settings, PUSH_SUBJECT: 'mailto:hello@example.com' }))
  })
})

describe('production', () => {
  test('starts with safe settings', () => {
    const config = readConfig(PRODUCTION)

    assert.equal(config.NODE_ENV, 'production')
  })

  test('starts without a proxy if that is explicit', () => {
    const config = readConfig({ ...PRODUCTION, TRUST_PROXY: 'none' })

    assert.deepEqual(trustedProxies(config.TRUST_PROXY), [])
  })

  test('stores files in a bucket or in a folder', () => {
    const { FILES_DIR: _, FILES_LINK_KEY: __, ...others } = PRODUCTION

    assert.doesNotThrow(() => readConfig({ ...others, S3_BUCKET: 'proofs' }))
  })

  for (const [name, value] of [
    ['REDIS_URL', undefined],
    ['REDIS_URL', ''],
    ['RATE_LIMITS', 'off'],
    ['TRUST_PROXY', undefined],
    ['TRUST_PROXY', ''],
    ['TRUST_PROXY', '10.0.0.1, 0.0.0.0/0'],
    ['TRUST_PROXY', '0.0.0.0/1, 128.0.0.0/1'],
    ['TRUST_PROXY', '::/0'],
    ['SECURITY_CONTACT', undefined],
    ['SECURITY_CONTACT', 'mailto:security@localhost'],
    ['PUBLIC_URL', undefined],
    ['PUBLIC_URL', 'http://api.example.com'],
    ['WORKER_TOKEN_KEYS', undefined],
    ['PASSWORD_BLOCKLIST', undefined],
    ['PASSWORD_BLOCKLIST', 'off'],
    ['SMTP_URL', undefined],
    ['MAIL_FROM', undefined],
    ['FILES_DIR', undefined],
    ['FILES_LINK_KEY', undefined],
    ['STRIPE_SECRET_KEY', undefined],
    ['STRIPE_SECRET_KEY', 'sk_test_sandbox'],
    ['STRIPE_SECRETS_ACCOUNT', undefined],
    ['STRIPE_SECRETS_CONNECT', ','],
    ['STRIPE_SECRETS_V2', undefined],
    ['WEBHOOK_SECRET_KEYS', undefined],
    ['WEBHOOK_SECRET_KEYS', ' , '],
    ['WEBHOOK_ALLOW_CIDRS', '127.0.0.0/8'],
    ['WEBHOOK_ALLOW_CIDRS', '203.0.113.7/32'],
    ['CRASH_AT', 'payout.sent'],
  ] as const)
    test(`refuses ${name}=${value ?? '(unset)'} by its name; development does not`, () => {
      const settings = { ...PRODUCTION, [name]: value }

      assert.throws(
        () => readConfig(settings),
        (error: Error) =>
          error.message.startsWith('Refusing to start in production:\n') &&
          error.message.includes(`\n  ${name}: `),
      )
      assert.doesNotThrow(() => readConfig({ ...settings, NODE_ENV: 'development' }))
    })
})
