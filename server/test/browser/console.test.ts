/**
 * The agents' console. Every screen passes axe in light and dark mode, has no touch target that is too small, and fits
 * a phone at 200% text size. The flows D5 to D9 of users.md lead to the right result, verified through the API.
 */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, test } from 'node:test'
import { atEnd } from '../hooks.ts'
import type { Json } from '../harness.ts'
import { setConsoleScene } from './console-scene.ts'
import { CONSOLE_SCREENS, type ConsoleScreen, DESK, openDesk } from './console-screens.ts'
import { focused, widthAt } from './in-page.js'
import {
  assertAccessible,
  assertBuilt,
  COLOR_RULES,
  inPage,
  IS_QUICK,
  NARROWEST,
  onNarrowest,
  openPhone,
  type Phone,
  until,
} from './phone.ts'
import { SCRIPT } from './scene.ts'

const APP = path.join(import.meta.dirname, '../../../web/console/app.tsx')
/** Minimum of WCAG 2.2; ours are 36 pixels high, and inline links 28. */
const TARGET_MIN = 24
const TABS = 40
const FITS = { width: NARROWEST, culprits: [] }
const LOOKED_AT = IS_QUICK
  ? CONSOLE_SCREENS.filter(
      ({ address }, at) => CONSOLE_SCREENS.findIndex((one) => one.address === address) === at,
    )
  : CONSOLE_SCREENS

const scene = await setConsoleScene()
const { market, atlas, origin } = scene
const desk = openDesk(scene)
atEnd(() => desk.close())

type Page = Phone['page']

const screenNamed = (name: string): ConsoleScreen => {
  const found = CONSOLE_SCREENS.find((screen) => screen.name === name)
  assert(found, `there is no screen ${name}`)
  return found
}

const button = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name, exact: typeof name === 'string' })
const inDialog = (page: Page) => page.getByRole('dialog')
const go = async (page: Page, address: string) => {
  await page.goto(`${origin}/console${address}`)
  await page.getByRole('heading', { level: 1 }).waitFor()
}
const taskOf = async (id: string): Promise<Json> => (await atlas.get(`/tasks/${id}`)).body.task
const statusOf = (id: string, status: string) =>
  until(async () => (await taskOf(id)).status === status, `${id} ${status}`)

describe('every screen of the console', () => {
  test('is in the table', () => {
    const source = readFileSync(APP, 'utf8')
    const addresses = [...source.matchAll(/^ {2}'(\/[^']*)':/gm)].map(([, address]) => address!)
    const known = new Set(CONSOLE_SCREENS.map(({ address }) => address))

    assert(addresses.length > 10)
    assert.deepEqual(
      addresses.filter((address) => !known.has(address)),
      [],
    )
  })

  for (const screen of LOOKED_AT)
    test(`${screen.name} is accessible`, async () => {
      const { page } = await desk.to(screen)

      await assertAccessible(page, `${screen.name}, light`)
      await page.emulateMedia({ colorScheme: 'dark' })
      await assertAccessible(page, `${screen.name}, dark`, { rules: COLOR_RULES })
      await page.emulateMedia({ colorScheme: 'light' })
      await assertBuilt(page, screen.name, { targetMin: TARGET_MIN })
      const [normal, large] = await onNarrowest(page, async () => [
        await inPage(page, widthAt, 100, NARROWEST),
        await inPage(page, widthAt, 200, NARROWEST),
      ])
      assert.deepEqual(normal, FITS, `${screen.name} fits a phone`)
      assert.deepEqual(large, FITS, `${screen.name} fits it with doubled font size`)
    })

  for (const name of ['console-overview', 'console-task', 'console-new-task', 'console-webhooks'])
    test(`on ${name} the focus is always visible`, async () => {
      const { page } = await desk.to(screenNamed(name))
      const wrong: string[] = []
      for (let i = 0; i < TABS; i += 1) {
        await page.keyboard.press('Tab')
        const now = await inPage(page, focused)
        if (now === undefined) break
        if (!now.isSeen) wrong.push(`${now.name}: not seen`)
        if (now.isCovered) wrong.push(`${now.name}: covered`)
      }
      assert.deepEqual(wrong, [])
    })

  test('shows texts of people unchanged', async () => {
    const phone = await desk.to(screenNamed('console-task-script'))
    const shown = await phone.page.locator('main').innerText()

    assert(shown.replaceAll(/\s+/g, ' ').includes(SCRIPT.slice(0, 20)))
    assert.deepEqual(phone.complaints, [])
  })
})

