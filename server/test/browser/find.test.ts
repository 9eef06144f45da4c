import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { TestWorker } from '../harness.ts'
import { openHome, openPhone, type Phone } from './phone.ts'
import { WEDEL } from './scene.ts'

const { market, origin: HOME } = await openHome({ clock: 'real' })
const WEALTH = { balanceCents: 10_000_000, freeTasks: false }
const atlas = await market.agent({ name: 'Atlas Maps', ...WEALTH })
const brandloop = await market.agent({ name: 'Brandloop', ...WEALTH })

/** Far away, so tasks of one test don't show up in another test's list. */
const OSAKA = { label: 'Osaka', lat: 34.69, lng: 135.5, radius_km: 10 }
const BAKERY = 'Is the bakery on Moorweg open right now?'
const LABELS = 'Photograph five oat-milk price labels'

describe('Find, on a phone', () => {
  test('lists tasks with pay first, then agent, distance, duration, and reasons', async () => {
    // Rates are shown from five verdicts on.
    for (let i = 0; i < 5; i++) await market.taskIn(atlas, 'completed', { budget_cents: 500 })
    await offerAround(WEDEL)
    const ada = await market.worker({ name: 'Ada', location: WEDEL })
    const { phone, page } = await openAs(ada)

    await page.getByText(/tasks? for you/).waitFor()
    await phone.look('find-1-list')
    const card = page.getByRole('article').filter({ hasText: BAKERY })
    const shown = await card.innerText()
    const last = await page.getByRole('article').last().innerText()
    await phone.close()

    assert.match(shown, /\$4\.10\s*you get/)
    assert.match(shown, /Atlas Maps · pays 100% · decides in ~1 min/)
    assert.match(shown, /[2-4]00 m/)
    assert.match(shown, /about 2\d min · \$1\d\/hr/)
    assert.match(shown, /photo/)
    assert.match(shown, /40 min left/)
    assert.match(last, /Unlocks at level 2/)
  })

  test('chips and the filter sheet narrow the list, and persist', async () => {
    const ada = await market.worker({ location: WEDEL })
    const { phone, page } = await openAs(ada)
    const titles = () => page.getByRole('article').getByRole('heading').allInnerTexts()

    await page.getByText(BAKERY).waitFor()
    await page.getByRole('button', { name: 'Remote' }).tap()
    await page.getByText(BAKERY).waitFor({ state: 'detached' })
    const remote = await titles()
    await page.getByRole('button', { name: 'Remote' }).tap()

    await page.getByRole('button', { name: 'More filters' }).tap()
    await page.getByRole('dialog').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'photo' }).tap()
    await page.getByRole('textbox', { name: 'Minimum pay' }).fill('14')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: /Show 1 task/ }).waitFor()
    await phone.look('find-2-filter')
    await page.getByText('Save as alert').tap()
    await page.getByRole('button', { name: /Show 1 task/ }).tap()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    const filtered = await titles()
    await page.reload()
    await page.getByText(LABELS).waitFor()
    const afterReload = await titles()
    const alert = await ada.get('/worker/alert')
    await phone.close()

    assert(remote.every((title) => ![BAKERY, LABELS].includes(title)))
    assert.deepEqual(filtered, [LABELS])
    assert.deepEqual(afterReload, [LABELS])
    assert.notEqual(alert.body.alert, null)
  })

  test('“Near me” asks for the position, and nothing else does', async () => {
    const ada = await market.worker()
    const { phone, page } = await openAs(ada, {
      permissions: ['geolocation'],
      position: { latitude: WEDEL.lat, longitude: WEDEL.lng, accuracy: 8 },
    })
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url()))

    await page.getByText(/tasks? for you/).waitFor()
    const before = asked.filter((url) => url.includes('lat='))
    await page.getByRole('button', { name: 'Near me' }).tap()
    await page
      .getByText(/\d00 m/)
      .first()
      .waitFor()
    const after = asked.filter((url) => url.includes('lat=53.582'))
    await phone.close()

    assert.deepEqual(before, [])
    assert(after.length > 0)
  })

  test('an empty list says why, offers an alert, and extends the search', async () => {
    const ada = await market.worker({ location: { ...OSAKA, radius_km: 5 } })
    await offer(brandloop, {
      description: 'Is the lift running?',
      location: spot(OSAKA, 8),
      type: 'verification',
    })
    const { phone, page } = await openAs(ada)

    await page.getByRole('button', { name: 'Near me' }).tap()
    await page.getByText('No matching tasks right now').waitFor()
    await page.getByRole('button', { name: 'Near me' }).tap()
    await page.getByRole('button', { name: 'More filters' }).tap()
    await page.getByRole('dialog').getByRole('button', { name: 'video' }).tap()
    await page.getByRole('button', { name: 'Show no tasks' }).tap()
    await page.getByText('No open tasks match your filters').waitFor()
    await phone.look('find-3-empty')
    await page.getByRole('button', { name: 'Notify me' }).tap()
    await page.getByText('We’ll notify you when there’s a new task').waitFor()
    await page.getByRole('button', { name: 'Clear filters' }).tap()
    await page.getByRole('article').first().waitFor()
    const alert = await ada.get('/worker/alert')
    await phone.close()

    assert.notEqual(alert.body.alert, null)
  })

  test('a loading error is shown, and a retry loads the list', async () => {
    const ada = await market.worker({ location: WEDEL })
    const phone = await openPhone()
    const { page } = phone
    await phone.as(ada, HOME)
    await page.route('**/api/v1/worker/feed?*', (route) =>
      route.fulfill({
        status: 400,
        json: { error: 'No', code: 'server_error', request_id: 'req_7Hs2Kd' },
      }),
    )
    await phone.open(HOME)

    await page.getByText('This didn’t load').waitFor()
    await phone.look('find-4-failed')
    await page.getByText('Reference req_7Hs2Kd').waitFor()
    await page.unroute('**/api/v1/worker/feed?*')
    await page.getByRole('button', { name: 'Try again' }).tap()
    await page.getByText(BAKERY).waitFor()
    await phone.close()
  })

  test('a loaded list is available offline, with its time', async () => {
    const ada = await market.worker({ location: WEDEL })
    const { phone, page } = await openAs(ada, { forgives: /net::ERR_FAILED/ })
    await page.getByText(BAKERY).waitFor()
    await phone.context.route('**/api/v1/**', (route) => route.abort())

    await page.reload()
    await page.getByText(BAKERY).waitFor()
    await page.getByRole('button', { name: 'Near me' }).tap()
    await page.getByText(/Last updated .* Some tasks may be gone/).waitFor()
    await phone.look('find-5-stale')
    await page.getByRole('link', { name: BAKERY }).tap()
    await phone.heading(BAKERY)
    await phone.close()
  })

  test('the first steps are shown until they are done', async () => {
    const [novice, expert] = [
      await market.worker({ location: WEDEL }),
      await market.worker({ location: WEDEL, approvals: 30 }),
    ]
    const seen = async (worker: TestWorker) => {
      const { phone, page } = await openAs(worker)
      await page.getByText(BAKERY).waitFor()
      await page.getByText('Add your bank account').waitFor()
      const count = await page.getByRole('link', { name: 'Practice with the camera' }).count()
      await phone.close()
      return count
    }

    assert.equal(await seen(novice), 1)
    assert.equal(await seen(expert), 0)
  })
})

