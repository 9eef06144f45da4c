/** The app in another language, and right to left; web/worker/text/messages.test.ts checks the messages themselves. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { endsOf, scaleOf } from './in-page.js'
import { inPage, openHome, openPhone, type Phone } from './phone.ts'

const { market, origin: HOME } = await openHome()
const agent = await market.agent({ name: 'Atlas Maps', balanceCents: 100_000, freeTasks: false })

const CAIRO = { label: 'Cairo', lat: 30.044, lng: 31.236, radius_km: 10 }
const QUESTION = 'Is it open right now?'

async function offer(title: string, people = 1): Promise<string> {
  const { status, body, text } = await agent.post('/tasks', {
    title,
    description: 'Go there and look.\n1. Is the door open?\n2. Photograph it.',
    type: 'verification',
    proof_required: 'photo',
    budget_cents: 500 * people,
    deadline: '3h',
    ...(people > 1 ? { consensus_count: people } : {}),
    location: { lat: CAIRO.lat, lng: CAIRO.lng },
  })
  assert.equal(status, 201, text)
  await market.work()
  return body.task.id as string
}

const pageOf = async ({ page }: Phone) => ({
  language: await page.locator('html').getAttribute('lang'),
  direction: await page.locator('html').getAttribute('dir'),
})

describe('a language', () => {
  test('is chosen under Me, changes the page direction, persists after a reload, and is that of emails', async () => {
    const worker = await market.worker()
    const phone = await openPhone()
    const { page } = phone
    await phone.as(worker, HOME)
    await phone.open(`${HOME}/me`)
    await page.getByRole('button', { name: 'English', exact: true }).tap()
    await page.getByRole('dialog').getByText('العربية').tap()

    await phone.heading('حسابي')
    assert.deepEqual(await pageOf(phone), { language: 'ar', direction: 'rtl' })
    await page.reload()
    await phone.heading('حسابي')
    await phone.look('languages-1-me-ar', { language: 'ar' })
    await page.getByRole('button', { name: 'العربية', exact: true }).tap()
    const sent = page.waitForResponse((response) => response.request().method() === 'PUT')
    await page.getByRole('dialog').getByText('Español').tap()

    await phone.heading('Mi cuenta')
    assert.equal((await sent).status(), 200)
    assert.equal((await worker.get('/worker/profile')).body.worker.app_language, 'es')
    assert.deepEqual(await pageOf(phone), { language: 'es', direction: 'ltr' })
    await page.getByRole('link', { name: 'Ganancias' }).tap()
    await page.getByText('USD 0.00').first().waitFor()
    await phone.close()
  })

  test('defaults to that of the phone, whatever its country', async () => {
    const phone = await openPhone({ language: 'es-AR' })

    await phone.open(`${HOME}/hello`)

    await phone.heading('Gana dinero con tareas pequeñas cerca de ti')
    await phone.look('languages-2-hello-es', { language: 'es' })
    await phone.close()
  })
})

describe('from right to left', () => {
  test('the first words of a call are Arabic around the agent’s own, which stay text', async () => {
    const created = await agent.post('/call', {
      title: 'Ask the <b>library</b> whether it is open on Saturday',
      description: 'Call the library.',
      number: '+49 4103 555 123',
      script: 'Until when are you open on Saturdays?',
    })
    const worker = await market.worker({ location: CAIRO })
    const { id } = created.body.task
    assert.equal((await worker.post(`/worker/tasks/${id}/accept`)).status, 200)
    const phone = await openPhone({ language: 'ar' })
    const { page } = phone
    await phone.as(worker, HOME)
    await phone.open(`${HOME}/active/${id}`)
    const line = page.getByText('مرحبًا، أتصل نيابةً عن')
    await line.waitFor()
    const said = (await line.innerText()).replaceAll(/[\u2066-\u2069]/g, '')
    await phone.look('languages-5-call-ar', { language: 'ar' })
    await phone.close()

    assert.match(said, /Atlas Maps عبر Legwork/)
    assert.match(said, /Ask the <b>library<\/b> whether it is open on Saturday\.»$/)
  })

  test('two and three have their own plural forms, and English texts of agents stay readable', async () => {
    await offer(QUESTION)
    const last = await offer('Count the chairs in front of the café', 3)
    const phone = await openPhone({ language: 'ar' })
    const { page } = phone
    await phone.as(await market.worker({ location: CAIRO }), HOME)
    await phone.open(HOME)
    await page.getByText('مهمتان لك').waitFor()
    await page.getByText('3 أشخاص').waitFor()
    await phone.look('languages-3-find-ar', { language: 'ar' })

    // The first letter is left of the question mark; it would not be if the text had the page's direction.
    const asShown = await inPage(page, endsOf, QUESTION)
    const asThePage = await inPage(page, endsOf, QUESTION, 'rtl')
    assert(asShown.first < asShown.last, 'the question mark is at the end')
    assert(asThePage.first > asThePage.last, 'the question mark would have been at the beginning')

    await phone.open(`${HOME}/task/${last}`)
    await page.getByRole('link', { name: 'كل المهام' }).waitFor()
    assert.equal(await inPage(page, scaleOf, 'main > a svg'), '-1 1')
    await page.getByRole('button', { name: /^قبول · .* للإنجاز$/ }).waitFor()
    await phone.look('languages-4-task-ar', { language: 'ar' })
    await phone.close()
  })

  test('names and money within a sentence keep their direction', async () => {
    const { workers } = await market.taskIn(agent, 'completed', { budget_cents: 500 })
    await market.work()
    const phone = await openPhone({ language: 'ar' })
    await phone.as(workers[0]!, HOME)

    await phone.open(`${HOME}/inbox`)

    await phone.page.getByText('\u2066$4.10\u2069').first().waitFor()
    await phone.page.getByText('\u2068Atlas Maps\u2069').first().waitFor()
    await phone.close()
  })
})