describe('beside the worker app', () => {
  test('the console has separate scripts, and the app’s service worker ignores it', async () => {
    const phone = await openPhone(DESK)
    const { page } = phone
    await phone.open(`${origin}/hello`)
    await until(() => page.evaluate<boolean>('navigator.serviceWorker.controller !== null'))
    const scripts: string[] = []
    page.on('request', (request) => {
      if (request.resourceType() === 'script') scripts.push(new URL(request.url()).pathname)
    })

    await phone.open(`${origin}/console/tasks`)
    await phone.heading('Agent console')

    assert(scripts.length > 0)
    assert.deepEqual(
      scripts.filter((file) => !file.startsWith('/assets/console/')),
      [],
    )
    await phone.close()
  })
})

describe('logging in', () => {
  test('works with a key, by keyboard; the key is not stored in the browser', async () => {
    const phone = await openPhone(DESK)
    const { page } = phone
    await phone.open(`${origin}/console/tasks`)

    await phone.type('API key', 'lw_live_wrong')
    await page.keyboard.press('Enter')
    await page.getByText('Invalid API key').waitFor()
    assert(await phone.hasFocus('input[aria-invalid=true]'))
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.type(atlas.api_key)
    await page.keyboard.press('Enter')

    await phone.heading('Tasks')
    const kept = await page.evaluate<string>(
      `JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, document.body.innerHTML])`,
    )
    assert(!kept.includes(atlas.api_key))
    await page.reload()
    await phone.heading('Tasks')

    await go(page, '/settings')
    await button(page, 'Log out').click()
    await phone.heading('Agent console')
    await page.goBack()
    await phone.heading('Agent console')
    await phone.close()
  })
})

