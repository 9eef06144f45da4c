import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readConfig } from './config.ts'

const PRODUCTION = {
  NODE_ENV: 'production',
  REDIS_URL: 'redis://cache:6379',
  PUBLIC_URL: 'https://api.example.com',
  WORKER_TOKEN_KEYS: Buffer.alloc(32).toString('base64'),
  PASSWORD_BLOCKLIST: 'on',
  SMTP_URL: 'smtps://user:secret@mail.example.com',
  MAIL_FROM: 'Legwork <hello@example.com>',
  FILES_DIR: '/var/lib/legwork/files',
  FILES_LINK_KEY: 'k'.repeat(32),
}

describe('the settings', () => {
  test('have the defaults of the contract', () => {
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
  ] as const)
    test(`refuse ${name}=${value} by its name`, () => {
      assert.throws(
        () => readConfig({ [name]: value }),
        (error: Error) => error.message.includes(`\n  ${name}: `),
      )
    })

  test('that can’t be used are all named at once', () => {
    assert.throws(
      () => readConfig({ PORT: 'x', KEYS_MAX: 'y' }),
      (error: Error) => /\bPORT: /.test(error.message) && /\bKEYS_MAX: /.test(error.message),
    )
  })
})

describe('production', () => {
  test('starts with safe settings', () => {
    const config = readConfig(PRODUCTION)

    assert.equal(config.NODE_ENV, 'production')
  })

  test('keeps files in a bucket as well as in a folder', () => {
    const { FILES_DIR: _, FILES_LINK_KEY: __, ...others } = PRODUCTION

    assert.doesNotThrow(() => readConfig({ ...others, S3_BUCKET: 'proofs' }))
  })

  for (const [name, value] of [
    ['REDIS_URL', undefined],
    ['REDIS_URL', ''],
    ['RATE_LIMITS', 'off'],
    ['TRUST_PROXY', '10.0.0.1, 0.0.0.0/0'],
    ['PUBLIC_URL', undefined],
    ['PUBLIC_URL', 'http://api.example.com'],
    ['WORKER_TOKEN_KEYS', undefined],
    ['PASSWORD_BLOCKLIST', undefined],
    ['PASSWORD_BLOCKLIST', 'off'],
    ['SMTP_URL', undefined],
    ['MAIL_FROM', undefined],
    ['FILES_DIR', undefined],
    ['FILES_LINK_KEY', undefined],
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
