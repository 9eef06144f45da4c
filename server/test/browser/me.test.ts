import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Json, marketplace, type TestWorker } from '../harness.ts'
import { openPhone, press, until } from './phone.ts'

const market = await marketplace()
const { origin } = new URL(market.server.addresses.api!)
const agent = await market.agent({ balanceCents: 100_000 })

const profileOf = async (worker: TestWorker) =>
  (await worker.get('/worker/profile')).body.worker as Json

describe('the profile page', () => {
  test('shows level, trust and badges, keeps the appearance, and logs out', async () => {
    const task = await market.taskIn(agent, 'completed')
    const worker = task.workers[0]!
    const phone = await openPhone()
    const { page } = phone
    await phone.as(worker, origin)

    await phone.open(`${origin}/me`)
    await page.getByText('First task', { exact: true }).waitFor()
    await phone.look('me-1-me')
    await page.getByText('Dark', { exact: true }).tap()
    await page.reload()
    await page.getByText('First task', { exact: true }).waitFor()
    assert.equal(await page.locator('html').getAttribute('data-theme'), 'dark')
    await page.getByText('System', { exact: true }).tap()
    await press(phone, 'English')
    await page.getByRole('dialog').getByRole('radio', { name: 'English' }).waitFor()
    await press(phone, 'Close')
    await press(phone, 'Log out')
    await phone.look('me-2-log-out')
    await page.getByRole('dialog').getByRole('button', { name: 'Log out', exact: true }).tap()

    await page.waitForURL(`${origin}/hello`)
    assert.deepEqual(await phone.context.cookies(), [])
    await phone.open(`${origin}/me`)
    await phone.heading('Log in')
    await phone.close()
  })

  test('after a logout everywhere, another phone asks for a login and returns to its page', async () => {
    const worker = await market.worker()
    const [one, other] = [await openPhone(), await openPhone()]
    for (const phone of [one, other]) await phone.as(worker, origin)
    await other.open(`${origin}/board`)
    await other.heading('Leaderboard')
    await one.open(`${origin}/me`)

    await press(one, 'Log out on all devices')
    await one.page.getByRole('dialog').getByRole('button', { name: 'Log out on all devices' }).tap()
    await one.page.waitForURL(`${origin}/hello`)
    await other.page.getByText('Month', { exact: true }).tap()

    await other.heading('Log in')
    await other.page.getByText('You were logged out.').waitFor()
    assert.match(other.page.url(), /next=%2Fboard$/)
    await one.close()
    await other.close()
  })

  test('saves changes of the profile', async () => {
    const worker = await market.worker({
      name: 'Ada',
      preferences: { muted_agents: [agent.id], muted_names: { [agent.id]: 'Atlas Maps' } },
    })
    const phone = await openPhone()
    const { page } = phone
    await phone.as(worker, origin)
    await phone.open(`${origin}/me/profile`)
    await page.getByLabel('Name', { exact: true }).fill('Ada L.')
    await page.getByRole('combobox', { name: 'City or town' }).fill('Berlin')
    await page.getByRole('textbox', { name: 'How far would you go?' }).fill('25')
    await page.getByRole('button', { name: 'Photography' }).tap()
    await page.getByLabel('Add a language').selectOption({ label: 'German' })
    await page.getByRole('button', { name: 'Visit a place' }).tap()
    await page.getByLabel('Minimum pay in $').fill('4.50')
    await page.getByText('Show me on the leaderboard').tap()
    await phone.look('me-3-profile')
    await press(phone, 'Show again: Atlas Maps')
    await press(phone, 'Save')
    await page.getByText('Saved').waitFor()
    await phone.close()

    const { name, location, skills, languages, preferences } = await profileOf(worker)
    assert.deepEqual(
      { name, skills, languages, preferences: { ...preferences, muted_names: 0 } },
      {
        name: 'Ada L.',
        skills: ['photography'],
        languages: ['de'],
        preferences: {
          types: ['field_mission'],
          min_pay_cents: 450,
          leaderboard: false,
          muted_names: 0,
        },
      },
    )
    const { label, radius_km } = location
    assert.deepEqual({ label, radius_km }, { label: 'Berlin, Germany', radius_km: 25 })
  })
})

describe('public pages', () => {
  test('anybody sees name, level and badges of a worker, and a message for an unknown one', async () => {
    const worker = await market.worker({ name: 'Ada', approvals: 30 })
    const phone = await openPhone()
    await phone.open(`${origin}/u/${worker.id}`)
    await phone.page.getByText('Email confirmed').waitFor()
    await phone.page.getByText('30', { exact: true }).waitFor()
    await phone.look('me-4-public')
    assert.equal(await phone.page.getByText(worker.email).count(), 0)

    await phone.open(`${origin}/u/worker_00000000000000000000000000`)
    await phone.page.getByText('Profile not found').first().waitFor()
    await phone.close()
  })

  test('the leaderboard marks the worker, and leaves out those who opted out', async () => {
    const { workers } = await market.taskIn(agent, 'completed')
    await market.taskIn(agent, 'completed')
    const me = workers[0]!
    const phone = await openPhone()
    const { page } = phone
    await phone.as(me, origin)
    await phone.open(`${origin}/board`)
    await page.getByText(`${me.name} (you)`).waitFor()
    assert.equal(await page.locator('li[aria-current]').count(), 1)
    await phone.look('me-5-board')

    await me.put('/worker/profile', { preferences: { leaderboard: false } })
    await page.reload()
    await page.getByText('You’re not on the leaderboard.').waitFor()
    assert.equal(await page.getByText(me.name).count(), 0)
    await phone.close()
  })
})