describe('D7: reviewing work', () => {
  test('by keyboard: the proof is beside the question, the money effect is shown, and the task is approved', async () => {
    const id = await scene.prove()
    const { page } = await desk.to(screenNamed('console-waiting'))
    const shown = page.getByRole('list', { name: 'Tasks waiting for you' })
    const count = await shown.getByRole('button').count()
    for (let i = 1; i < count; i += 1) await page.keyboard.press('j')
    await button(page, /Photo 1 of 1/).waitFor()
    const before = await taskOf(id)
    assert.equal(before.status, 'proof_submitted')

    await page.keyboard.press('a')
    await inDialog(page).getByText('$5.00 → worker $4.10 + fee $0.90').waitFor()
    await page.keyboard.press('Enter')

    await statusOf(id, 'completed')
    assert.equal((await taskOf(id)).settlement.workers[0].net_cents, 410)
    await until(async () => (await shown.getByRole('button').count()) === count - 1)
  })

  test('a verdict never applies to another task: the judged task stays until the user moves on', async () => {
    const mine = await scene.prove()
    const { page } = await desk.to(screenNamed('console-waiting'))
    const shown = page.getByRole('list', { name: 'Tasks waiting for you' })
    const count = await shown.getByRole('button').count()
    const { total } = (await atlas.get('/tasks?status=proof_submitted')).body
    await shown.getByRole('button').last().click()
    await page.locator(`main a[href="/console/tasks/${mine}"]:visible`).waitFor()

    await page.keyboard.press('a')
    await inDialog(page)
      .getByText(/Approve “Does the door/)
      .waitFor()
    assert.equal((await atlas.post(`/tasks/${mine}/approve`)).status, 200)
    await page.getByText('Approved. $5.00 paid.').waitFor()
    await inDialog(page).waitFor({ state: 'hidden' })
    await page.keyboard.press('a')
    assert.equal(await inDialog(page).count(), 0)

    const left = (await atlas.get('/tasks?status=proof_submitted')).body.total
    assert.equal(left, total - 1)
    await until(async () => (await shown.getByRole('button').count()) === count - 1)
    await page.locator(`main a[href="/console/tasks/${mine}"]:visible`).waitFor()
    await button(page, 'Next').click()
    await button(page, 'Approve').waitFor()
  })

  test('a dispute needs a reason, which the worker reads', async () => {
    const id = await scene.prove()
    const { page } = await desk.to({ ...screenNamed('console-task'), at: () => `/tasks/${id}` })

    await button(page, 'Dispute…').click()
    await inDialog(page).getByText('$5.00 → back to your wallet').waitFor()
    await button(page, 'Dispute and refund').click()
    await inDialog(page).getByText('Enter a reason').waitFor()
    assert.equal((await taskOf(id)).status, 'proof_submitted')
    await page.keyboard.type('The sign is cut off.')
    await button(page, 'Dispute and refund').click()

    await statusOf(id, 'disputed')
    const told = await scene.people[0]!.get(`/worker/tasks/${id}`)
    assert.match(told.text, /The sign is cut off\./)
    await page.getByText('You disputed it').waitFor()
  })

  test('a revision request gives the same worker a note and a new timer', async () => {
    const id = await scene.prove()
    const { page } = await desk.to({ ...screenNamed('console-task'), at: () => `/tasks/${id}` })

    await button(page, 'Request revision…').click()
    await inDialog(page)
      .getByLabel('What should the worker change?')
      .fill('From the other side, please.')
    await button(page, 'Request revision').click()

    await statusOf(id, 'in_progress')
  })

  test('conflicting answers are shown side by side; the agent’s override is the result', async () => {
    const { page } = await desk.to(screenNamed('console-task-conflict'))
    await page.getByText('They disagree', { exact: true }).waitFor()
    const [verdict, first, second] = await Promise.all(
      ['2 of 2 answers', 'Proof 1 of 2', 'Proof 2 of 2'].map((name) =>
        page.getByRole('heading', { name }).boundingBox(),
      ),
    )
    assert(verdict!.y < first!.y, 'the verdict comes before the proofs')
    assert.equal(first!.y, second!.y)

    await page.getByLabel('Result').selectOption({ label: 'No' })
    await button(page, 'Override result and approve').click()

    await statusOf(scene.tasks.conflict, 'completed')
    const { consensus } = await taskOf(scene.tasks.conflict)
    assert.deepEqual([consensus.result, consensus.resolved_by], [false, 'agent'])
  })

  test('an appeal is answered', async () => {
    const { page } = await desk.to(screenNamed('console-task-appealed'))
    await page.getByText(/^Appealed, reply by /).waitFor()
    await page.getByText('Without a reply, the worker is paid').waitFor()

    await button(page, 'Reply to appeal…').click()
    await inDialog(page).getByLabel('Your reply').fill('There was one photo only.')
    await button(page, 'Send reply').click()

    await inDialog(page).waitFor({ state: 'hidden' })
    await page.getByText('There was one photo only.', { exact: true }).waitFor()
    const { dispute } = await taskOf(scene.tasks.appealed)
    assert.equal(dispute.appeals[0].agent_answer, 'There was one photo only.')
    await page.getByText('Appealed, an operator decides').waitFor()
  })

  test('a worker who holds the task is compensated when it is canceled', async () => {
    const { page } = await desk.to(screenNamed('console-task-cancel'))
    await inDialog(page).getByText('$3.00 → 1 worker').waitFor()

    await button(page, 'Cancel task').click()

    await statusOf(scene.tasks.held, 'cancelled')
    await page.getByRole('main').getByText('Canceled', { exact: true }).waitFor()
  })
})

