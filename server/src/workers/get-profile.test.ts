import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { marketplace } from '../../test/harness.ts'
import { settle } from '../../test/settled.ts'
import { TYPES } from '../tasks/fields.ts'
import { WISHES } from './profile.ts'

const DAY = 86_400_000

const market = await marketplace()

describe('GET /worker/profile', () => {
  test('[2.3-profile] [4.5-profile] shows a new worker, with trust, badges and level', async () => {
    const worker = await market.worker({ name: 'Ada', skills: ['photo'], languages: ['en'] })

    const { status, body } = await worker.get('/worker/profile')

    assert.equal(status, 200)
    assert.deepEqual(body, {
      worker: {
        id: worker.id,
        name: 'Ada',
        email: worker.email,
        skills: ['photo'],
        languages: ['en'],
        app_language: 'en',
        location: null,
        preferences: {},
        trust_score: 70,
        standing_score: 70,
        level: 1,
        badges: ['email_verified'],
        stats: {
          completed: 0,
          disputed: 0,
          verdicts: 0,
          approval_rate: null,
          avg_minutes: null,
        },
        payout_status: 'not_connected',
        closes_at: null,
        created_at: market.now().toISOString(),
      },
    })
  })

  test('[2.3-profile] shows the stored place and preferences', async () => {
    const location = { label: 'Berlin', lat: 52.5, lng: 13.4, radius_km: 25 }
    const preferences = { types: ['gut_check'], min_pay_cents: 300, theme: 'dark' }
    const worker = await market.worker({ location, preferences })

    const { body } = await worker.get('/worker/profile')

    assert.deepEqual(body.worker.location, location)
    assert.deepEqual(body.worker.preferences, preferences)
  })

  test('counts judged work, and its duration', async () => {
    const agent = await market.agent({ balanceCents: 100_000 })
    const worker = await market.worker()
    for (const workMinutes of [20, 45, 25, 25])
      await settle(market, agent, [worker], 'approved', { workMinutes })
    await settle(market, agent, [worker, await market.worker()], 'approved', { workMinutes: 10 })
    await settle(market, agent, [worker], 'disputed', { workMinutes: 500 })
    await settle(market, agent, [worker], 'submitted', { workMinutes: 500 })

    const { body } = await worker.get('/worker/profile')

    assert.deepEqual(body.worker.stats, {
      completed: 5,
      disputed: 1,
      verdicts: 6,
      approval_rate: 5 / 6,
      avg_minutes: 25,
    })
    assert.deepEqual(body.worker.badges, ['email_verified', 'first_task'])
  })

  test('tells no rate and no average from fewer than five cases', async () => {
    const agent = await market.agent({ balanceCents: 100_000 })
    const worker = await market.worker()
    for (const verdict of ['approved', 'approved', 'approved', 'disputed'] as const)
      await settle(market, agent, [worker], verdict, { workMinutes: 20 })

    const { body } = await worker.get('/worker/profile')

    assert.deepEqual(body.worker.stats, {
      completed: 3,
      disputed: 1,
      verdicts: 4,
      approval_rate: null,
      avg_minutes: null,
    })
    assert.equal(body.worker.trust_score, 63)
  })

  test('shows the earned badges', async () => {
    const agent = await market.agent({ balanceCents: 1_000_000 })
    const worker = await market.worker()
    for (let n = 0; n < 20; n += 1)
      await settle(market, agent, [worker], 'approved', {
        at: new Date(market.now().getTime() - (n % 7) * DAY),
        fields: { type: 'field_mission' },
      })
    await market.asOwner('update workers set payouts_ready_at = now() where id = $1', [worker.id])

    const { body } = await worker.get('/worker/profile')

    assert.deepEqual(body.worker.badges, [
      'email_verified',
      'payout_ready',
      'first_task',
      'streak_7',
      'fast_responder',
      'field_pro',
    ])
    assert.equal(body.worker.level, 2)
  })

  test('shows the status of the payout account', async () => {
    const statuses = ['onboarding', 'pending_verification', 'active', 'restricted', 'closed']
    for (const status of statuses) {
      const worker = await market.worker()
      await market.asOwner(
        `insert into payout_accounts (worker_id, account_id, country, email, name, status, created_at, updated_at)
         values ($1, 'acct_' || $1, 'US', 'w@example.com', 'W', $2, now(), now())`,
        [worker.id, status],
      )

      const { body } = await worker.get('/worker/profile')

      assert.equal(body.worker.payout_status, status)
    }
  })

  test('shows no account before the processor has created it', async () => {
    const worker = await market.worker()
    await market.asOwner(
      `insert into payout_accounts (worker_id, country, email, name, created_at, updated_at)
       values ($1, 'US', 'w@example.com', 'W', now(), now())`,
      [worker.id],
    )

    const { body } = await worker.get('/worker/profile')

    assert.equal(body.worker.payout_status, 'not_connected')
  })

  test('never shows the password hash', async () => {
    const worker = await market.worker()

    const { text } = await worker.get('/worker/profile')

    assert(!text.includes('password') && !text.includes('hash'))
  })

  test('401 without a token, and with an API key', async () => {
    const agent = await market.agent()

    const replies = [
      await market.call('GET', '/worker/profile'),
      await agent.get('/worker/profile'),
    ]

    for (const { status, body } of replies) {
      assert.equal(status, 401)
      assert.equal(body.code, 'invalid_token')
    }
  })
})

describe('the task types in the preferences', () => {
  test('are the existing ones', () => {
    assert.deepEqual(WISHES.types.element.options, [...TYPES])
  })
})