describe('notifications', () => {
  test('switches, quiet hours and the daily maximum are saved on change', async () => {
    const worker = await market.worker()
    const phone = await openPhone({ permissions: ['notifications'] })
    const { page } = phone
    await phone.as(worker, origin)
    await phone.open(`${origin}/me/notify`)
    await page.getByText('Half my time is gone').tap()
    await page.getByText('Quiet hours').tap()
    await page.getByLabel('From').fill('21:30')
    await page.getByLabel('Maximum new task alerts per day').selectOption('5')
    await phone.look('me-6-notify')

    const { notify } = await until(async () => {
      const { preferences } = await profileOf(worker)
      return preferences.notify?.new_tasks_per_day === 5 && (preferences as Json)
    })
    const { tz, ...quiet } = notify.quiet
    assert.equal(typeof tz, 'string')
    assert.deepEqual(
      { ...notify, quiet },
      { half_time: false, new_tasks_per_day: 5, quiet: { from: '21:30', to: '07:00' } },
    )
    await phone.close()
  })

  test('a user who denied them sees how to allow them again', async () => {
    const phone = await openPhone()
    await phone.as(await market.worker(), origin)

    await phone.open(`${origin}/me/notify`)

    await phone.page.getByText('Your browser blocks notifications from this page.').waitFor()
    await phone.look('me-7-notify-denied')
    await phone.close()
  })

  test('an unreachable push service is reported, and nothing is switched on', async () => {
    const worker = await market.worker()
    const phone = await openPhone({ permissions: ['notifications'] })
    await phone.as(worker, origin)
    await phone.open(`${origin}/me/notify`)

    await phone.page.getByText('On this phone').tap()

    await phone.page.getByText('couldn’t reach its notification service').waitFor()
    assert.deepEqual((await worker.get('/worker/push')).body.subscriptions, [])
    // phone.close() would fail: Chromium logs to its console why push is unavailable in this kind of browser.
    await phone.context.close()
  })

  test('can be switched on, tested and off on this phone; logging out ends them, too', async () => {
    const worker = await market.worker()
    const phone = await openPhone({ permissions: ['notifications'] })
    const { page } = phone
    const devices = async () => (await worker.get('/worker/push')).body.subscriptions as unknown[]
    // This Chromium has no push service, so the script supplies a subscription.
    await page.addInitScript({ content: `(${String(givesSubscriptions)})()` })
    await phone.as(worker, origin)
    await phone.open(`${origin}/me/notify`)
    const toggle = page.getByText('On this phone')

    await toggle.tap()
    await press(phone, 'Send a test')
    await page.getByText('Sent. If nothing arrives').waitFor()
    assert.equal((await devices()).length, 1)
    await phone.look('me-8-notify-on')
    await toggle.tap()
    await page.getByText('Your phone will ask for permission.').waitFor()
    assert.equal((await devices()).length, 0)
    await toggle.tap()
    await page.getByText('You get notifications here').waitFor()
    await phone.open(`${origin}/me`)
    await press(phone, 'Log out')
    await page.getByRole('dialog').getByRole('button', { name: 'Log out', exact: true }).tap()
    await page.waitForURL(`${origin}/hello`)

    assert.equal((await devices()).length, 0)
    await phone.close()
  })
})

test('installing the app is offered after the first pay, and not again once refused', async () => {
  const { workers } = await market.taskIn(agent, 'completed')
  const phone = await openPhone()
  const { page } = phone
  await phone.as(workers[0]!, origin)
  await phone.open(origin)
  await page.getByRole('navigation', { name: 'Main' }).waitFor()
  const offer = `dispatchEvent(Object.assign(new Event('beforeinstallprompt'), { prompt: async () => { window.asked = true } }))`
  await page.evaluate(offer)
  await press(phone, 'Not now')
  await page.reload()
  await page.getByRole('navigation', { name: 'Main' }).waitFor()
  await page.evaluate(offer)
  assert.equal(await page.getByText('Add to home screen').count(), 0)

  await page.getByRole('link', { name: 'Me', exact: true }).tap()
  await press(phone, 'Add')

  assert.equal(await page.evaluate('window.asked'), true)
  await phone.close()
})

/** Runs in the page. */
function givesSubscriptions(): void {
  const manager = (globalThis as any).PushManager.prototype
  // The base point of the curve: a valid public key.
  const p256dh =
    'BGsX0fLhLEJH-Lzm5WOkQPJ3A32BLeszoPShOUXYmMKWT-NC4v4af5uO5-tKfA-eFivOM1drMV7Oy7ZAaDe_UfU'
  let isOn = (globalThis as any).localStorage.getItem('legwork.push') !== null
  const subscription = {
    options: { applicationServerKey: null as ArrayBuffer | null },
    toJSON: () => ({
      endpoint: 'https://127.0.0.1:9/push',
      keys: { p256dh, auth: 'AAAAAAAAAAAAAAAAAAAAAA' },
    }),
    unsubscribe: async () => {
      isOn = false
      return true
    },
  }
  manager.subscribe = async ({ applicationServerKey }: { applicationServerKey: string }) => {
    const base64 = applicationServerKey.replaceAll('-', '+').replaceAll('_', '/')
    const bytes = Uint8Array.from(atob(base64), (byte) => byte.charCodeAt(0))
    subscription.options.applicationServerKey = bytes.buffer
    isOn = true
    return subscription
  }
  manager.getSubscription = async () => (isOn ? subscription : null)
}