describe('D6: an error', () => {
  test('the request_id of the error leads to the request, the response and a repeatable call', async () => {
    const { status, body } = await atlas.post('/tasks', { description: 'x', budget_cents: 0 })
    assert.equal(status, 400)
    await scene.logged(body.request_id as string)
    const { page } = await desk.to(screenNamed('console-overview'))

    await page.keyboard.press('/')
    await page.keyboard.type(body.request_id as string)
    await page.keyboard.press('Enter')

    await page.getByLabel('response body').getByText('"code": "invalid_request"').waitFor()
    await page.getByLabel('request body').getByText('"budget_cents": 0').waitFor()
    await page.getByLabel('call', { exact: true }).getByText('$LEGWORK_API_KEY').waitFor()
    await page.getByText('TypeScript', { exact: true }).click()
    await page.getByLabel('call', { exact: true }).getByText('legwork.tasks.create').waitFor()
    const meaning = page.getByRole('link', { name: /What invalid_request means/ })
    assert.equal(await meaning.getAttribute('href'), '/docs/errors/invalid_request')
  })
})

describe('D8: money', () => {
  test('shows the balance, its use, and a link from each transaction to its task', async () => {
    const { page } = await desk.to(screenNamed('console-wallet'))
    const { balance_formatted, transactions } = (await atlas.get('/wallet')).body

    await page
      .getByText(balance_formatted as string, { exact: true })
      .first()
      .waitFor()
    await page.getByRole('figure').getByRole('table').waitFor({ state: 'attached' })
    const first = transactions.find(({ task_id }: Json) => task_id !== null)
    await page.locator(`main a[href="/console/tasks/${first.task_id}"]`).first().click()
    await page.getByRole('heading', { name: 'Timeline' }).waitFor()
  })

  test('a deposit uses the processor’s page, and is booked when the processor confirms it', async () => {
    const before = (await atlas.get('/wallet')).body.balance_cents as number
    const { page } = await desk.to(screenNamed('console-wallet'))

    await button(page, 'Add funds').click()
    await inDialog(page).getByLabel('Amount, in dollars').fill('4')
    await button(page, 'Continue to checkout').click()
    await inDialog(page).getByText('Enter an amount between $5.00 and $10,000.00').waitFor()
    await button(page, '$50.00').click()
    await button(page, 'Continue to checkout').click()
    const href = await inDialog(page).getByRole('link', { name: 'Pay $50.00' }).getAttribute('href')
    assert.match(href!, /^http/)
    const { transactions } = (await atlas.get('/wallet')).body
    const pending = transactions.find(({ status }: Json) => status === 'pending')
    assert.equal(pending.amount_cents, 5000)

    await page.goto(href!)
    assert((await page.title()) !== '')
    assert.equal((await atlas.get('/wallet')).body.balance_cents, before)
  })

  test('a mail is requested before the wallet is empty', async () => {
    const { page } = await desk.to(screenNamed('console-wallet'))

    await page.getByLabel('Low-balance alert, in dollars').fill('25')
    await button(page, 'Save').click()

    await page.getByText('Saved.').waitFor()
    assert.equal((await atlas.get('/agents/me')).body.agent.low_balance_cents, 2500)
  })
})

describe('webhooks and events', () => {
  test('sends a test event and a forged one, and shows missed ones', async () => {
    const { page } = await desk.to(screenNamed('console-webhooks'))
    const sent = scene.receiver.received.length

    await button(page, 'Send test event').click()
    await page.getByText('We’re sending a test event.').waitFor()
    await market.deliver()
    await until(async () =>
      scene.receiver.received.slice(sent).some(({ body }) => body.type === 'webhook.ping'),
    )
    await button(page, /Replay missed/).click()
    await page.getByText(/^Replaying \d+ events?/).waitFor()
    const taken = await page.getByText(/% accepted/).innerText()

    scene.receiver.answerWith(401)
    await button(page, 'Send with a wrong signature').click()
    await page.getByText('We’re sending a test event with a wrong signature').waitFor()
    await market.deliver()
    scene.receiver.answerWith(200)
    await page.reload()

    await page.getByText('401 · rejected, as it should be').first().waitFor()
    assert.equal(await page.getByText(/% accepted/).innerText(), taken)
  })

  test('shows an event as it is sent, and redelivers it', async () => {
    const { page } = await desk.to(screenNamed('console-events'))
    const { events } = (await atlas.get('/events?before=latest&type=task.disputed')).body

    await page.getByLabel('Type').selectOption('task.disputed')
    await until(async () => page.url().includes('type=task.disputed'))
    await page.getByLabel('event', { exact: true }).getByText(events[0].id).waitFor()
    await button(page, 'Resend').click()

    await page.getByText('Sending it again.').waitFor()
  })
})

