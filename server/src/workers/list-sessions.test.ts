import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { marketplace } from '../../test/harness.ts'
import { openBrowser, signUp } from '../../test/people.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const PHONE =
  'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36'

const market = await marketplace({ mail: true })

describe('GET /worker/sessions', () => {
  test('200: the devices in words, the newest first, and which one this is', async () => {
    const person = await signUp(market)
    const api = await person.logIn()
    market.advance(HOUR)
    const phone = openBrowser(market)
    const { email, password } = person
    await phone.post('/worker/session', { email, password }, { 'user-agent': PHONE })

    const { status, body } = await phone.get('/worker/sessions')

    assert.equal(status, 200)
    assert.deepEqual(
      body.sessions.map(({ browser, system, is_current }: Record<string, unknown>) => [
        browser,
        system,
        is_current,
      ]),
      [
        ['Chrome', 'Android', true],
        [null, null, false],
      ],
    )
    const seen = await market.client(api.body.token).get('/worker/sessions')
    assert.deepEqual(
      seen.body.sessions.map(({ is_current }: { is_current: boolean }) => is_current),
      [false, true],
    )
  })

  test('stores neither the User-Agent header nor an address', async () => {
    const person = await signUp(market)
    const { email, password } = person
    await openBrowser(market).post('/worker/session', { email, password }, { 'user-agent': PHONE })

    const [row] = await market.asOwner(
      'select s::text from worker_sessions s where worker_id = $1',
      [person.id],
    )

    assert.doesNotMatch(String(row!.s), /Pixel|537|127\.0/)
  })

  test('the last use is updated at most once an hour', async () => {
    const person = await signUp(market)
    const { body } = await person.logIn()
    const session = market.client(body.token)
    const usedAt = async () => (await session.get('/worker/sessions')).body.sessions[0].used_at
    const first = await usedAt()

    market.advance(HOUR / 2)
    const soon = await usedAt()
    market.advance(HOUR)
    await session.get('/worker/profile')
    const later = await usedAt()

    assert.equal(soon, first)
    assert.equal(later, market.now().toISOString())
  })

  test('lists no session of another worker, and none that has expired', async () => {
    const [person, other] = [await signUp(market), await signUp(market)]
    await other.logIn()
    await person.logIn()
    market.advance(8 * DAY)

    const { body } = await market.client((await person.logIn()).body.token).get('/worker/sessions')

    assert.equal(body.sessions.length, 1)
  })

  test('the fiftieth newest stays, an older one is logged out', async () => {
    const person = await signUp(market)
    const first = (await person.logIn()).body.token
    const second = (await person.logIn()).body.token
    await market.asOwner(
      `insert into worker_sessions select 'wss_' || i, worker_id, 1, null, null, created_at, used_at + interval '1 s',
         expires_at from worker_sessions, generate_series(1, 48) i where worker_id = $1
         and id = (select min(id) from worker_sessions where worker_id = $1)`,
      [person.id],
    )

    await person.logIn()

    const { body } = await market.client(second).get('/worker/sessions')
    assert.equal(body.sessions.length, 50)
    assert.equal((await market.client(first).get('/worker/profile')).status, 401)
  })
})