describe('a task before it is accepted, on a phone', () => {
  test('shows the pay and its calculation, the requirements, and the agent', async () => {
    const ada = await market.worker({ location: WEDEL })
    const id = await offer(atlas, {
      title: 'Does this door open by itself?',
      description: 'Stand in front of the door.\nWalk towards it. Do not touch it.',
      location: { address: '12 Secret Lane', ...spot(WEDEL, 0.5) },
      criteria: [
        { id: 'whole', text: 'The whole door is in the photo' },
        { id: 'time', text: 'The time can be read' },
      ],
      proof_required: 'photo',
      type: 'verification',
      budget_cents: 500,
      consensus_count: 1,
    })
    const { phone, page } = await openAs(ada, {}, `/task/${id}`)

    await phone.heading('Does this door open by itself?')
    await page.getByText('What your work must show').waitFor()
    await phone.look('task-1-detail')
    await page.getByRole('button', { name: 'How this is calculated' }).tap()
    await phone.look('task-2-money')
    const shown = await page.locator('main').innerText()
    const accept = await page.getByRole('button', { name: /^Accept/ }).innerText()
    await phone.close()

    assert.match(shown, /\$4\.10\s*you get/)
    assert.match(shown, /\$5\.00/)
    assert.match(shown, /Marketplace fee 18%\s*-\$0\.90/)
    assert.match(shown, /15 min of work and 1\d min of walking/)
    assert.match(shown, /The time can be read/)
    assert.doesNotMatch(shown, /Secret Lane/)
    assert.match(accept, /4 hr to finish/)
  })

  test('is accepted with one tap, which leads to the work; the URL then leads there directly', async () => {
    const ada = await market.worker()
    const id = await offer(brandloop, {
      title: 'Does this logo look like a bank you would trust?',
      description: 'Look, and say what you think.',
      type: 'gut_check',
      consensus_count: 5,
      budget_cents: 1500,
    })
    const { phone, page } = await openAs(ada, {}, `/task/${id}`)

    await page.getByText('You’re one of 5').waitFor()
    await phone.look('task-3-consensus')
    await page.getByRole('button', { name: /^Accept/ }).tap()
    await page.waitForURL(`**/active/${id}`)
    await page.goto(`${HOME}/task/${id}`)
    await page.waitForURL(`**/active/${id}`)
    const { body } = await ada.get(`/worker/tasks/${id}`)
    await phone.close()

    assert.equal(body.assignment.status, 'accepted')
  })

  test('that was taken meanwhile says so, and the next is one tap away', async () => {
    const ada = await market.worker({ location: WEDEL })
    const faster = await market.worker()
    const id = await offer(brandloop, { title: 'Count the chairs', description: 'How many?' })
    const { phone, page } = await openAs(ada)
    await page.getByRole('link', { name: 'Count the chairs' }).tap()
    await page.getByRole('button', { name: /^Accept ·/ }).waitFor()
    assert.equal((await faster.post(`/worker/tasks/${id}/accept`)).status, 200)

    await page.getByRole('button', { name: /^Accept/ }).tap()
    await page.getByText('Someone else took this task first').waitFor()
    await phone.look('task-4-taken')
    await page.getByRole('link', { name: /^Next/ }).tap()
    await page.getByRole('button', { name: /^Accept/ }).waitFor()
    await page.goto(`${HOME}/task/${id}`)
    await page.getByText('Task not available').waitFor()
    await phone.look('task-5-gone')
    await phone.close()
  })

  test('that needs a higher level can be viewed, and says what is missing', async () => {
    const ada = await market.worker()
    const id = await offer(brandloop, {
      title: 'Sign for a parcel',
      description: 'Wait for it.',
      min_worker_level: 2,
    })
    const { phone, page } = await openAs(ada, {}, `/task/${id}`)

    await page.getByText('You need level 2').waitFor()
    await phone.look('task-6-locked')
    const accept = await page.getByRole('button', { name: /^Accept/ }).count()
    await phone.close()

    assert.equal(accept, 0)
  })

  test('names a missing skill or language, and one tap leads to where it is added', async () => {
    const ada = await market.worker()
    const id = await offer(brandloop, {
      title: 'Read the menu aloud',
      description: 'All of it.',
      skills: ['driving'],
      languages: ['pt-br'],
    })
    const { phone, page } = await openAs(ada, {}, `/task/${id}`)

    await page.getByText('Missing from your profile: Driving and Brazilian Portuguese').waitFor()
    const before = await page.getByRole('button', { name: /^Accept/ }).count()
    await phone.look('task-7-missing')
    await page.getByRole('link', { name: 'Update your profile' }).tap()
    await page.getByRole('button', { name: 'Driving' }).tap()
    await page.getByLabel('Add a language').selectOption({ label: 'Brazilian Portuguese' })
    await page.getByRole('button', { name: 'Save' }).tap()
    await page.getByText('Saved').waitFor()
    await phone.look('task-8-added')
    await page.getByRole('link', { name: 'Back to the task' }).tap()
    await page.getByRole('button', { name: /^Accept/ }).tap()
    await page.waitForURL(/\/active\//)
    await phone.close()

    assert.equal(before, 0)
  })

  test('an agent can be hidden, and shown again', async () => {
    const ada = await market.worker({ location: WEDEL })
    const { phone, page } = await openAs(ada)
    const muted = async () =>
      (await ada.get('/worker/profile')).body.worker.preferences.muted_agents as string[]

    await page.getByRole('link', { name: BAKERY }).tap()
    await page.getByRole('button', { name: 'Hide this agent' }).tap()
    await page.getByText('You won’t see this agent’s tasks').waitFor()
    const hidden = await muted()
    await phone.look('task-7-agent-hidden')
    await page.getByRole('link', { name: 'All tasks' }).tap()
    await page.getByText(/tasks? for you/).waitFor()
    await page.getByText(BAKERY).waitFor({ state: 'detached' })
    await page.goBack()
    await page.getByRole('button', { name: 'Hide this agent' }).waitFor()
    await phone.close()

    assert.deepEqual(hidden, [atlas.id])
  })

  test('can be accepted from the list by keyboard only', async () => {
    const ada = await market.worker({ location: WEDEL })
    await offer(brandloop, { title: 'Read this aloud', description: 'Read it.', type: 'gut_check' })
    const { phone, page } = await openAs(ada)
    await page.getByText('Read this aloud').waitFor()

    await phone.enter('Read this aloud')
    await page.getByRole('button', { name: /^Accept/ }).waitFor()
    await phone.enter('Accept')
    await page.waitForURL('**/active/*')
    await phone.close()
  })
})

async function offer(
  agent: typeof atlas,
  fields: Record<string, unknown> & { description: string },
): Promise<string> {
  const { status, text, body } = await agent.post('/tasks', { budget_cents: 1000, ...fields })
  assert.equal(status, 201, text)
  await market.events()
  return body.task.id as string
}

async function offerAround(place: typeof WEDEL): Promise<void> {
  await offer(atlas, {
    description: `${BAKERY} Stand in front of the door.`,
    location: spot(place, 0.3),
    type: 'verification',
    proof_required: 'photo',
    budget_cents: 500,
    deadline: '40m',
  })
  await offer(atlas, {
    title: LABELS,
    description: 'In the shop at the station.',
    location: spot(place, 0.5),
    type: 'field_mission',
    proof_required: 'photo',
    budget_cents: 1800,
    deadline: '5h',
  })
  await offer(brandloop, {
    title: 'Does this logo look like a bank you would trust?',
    description: 'Look, and say what you think.',
    type: 'gut_check',
    consensus_count: 5,
    budget_cents: 1500,
    deadline: '2h',
  })
  await offer(brandloop, {
    title: 'Wait for the technician and let her in',
    description: 'She comes between nine and twelve.',
    type: 'field_mission',
    location: spot(place, 1.2),
    budget_cents: 9000,
  })
}

/** The point `km` kilometers to the north. */
const spot = ({ lat, lng }: { lat: number; lng: number }, km: number) => ({
  lat: lat + km / 111.2,
  lng,
})

async function openAs(
  worker: TestWorker,
  options: Parameters<typeof openPhone>[0] = {},
  address = '/',
): Promise<{ phone: Phone; page: Phone['page'] }> {
  const phone = await openPhone(options)
  await phone.as(worker, HOME)
  await phone.open(HOME + address)
  return { phone, page: phone.page }
}