describe('D5: from test to live', () => {
  test('creates a test agent without an account, shows its key once, and makes it live', async () => {
    const phone = await openPhone(DESK)
    const { page } = phone
    await phone.open(`${origin}/console`)
    await button(page, 'Create a test agent').click()
    const key = await page.getByLabel('test key', { exact: true }).innerText()
    assert.match(key, /^lw_test_/)
    await button(page, 'I’ve copied it. Log in').click()
    await phone.heading('Overview')
    await page.getByRole('link', { name: 'Test mode · play money' }).waitFor()
    await page.getByText('No tasks yet').waitFor()
    assert(!(await page.content()).includes(key))

    await go(page, '/wallet')
    await button(page, 'Add play money').click()
    await inDialog(page).getByRole('button', { name: 'Add play money' }).click()
    await inDialog(page).getByText('$20.00 of play money added.').waitFor()

    await go(page, '/go-live')
    await page.getByText('Add funds after you go live.').waitFor()
    await page.getByLabel('Contact email').fill('not an address')
    await button(page, 'Go live').click()
    await page.locator('input[aria-invalid=true]').waitFor()
    await page.getByLabel('Contact email').fill('claimed@example.com')
    await button(page, 'Go live').click()
    const live = await page.getByLabel('live key', { exact: true }).innerText()

    assert.match(live, /^lw_live_/)
    assert.equal((await market.client(live).get('/agents/me')).body.agent.mode, 'live')
    assert.equal((await market.client(key).get('/agents/me')).body.agent.twin.exists, true)
    await page.getByRole('link', { name: 'Wallet' }).first().click()
    await phone.heading('Wallet')
    await page.goBack()
    assert.equal(await page.getByLabel('live key', { exact: true }).innerText(), live)
    await button(page, /saved it. Log in as the live agent/).click()
    await phone.heading('Overview')
    await page.getByRole('link', { name: 'Test mode · play money' }).waitFor({ state: 'hidden' })
    assert(!(await page.content()).includes(live))
    for (const address of ['/test', '/go-live']) {
      await go(page, address)
      await page.getByRole('heading', { name: 'You’re live' }).waitFor()
    }
    await phone.close()
  })

  test('runs a scripted worker, advances the clock, and shows the checklist', async () => {
    const { page } = await desk.to(screenNamed('console-new-task'))
    await button(page, /^Post for/).click()
    await page.getByText('Required').waitFor()

    await page.getByLabel('Question').fill('Is the bakery open?')
    await page.getByLabel('Where').fill('Wedel')
    await page
      .getByLabel('call', { exact: true })
      .getByText('"question": "Is the bakery open?"')
      .waitFor()
    await button(page, /^Post for/).click()
    await page.getByRole('heading', { level: 1, name: 'Is the bakery open?' }).waitFor()
    const id = page.url().split('/').at(-1)!

    await go(page, '/test')
    await button(page, '+1 h').click()
    const fired = page.getByRole('table', { name: 'What happened' })
    await fired.getByText('rehearsal.accept').waitFor()
    await fired.getByText('rehearsal.proof').waitFor()

    await go(page, `/tasks/${id}`)
    await page.getByText('Proof submitted', { exact: true }).waitFor()
    await button(page, 'Dispute…').click()
    await page.keyboard.type('Only to see what happens.')
    await button(page, 'Dispute and refund').click()
    await page.getByText('You disputed it').waitFor()
    await go(page, '/go-live')

    await page.getByText('1 of 5 done').waitFor()
  })
})

