import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { marketplace } from '../../test/harness.ts'
import { mintId } from '../kit/ids.ts'

const market = await marketplace()

describe('PUT /worker/profile', () => {
  test('[4.5-profile-update] changes skills, place and preferences, and responds like GET', async () => {
    const worker = await market.worker()

    const { status, body } = await worker.put('/worker/profile', {
      name: '  Ada Lovelace ',
      skills: ['photography', 'german'],
      languages: ['de', 'pt-br'],
      location: 'Berlin, Germany',
      preferences: { types: ['verification'], min_pay_cents: 500, notify: { email: false } },
    })

    assert.equal(status, 200)
    assert.equal(body.worker.name, 'Ada Lovelace')
    assert.deepEqual(body.worker.skills, ['photography', 'german'])
    assert.deepEqual(body.worker.languages, ['de', 'pt-br'])
    assert.match(body.worker.location.label, /Berlin/)
    assert(Math.abs(body.worker.location.lat - 52.5) < 0.3)
    assert(Math.abs(body.worker.location.lng - 13.4) < 0.3)
    assert.equal(body.worker.location.radius_km, 10)
    assert.deepEqual(body.worker.preferences, {
      types: ['verification'],
      min_pay_cents: 500,
      notify: { email: false },
    })
    assert.equal(body.warnings, undefined)
    assert.deepEqual((await worker.get('/worker/profile')).body, body)
  })

  test('confirms once that the worker is an adult; accepting a task does not require it', async () => {
    const worker = await market.worker()
    await market.asOwner(
      'update workers set adult_confirmed_at = null, terms_version = null where id = $1',
      [worker.id],
    )
    const agent = await market.agent({ balanceCents: 5000 })
    const task = await market.taskIn(agent, 'pending', { budget_cents: 500 })
    const at = async () => (await worker.get('/worker/session')).body.worker.adult_confirmed_at

    const accepted = await worker.post(`/worker/tasks/${task.id}/accept`)
    const before = await at()
    const { status } = await worker.put('/worker/profile', { adult: true })
    const first = await at()
    market.advance(1000)
    await worker.put('/worker/profile', { adult: true })

    assert.deepEqual([accepted.status, status, before], [200, 200, null])
    assert(first !== null)
    assert.equal(await at(), first)
  })

  test('leaves omitted fields unchanged', async () => {
    const worker = await market.worker({
      name: 'Ada',
      skills: ['photo'],
      languages: ['en'],
      location: { label: 'Rome', lat: 41.9, lng: 12.5, radius_km: 30 },
      preferences: { min_pay_cents: 100 },
    })
    const before = await worker.get('/worker/profile')

    const nothing = await worker.put('/worker/profile', {})
    const one = await worker.put('/worker/profile', { skills: [] })

    assert.equal(nothing.status, 200)
    assert.deepEqual(nothing.body, before.body)
    assert.deepEqual(one.body.worker, { ...before.body.worker, skills: [] })
  })

  test('changes the language of the app and of emails, apart from the spoken languages', async () => {
    const worker = await market.worker({ languages: ['en'] })

    for (const app_language of ['ar', 'pt-BR', 'en']) {
      const { status, body } = await worker.put('/worker/profile', { app_language })

      assert.equal(status, 200)
      assert.equal(body.worker.app_language, app_language)
      assert.deepEqual(body.worker.languages, ['en'])
      assert.deepEqual((await worker.get('/worker/profile')).body, body)
    }
  })

  test('accepts skills and languages as comma-separated text, too', async () => {
    const worker = await market.worker()

    const { status, body } = await worker.put('/worker/profile', {
      skills: 'Photography, driving,, Photography',
      languages: 'English; pt_BR',
    })

    assert.equal(status, 200)
    assert.deepEqual(body.worker.skills, ['photography', 'driving'])
    assert.deepEqual(body.worker.languages, ['en', 'pt-br'])
    assert.equal(body.warnings, undefined)
  })

  test('stores skills and languages trimmed, in lower case and each once', async () => {
    const worker = await market.worker()

    const { body } = await worker.put('/worker/profile', {
      skills: [' Photo ', 'photo', 'PHOTO', 'Driving Licence'],
      languages: ['EN', ' en', 'zh-Hant-TW'],
    })

    assert.deepEqual(body.worker.skills, ['photo', 'driving licence'])
    assert.deepEqual(body.worker.languages, ['en', 'zh-hant-tw'])
  })

  describe('a place', () => {
    test('that is unknown is stored by its name only', async () => {
      const worker = await market.worker()

      const { status, body } = await worker.put('/worker/profile', {
        location: 'Grandma’s orchard',
      })

      assert.equal(status, 200)
      assert.deepEqual(body.worker.location, {
        label: 'Grandma’s orchard',
        lat: null,
        lng: null,
        radius_km: 10,
      })
      const [stored] = await market.asOwner('select location from workers where id = $1', [
        worker.id,
      ])
      assert.deepEqual(stored?.location, { label: 'Grandma’s orchard', radius_km: 10 })
    })

    test('with coordinates is stored unchanged', async () => {
      const worker = await market.worker()

      const named = await worker.put('/worker/profile', {
        location: { label: 'Home', lat: -33.9, lng: 151.2, radius_km: 3.5 },
      })
      const bare = await worker.put('/worker/profile', { location: { lat: 48.8566, lng: 2.3522 } })

      assert.deepEqual(named.body.worker.location, {
        label: 'Home',
        lat: -33.9,
        lng: 151.2,
        radius_km: 3.5,
      })
      assert.deepEqual(bare.body.worker.location, {
        label: '48.86, 2.35',
        lat: 48.8566,
        lng: 2.3522,
        radius_km: 10,
      })
    })

    test('from a response can be sent back, with another radius', async () => {
      const worker = await market.worker()
      for (const place of ['Grandma’s orchard', 'Paris']) {
        const { body } = await worker.put('/worker/profile', { location: place })
        const location = { ...body.worker.location, radius_km: 50 }

        const again = await worker.put('/worker/profile', { location })

        assert.deepEqual(again.body.worker.location, location)
      }
    })

    test('is removed by null', async () => {
      const worker = await market.worker()
      await worker.put('/worker/profile', { location: 'Paris' })

      const { body } = await worker.put('/worker/profile', { location: null })

      assert.equal(body.worker.location, null)
    })
  })

  describe('preferences', () => {
    test('keep keys of any app beside the known ones', async () => {
      const worker = await market.worker()
      const agentId = mintId('agent', market.now(), 7)
      const preferences = {
        types: ['custom'],
        min_pay_cents: 0,
        notify: {
          paid: false,
          quiet: { from: '22:00', to: '07:00', tz: 'Europe/Berlin' },
          new_tasks_per_day: 5,
          sound: 'bell',
        },
        muted_agents: [agentId],
        leaderboard: false,
        theme: { dark: true },
      }

      const { body } = await worker.put('/worker/profile', { preferences })

      assert.deepEqual(body.worker.preferences, preferences)
      assert.equal(body.warnings, undefined)
    })

    test('change key by key; null removes one', async () => {
      const worker = await market.worker({
        preferences: { leaderboard: false, min_pay_cents: 100, theme: 'dark' },
      })

      const { body } = await worker.put('/worker/profile', {
        preferences: { min_pay_cents: 200, theme: null },
      })

      assert.deepEqual(body.worker.preferences, { leaderboard: false, min_pay_cents: 200 })
    })

    test('of two concurrent changes are both kept', async () => {
      const worker = await market.worker()

      const replies = await Promise.all(
        Array.from({ length: 10 }, (_, n) =>
          worker.put('/worker/profile', { preferences: { [`key_${n}`]: n } }),
        ),
      )

      assert(replies.every(({ status }) => status === 200))
      const { body } = await worker.get('/worker/profile')
      assert.equal(Object.keys(body.worker.preferences).length, 10)
    })

    test('400 for more than 16 KB, also when added gradually', async () => {
      const worker = await market.worker()
      const half = 'x'.repeat(9000)

      const whole = await worker.put('/worker/profile', { preferences: { a: half + half } })
      const first = await worker.put('/worker/profile', { preferences: { a: half } })
      const second = await worker.put('/worker/profile', { preferences: { b: half } })

      assert.deepEqual([whole.status, first.status, second.status], [400, 200, 400])
      assert.deepEqual(second.body.details, [
        { path: 'preferences', message: 'must be at most 16 KB' },
      ])
      const { body } = await worker.get('/worker/profile')
      assert.deepEqual(Object.keys(body.worker.preferences), ['a'])
    })
  })

  for (const [path, body] of [
    ['name', { name: '   ' }],
    ['name', { name: 'x'.repeat(101) }],
    ['skills', { skills: 7 }],
    ['skills.0', { skills: `photo${'o'.repeat(50)}, driving` }],
    ['skills', { skills: Array.from({ length: 51 }, (_, n) => `skill ${n}`) }],
    ['skills.1', { skills: ['photo', ' '] }],
    ['skills.0', { skills: ['x'.repeat(51)] }],
    ['languages.0', { languages: ['not a language'] }],
    ['languages.0', { languages: ['e'] }],
    ['app_language', { app_language: 'pt' }],
    ['app_language', { app_language: 'ES' }],
    ['location', { location: ' ' }],
    ['location', { location: {} }],
    ['location', { location: { lat: 1 } }],
    ['location', { location: { label: 'Paris', lat: 1 } }],
    ['location.lat', { location: { lat: 91, lng: 0 } }],
    ['location.radius_km', { location: { lat: 0, lng: 0, radius_km: 0.5 } }],
    ['location.radius_km', { location: { lat: 0, lng: 0, radius_km: 201 } }],
    ['preferences', { preferences: [1] }],
    ['preferences', { preferences: 'none' }],
    ['preferences.types.0', { preferences: { types: ['housework'] } }],
    ['preferences.min_pay_cents', { preferences: { min_pay_cents: -1 } }],
    ['preferences.min_pay_cents', { preferences: { min_pay_cents: 1.5 } }],
    ['preferences.notify', { preferences: { notify: true } }],
    ['preferences.notify.paid', { preferences: { notify: { paid: 'no' } } }],
    [
      'preferences.notify.new_tasks_per_day',
      { preferences: { notify: { new_tasks_per_day: 21 } } },
    ],
    [
      'preferences.notify.quiet.from',
      { preferences: { notify: { quiet: { from: '24:00', to: '07:00', tz: 'UTC' } } } },
    ],
    [
      'preferences.notify.quiet.tz',
      { preferences: { notify: { quiet: { from: '22:00', to: '07:00', tz: 'Mars/Base' } } } },
    ],
    [
      'preferences.notify.quiet.tz',
      { preferences: { notify: { quiet: { from: '23:00', to: '07:00', tz: '+02:00' } } } },
    ],
    ['preferences.muted_agents.0', { preferences: { muted_agents: ['agent_1'] } }],
    ['preferences.leaderboard', { preferences: { leaderboard: 'no' } }],
  ] as const)
    test(`400 for ${JSON.stringify(body).slice(0, 60)}, and nothing changes`, async () => {
      const worker = await market.worker()
      const before = await worker.get('/worker/profile')

      const refused = await worker.put('/worker/profile', { ...body, languages: ['en'], ...body })

      assert.equal(refused.status, 400)
      assert.equal(refused.body.code, 'invalid_request')
      assert.equal(refused.body.details[0].path, path)
      assert.match(refused.body.details[0].message, /^(must|is) /)
      assert.deepEqual((await worker.get('/worker/profile')).body, before.body)
    })

  test('a read-only field has no effect, and is named in warnings', async () => {
    const worker = await market.worker()
    const before = await worker.get('/worker/profile')
    const own = {
      id: 'worker_1',
      email: 'someone@example.com',
      trust_score: 100,
      level: 5,
      badges: ['spotless_50'],
      stats: { completed: 1000 },
      approved_count: 1000,
      trust_good: 1e9,
      payout_status: 'active',
      status: 'closed',
      password_hash: 'x',
      identity_done_at: '2026-01-01T00:00:00Z',
    }

    const { status, body } = await worker.put('/worker/profile', own)

    assert.equal(status, 200)
    assert.deepEqual(body.worker, before.body.worker)
    assert.deepEqual(
      body.warnings.map(({ path }: { path: string }) => path),
      Object.keys(own),
    )
    assert.deepEqual((await worker.get('/worker/profile')).body, before.body)
  })

  test('401 without a token', async () => {
    const { status, body } = await market.call('PUT', '/worker/profile', { body: {} })

    assert.equal(status, 401)
    assert.equal(body.code, 'invalid_token')
  })
})
