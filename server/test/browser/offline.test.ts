import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, describe, test } from 'node:test'
import { signUp } from '../people.ts'
import { until, type Phone } from './phone.ts'
import { kept, openStreet, takePhoto } from './street.ts'

const street = await openStreet({ mail: true })
const { home, market } = street

/** Waits until the app is installed and would open offline. */
async function installed({ page }: Phone): Promise<void> {
  await until(() =>
    page.evaluate<boolean>(
      'navigator.serviceWorker.ready.then(() => navigator.serviceWorker.controller !== null)',
    ),
  )
}

/** DevTools commands to the service worker. */
async function serviceWorkerOf({ page, context }: Phone) {
  const tools = await context.newCDPSession(page)
  const registered = new Promise<string>((resolve) =>
    tools.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const [first] = registrations
      if (first) resolve(first.registrationId)
    }),
  )
  await tools.send('ServiceWorker.enable')
  return { tools, registrationId: await registered, origin: home }
}

describe('without a network', () => {
  test('a photo taken offline survives a reload, and is sent once when the network is back', async () => {
    const { taskId, phone, page } = await street.worker()
    const { context } = phone

    await phone.open(`${home}/active/${taskId}`)
    await phone.heading('Is the bakery')
    await installed(phone)
    await context.setOffline(true)
    await page.reload()
    await phone.heading('Is the bakery')
    await takePhoto(phone)
    await page.getByText('Yes', { exact: true }).tap()
    await page.reload()
    await page.getByText('Sharp enough').waitFor()
    const isAnswered = await page.getByRole('radio', { name: 'Yes' }).isChecked()
    await page.getByRole('button', { name: 'Send proof' }).tap()
    await page.getByText('Saved on this phone').waitFor()
    await phone.look('offline-1-saved')
    await page.reload()
    await page.getByText('Saved on this phone').waitFor()
    const before = await street.received(taskId)
    const [item] = await kept(page, 'outbox')

    await context.setOffline(false)
    await page.getByText('Proof sent').waitFor()
    const { proofs, files } = await street.received(taskId)
    await phone.close()

    assert(isAnswered, 'the answer is still there')
    assert.deepEqual(before, { proofs: [], files: [] })
    assert.equal(proofs.length, 1)
    assert.deepEqual(
      files.map(({ sha256 }) => sha256),
      [item!.files[0].sha256],
    )
    assert.equal(proofs[0]!.captured_at.toISOString(), item!.proof.captured_at)
  })

  test('the list, the brief and a screen that was never opened are available', async () => {
    const { taskId, phone, page } = await street.worker()

    await phone.open(`${home}/active`)
    await page.getByText('Is the bakery').waitFor()
    await page.getByText('Is the bakery').tap()
    await phone.heading('Is the bakery')
    await installed(phone)
    await phone.context.setOffline(true)
    await phone.open(`${home}/active`)
    await page.getByText('You’re offline').waitFor()
    await page.getByText('Is the bakery').waitFor()
    await phone.look('offline-2-list')
    await phone.open(`${home}/practice`)
    await phone.heading('Practice')
    await phone.open(`${home}/active/${taskId}`)
    await phone.heading('Is the bakery')
    await phone.context.setOffline(false)
    await phone.close()
  })

  test('Background Sync sends pending proofs without an open screen', async () => {
    const { taskId, phone, page } = await street.worker()
    const { context } = phone
    await phone.open(`${home}/active/${taskId}`)
    await installed(phone)
    const { tools, registrationId, origin } = await serviceWorkerOf(phone)
    await takePhoto(phone)
    await page.getByText('No', { exact: true }).tap()
    await context.setOffline(true)
    await page.getByRole('button', { name: 'Send proof' }).tap()
    await page.getByText('Saved on this phone').waitFor()
    // The page is closed; only the service worker is still running.
    await page.goto('about:blank')
    await context.setOffline(false)
    const before = await street.received(taskId)
    await tools.send('ServiceWorker.dispatchSyncEvent', {
      origin,
      registrationId,
      tag: 'legwork.outbox',
      lastChance: false,
    })
    const { proofs } = await until(async () => {
      const received = await street.received(taskId)
      return received.proofs.length > 0 && received
    })
    await phone.close()

    assert.equal(before.proofs.length, 0)
    assert.equal(proofs.length, 1)
    assert.equal(proofs[0]!.answer, false)
  })

  test('a push shows the money first, and leads to its screen', async () => {
    const { taskId, phone, page } = await street.worker(
      {},
      { permissions: ['camera', 'geolocation', 'notifications'] },
    )
    await phone.open(`${home}/active/${taskId}`)
    await installed(phone)
    const { tools, registrationId, origin } = await serviceWorkerOf(phone)
    const pushed = {
      notice_id: 'ntc_1',
      kind: 'new_task',
      task_id: taskId,
      title: 'Is the bakery open?',
      agent_name: 'Atlas Maps',
      amount_cents: 410,
      distance_km: 0.3,
      until: null,
      unread: 1,
    }
    await tools.send('ServiceWorker.deliverPushMessage', {
      origin,
      registrationId,
      data: JSON.stringify(pushed),
    })
    const [shown] = await until(async () => {
      const all = await page.evaluate<{ title: string; body: string; href: string }[]>(
        `navigator.serviceWorker.ready.then((registration) => registration.getNotifications()).then((all) =>
           all.map(({ title, body, data }) => ({ title, body, href: data.href })))`,
      )
      return all.length > 0 && all
    })
    await phone.close()

    assert.deepEqual(shown, {
      title: '$4.10 for a task 300 m away',
      body: 'Is the bakery open?',
      href: `/task/${taskId}`,
    })
  })

  test('a new version waits until the user accepts it, and the old one works until then', async () => {
    const { ada, taskId, phone, page } = await street.worker()
    const front = await openFront(home)
    await phone.as(ada, front.url)
    await phone.open(`${front.url}/active/${taskId}`)
    await installed(phone)
    const before = await page.getByText('A new version is ready').count()
    front.renew()
    await page.evaluate(
      'navigator.serviceWorker.ready.then((registration) => registration.update())',
    )
    await page.getByText('A new version is ready').waitFor()
    await phone.look('offline-3-new-version')
    await Promise.all([
      page.waitForEvent('load'),
      page.getByRole('button', { name: 'Update now' }).tap(),
    ])
    await phone.heading('Is the bakery')
    await page.getByText('A new version is ready').waitFor({ state: 'detached' })
    await phone.close()

    assert.equal(before, 0)
  })

  test('an ended session keeps the draft and the proof, which is sent after the same worker logs in', async () => {
    const ann = await signUp(market)
    const eve = await signUp(market, { name: 'Eve' })
    const { body } = await ann.logIn()
    const taskId = await street.accepted(market.client(body.token))
    const { phone, page } = await street.worker()
    const { context } = phone
    await phone.as({ token: body.token }, home)
    await phone.open(`${home}/active/${taskId}`)
    await takePhoto(phone)
    await page.getByText('Yes', { exact: true }).tap()

    await context.clearCookies()
    await page.reload()
    const drafts = await kept(page, 'drafts')
    await logIn(phone, ann)
    await page.getByText('Sharp enough').waitFor()
    await context.clearCookies()
    await page.getByRole('button', { name: 'Send proof' }).tap()
    await page.waitForURL(/\/login/)
    const items = await kept(page, 'outbox')
    const before = await street.received(taskId)

    await logIn(phone, eve)
    await page.waitForURL(/\/active/)
    await phone.open(`${home}/active`)
    await page.getByText('No active tasks').waitFor()
    const between = await street.received(taskId)
    await context.clearCookies()
    await phone.open(`${home}/active/${taskId}`)
    await logIn(phone, ann)
    await page.getByText('Proof sent').waitFor()
    const { proofs } = await street.received(taskId)
    await phone.close()

    assert.equal(drafts[0]!.files.length, 1)
    assert.equal(drafts[0]!.answer, true)
    assert.deepEqual(
      items.map(({ state, workerId }) => [state, workerId]),
      [['needs_login', ann.id]],
    )
    assert.equal(before.proofs.length, 0)
    assert.equal(between.proofs.length, 0)
    assert.equal(proofs.length, 1)
  })
})

async function logIn({ page }: Phone, { email, password }: { email: string; password: string }) {
  await page.waitForURL(/\/login/)
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Log in' }).tap()
}

/** The same server on another address, which can switch to serving a newer service worker. */
async function openFront(origin: string) {
  let isNew = false
  const front = createServer(({ url = '/', method = 'GET', headers }, response) => {
    const { cookie = '', accept = '' } = headers
    void fetch(`${origin}${url}`, { method, headers: { cookie, accept } })
      .then(async (answer) => {
        const body = Buffer.from(await answer.arrayBuffer())
        response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type')! })
        response.write(body)
        response.end(url === '/sw.js' && isNew ? '\n// newer' : '')
      })
      .catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => front.listen(0, '127.0.0.1', resolve))
  after(() => front.close())
  return {
    url: `http://127.0.0.1:${(front.address() as AddressInfo).port}`,
    renew() {
      isNew = true
    },
  }
}