describe('D9: keys', () => {
  test('creates a limited key for a sub-agent, shows its secret once, rotates it, and revokes it with its child', async () => {
    const { page } = await desk.to(screenNamed('console-keys'))
    await button(page, 'New key').click()
    await button(page, 'Create key').click()
    await inDialog(page).getByText('Enter a name').waitFor()
    await inDialog(page).getByLabel('Name').fill('Price checker')
    await inDialog(page).getByText('Manage', { exact: true }).click()
    await inDialog(page).getByLabel('Per day, in dollars').fill('25')
    await button(page, 'Create key').click()
    const secret = await page.getByLabel('API key', { exact: true }).innerText()
    await button(page, 'I’ve copied it').click()
    await inDialog(page).waitFor({ state: 'hidden' })
    assert(!(await page.content()).includes(secret))

    const worker = market.client(secret)
    const { key } = (await worker.get('/agents/me')).body
    assert.deepEqual(key.scopes, ['create', 'read', 'manage'])
    assert.equal(key.caps.day_max_cents, 2500)
    assert.equal((await worker.post(`/tasks/${scene.tasks.waiting}/approve`)).status, 403)
    assert.equal((await worker.post('/verify', { question: 'Open?' })).status, 201)
    const child = await worker.post('/agents/keys', { name: 'Night shift', scopes: ['read'] })
    assert.equal(child.status, 201, child.text)
    await page.reload()
    const listed = page.getByRole('list', { name: 'Keys' })
    await listed.getByText('$5.00 of $25.00').waitFor()
    await listed.getByText('Child key').first().waitFor()

    await button(page, 'Rotate Price checker').click()
    await button(page, 'Rotate key').click()
    const rotated = await page.getByLabel('new key', { exact: true }).innerText()
    await button(page, 'I’ve copied it').click()
    assert.equal((await market.client(rotated).get('/agents/me')).status, 200)
    assert.equal((await worker.get('/agents/me')).status, 200)

    await button(page, 'Edit Price checker').click()
    await inDialog(page).getByLabel('Per day, in dollars').fill('5')
    await button(page, 'Save').click()
    await listed.getByText('$5.00 of $5.00').waitFor()
    assert.equal((await market.client(rotated).post('/verify', { question: 'Open?' })).status, 402)

    await button(page, 'Revoke Price checker').click()
    await button(page, 'Revoke all keys').click()
    await listed.getByText('Price checker', { exact: true }).waitFor({ state: 'hidden' })
    for (const gone of [secret, rotated, child.body.key.api_key as string])
      assert.equal((await market.client(gone).get('/agents/me')).status, 401)
  })

  test('shows a limited key what it may do, and what it may not', async () => {
    const limited = { name: 'Reader', scopes: ['create', 'read'] }
    const { key } = (await atlas.post('/agents/keys', limited)).body
    const phone = await openPhone(DESK)
    const { page } = phone
    await scene.logIn(phone, key.api_key as string)
    const offered = async (address: string, told: string | RegExp, names: (string | RegExp)[]) => {
      await go(page, address)
      await page.getByText(told).first().waitFor()
      for (const name of names) assert.equal(await button(page, name).count(), 0, String(name))
    }

    await offered('/keys', 'Key scopes: create and read', ['New key', /^Revoke/])
    await offered('/wallet', 'Transactions', ['Add funds', 'Save'])
    await offered('/webhooks', 'a key that has the scope manage', ['Save', 'Send test event'])
    await phone.close()
  })

  test('a session ends with its key', async () => {
    const { key } = (await atlas.post('/agents/keys', { name: 'For a day' })).body
    const phone = await openPhone(DESK)
    await scene.logIn(phone, key.api_key as string)
    await phone.open(`${origin}/console/tasks`)
    await phone.heading('Tasks')
    // Requests made by the page load must not be the ones that detect the change.
    await phone.page.waitForLoadState('networkidle')

    assert.equal((await atlas.delete(`/agents/keys/${key.id}`)).status, 200)
    await phone.page.getByRole('link', { name: 'Wallet' }).first().click()

    await phone.heading('Agent console')
    await phone.close()
  })
})
