import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import sharp from 'sharp'
import { signIn } from '../desk/sign-in.ts'
import type { Json } from '../harness.ts'
import { ops } from '../ops.ts'
import { answer, ask } from '../questions.ts'
import { logInConsole } from './console-scene.ts'
import { DESK } from './console-screens.ts'
import { drawDoor } from './door.ts'
import { openHome, openPhone, type Phone, press, until } from './phone.ts'

const home = await openHome({ mail: true, roles: ['api', 'desk'] })
const { market, origin } = home
const support = await signIn(market, 'support', { name: 'Ada Byron' })
const agent = await market.agent({ balanceCents: 100_000 })

/** A large photo that tells where it was taken. */
const PHOTO_FILE = {
  name: 'door.jpg',
  mimeType: 'image/jpeg',
  buffer: await sharp(await drawDoor({ width: 3000 }))
    .withExif({ IFD0: { Copyright: 'secret' }, IFD3: { GPSLatitudeRef: 'N' } })
    .jpeg()
    .toBuffer(),
}

async function addPhoto({ page }: Phone, name: string): Promise<void> {
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('button', { name }).click(),
  ])
  await chooser.setFiles(PHOTO_FILE)
  await page.getByRole('img', { name: 'Photo 1' }).waitFor()
}

/** Waits until a photo of the thread is drawn in the browser. */
const photoShown = (page: Phone['page']) =>
  until(() =>
    page.evaluate<boolean>(
      `[...document.querySelectorAll('ol img')].some(({ naturalWidth }) => naturalWidth > 0)`,
    ),
  )

async function sizeOf({ url }: { url: string }) {
  const bytes = Buffer.from(await (await fetch(url)).arrayBuffer())
  const { width, height, exif } = await sharp(bytes).metadata()
  return { longest: Math.max(width, height), exif }
}

describe('asking with a photo', () => {
  test('a worker whose network fails loses nothing; an operator answers at the desk; the mail opens the answer', async () => {
    const worker = await market.worker()
    const phone = await openPhone()
    const { page, context } = phone
    await phone.as(worker, origin)

    await phone.open(`${origin}/me/questions/new`)
    await page.getByText(/answers within 3 days/).waitFor()
    await page.locator('label', { hasText: /^Safety/ }).tap()
    await page.getByText('In an emergency, call your local emergency number first.').waitFor()
    await page.getByText(/answers within 24 hr/).waitFor()
    await page.getByLabel('Your question').fill('The dog of the shop bit me at this door.')
    await addPhoto(phone, 'Choose photos')
    await phone.look('ask-1-photo')
    await context.setOffline(true)
    await press(phone, 'Send question')
    await page
      .getByRole('textbox', { name: 'Your question' })
      .and(page.locator('[aria-invalid=true]'))
      .waitFor()
    await context.setOffline(false)
    await page.reload()
    await page.getByRole('img', { name: 'Photo 1' }).waitFor()
    assert.equal(
      await page.getByLabel('Your question').inputValue(),
      'The dog of the shop bit me at this door.',
    )
    await press(phone, 'Send question')
    await page.getByText(/^We’ll answer by/).waitFor()
    await photoShown(page)
    await phone.look('ask-2-open')
    const id = new URL(page.url()).pathname.split('/').at(-1)!
    const [question] = await questionsOf(worker)
    assert.equal(question!.subject, 'safety')
    const { longest, exif } = await sizeOf(question!.messages[0].photos[0])
    assert.deepEqual([longest, exif], [1600, undefined])

    const { status } = await support.post(`/questions/${id}/answer`, { text: 'Are you safe now?' })
    assert.equal(status, 200)
    await market.work()
    const mail = await market.inbox.mailTo(worker.email)
    const link = mail.links.find(({ pathname }) => pathname === `/me/questions/${id}`)
    assert(link, mail.text)
    assert.match(mail.text, /Are you safe now\?/)
    await phone.open(link.href)
    await page.getByText('Are you safe now?').waitFor()
    await page.getByLabel('Write again').fill('Yes, at home. This is the bite.')
    await addPhoto(phone, 'Take a photo')
    await press(phone, 'Send')
    await page.getByText(/^We’ll answer by/).waitFor()
    await until(async () => (await page.getByLabel('Add something').inputValue()) === '')
    await phone.look('ask-3-reply')
    await phone.close()

    const [after] = await questionsOf(worker)
    assert.deepEqual(
      after!.messages.map(({ photos }: Json) => photos.length),
      [1, 0, 1],
    )
    assert.equal((await questionsOf(worker)).length, 1)
  })

  test('a draft of one task’s question is not in another’s, and the usual time is shown', async () => {
    const worker = await market.worker()
    await market.asOwner(
      `insert into question_times (asker, answers, median_seconds, measured_at)
       values ('worker', 40, 21000, $1)`,
      [market.now()],
    )
    const phone = await openPhone()
    const { page } = phone
    await phone.as(worker, origin)

    await phone.open(`${origin}/me/questions/new?subject=payment`)
    await page
      .getByText('We usually answer within 6 hr, and within 3 days at the latest.')
      .waitFor()
    await page.getByLabel('Your question').fill('Where is my payout of Monday?')
    const { id: taskId } = await market.taskIn(agent, 'in_progress')
    await phone.open(`${origin}/me/questions/new?task=${taskId}`)
    await page.getByLabel('Your question').waitFor()

    assert.equal(await page.getByLabel('Your question').inputValue(), '')
    await market.asOwner('delete from question_times')
    await phone.close()
  })

  test('a developer asks about a task in the console, reads the answer from the mail, writes again and closes it', async () => {
    const live = await market.agent({ balanceCents: 10_000, freeTasks: false })
    await market.asOwner('update agents set email_verified_at = $2 where id = $1', [
      live.id,
      market.now(),
    ])
    const { id: taskId } = await market.taskIn(live, 'proof_submitted', { title: 'Open the door' })
    const desk = await openPhone(DESK)
    const { page } = desk
    await logInConsole(home, desk, live.api_key)

    await desk.open(`${origin}/console/tasks/${taskId}`)
    await page.getByRole('link', { name: 'Ask a person about this task' }).click()
    await page.getByLabel('Your question').fill('Help')
    await page.getByRole('button', { name: 'Send question' }).click()
    await page.getByText('Write at least 10 characters').waitFor()
    await page.getByLabel('Your question').fill('Is this the door that I asked for?')
    await addPhoto(desk, 'Add photos')
    await page.getByRole('button', { name: 'Send question' }).click()
    await page.getByText(/^We’ll answer by/).waitFor()
    await photoShown(page)
    const id = new URL(page.url()).pathname.split('/').at(-1)!
    const { question } = (await live.get(`/agents/questions/${id}`)).body
    assert.deepEqual([question.subject, question.task_id], ['task', taskId])
    assert.equal((await sizeOf(question.messages[0].photos[0])).exif, undefined)

    await support.post(`/questions/${id}/answer`, { text: 'It is. <b>Look</b> at the handle.' })
    await market.work()
    const mail = await market.inbox.mailTo(live.email)
    const link = mail.links.find(({ pathname }) => pathname === `/console/questions/${id}`)
    assert(link, mail.text)
    await desk.open(link.href)
    await page.getByText('It is. <b>Look</b> at the handle.').waitFor()
    await page.getByLabel('Write again').fill('I see it now.')
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await page.getByText(/^We’ll answer by/).waitFor()
    await page.getByRole('button', { name: 'I don’t need an answer anymore' }).click()
    await page.getByText('This question is closed.').waitFor()
    await page.getByRole('link', { name: 'Ask a person', exact: true }).first().click()
    await page.getByRole('link', { name: /Is this the door/ }).waitFor()
    await desk.close()

    const { body } = await live.get(`/agents/questions/${id}`)
    assert.deepEqual([body.question.status, body.question.message_count], ['closed', 3])
  })

  test('the console says who can’t ask and what to do: in test mode, and with a key without manage', async () => {
    const live = await market.agent()
    const { body: made } = await live.post('/agents/keys', { name: 'Bot', scopes: ['read'] })
    for (const [key, words] of [
      [live.test_api_key, 'Questions are for live mode'],
      [made.key.api_key, 'This key can’t ask questions'],
    ] as const) {
      const desk = await openPhone(DESK)
      await logInConsole(home, desk, key)
      await desk.open(`${origin}/console/questions/new`)

      await desk.page.getByRole('heading', { name: words }).waitFor()
      await desk.page.getByRole('link', { name: 'Other ways to reach us' }).click()
      await desk.heading('Contact')
      await desk.close()
    }
  })

  test('a restricted agent sees that it is, and can object', async () => {
    const live = await market.agent()
    assert.equal(
      (await ops(market, 'agent', 'restrict', live.id, 'a', 'stolen', 'card')).isBad,
      false,
    )
    const desk = await openPhone(DESK)
    const { page } = desk
    await logInConsole(home, desk, live.api_key)

    await desk.open(`${origin}/console`)
    await page.getByText('Your agent is restricted').waitFor()
    await page.getByRole('link', { name: 'Object to this decision' }).click()
    await page.getByLabel('Your question').fill('Our card was stolen; the bank has confirmed it.')
    await page.getByRole('button', { name: 'Send question' }).click()
    await page.getByText(/^We’ll answer by/).waitFor()
    await desk.close()

    const { questions } = (await live.get('/agents/questions')).body
    assert.deepEqual(
      questions.map(({ subject }: Json) => subject),
      ['account'],
    )
  })
})

async function questionsOf(worker: { get(path: string): Promise<{ body: Json }> }) {
  const { questions } = (await worker.get('/worker/questions')).body
  return Promise.all(
    questions.map(
      async ({ id }: Json) => (await worker.get(`/worker/questions/${id}`)).body.question as Json,
    ),
  ) as Promise<Json[]>
}

describe('help', () => {
  test('a worker asks about a task, an operator answers, the worker reads it and closes the question', async () => {
    const { id: taskId, workers } = await market.taskIn(agent, 'in_progress', {
      title: 'Photograph the menu',
    })
    const phone = await openPhone()
    const { page } = phone
    await phone.as(workers[0]!, origin)

    await phone.open(`${origin}/active/${taskId}/problem`)
    await page.getByRole('link', { name: 'Ask a person' }).tap()
    await page.getByText('Photograph the menu').waitFor()
    await page.getByLabel('Your question').fill('Help')
    await press(phone, 'Send question')
    await page.getByText('Write at least 10 characters').waitFor()
    await page.getByLabel('Your question').fill('Does the drinks menu count as well?')
    await phone.look('help-1-ask')
    await press(phone, 'Send question')
    await page.getByText(/^We’ll answer by/).waitFor()
    await phone.look('help-2-open')
    const questionId = new URL(page.url()).pathname.split('/').at(-1)!
    assert.match((await ops(market, 'question', questionId)).out, /drinks menu.*/)
    await answer(market, questionId, 'Yes, it does.\n<b>Both</b> sides, please.')

    await phone.open(`${origin}/inbox`)
    await page.getByText('We answered your question').tap()
    await page.getByText('<b>Both</b> sides, please.').waitFor()
    await phone.look('help-3-answered')
    await press(phone, 'That answers it')
    await page.getByText('This question is closed').waitFor()
    await phone.look('help-4-closed')
    await phone.close()

    const { body } = await workers[0]!.get(`/worker/questions/${questionId}`)
    const { status, subject, task_id } = body.question
    assert.deepEqual([status, subject, task_id], ['closed', 'task', taskId])
  })

  test('short answers lead to the right screen and are readable offline', async () => {
    const phone = await openPhone()
    const { page } = phone
    await phone.as(await market.worker(), origin)
    await phone.open(`${origin}/me`)
    await page.getByRole('link', { name: 'Help' }).tap()
    await phone.heading('Help')
    await phone.look('help-5-help')
    await until(() => page.evaluate<boolean>('navigator.serviceWorker.controller !== null'))

    await phone.context.setOffline(true)
    await page.reload()
    await press(phone, 'When am I paid?')
    await page.getByText(/after 24 hours up to \$20, after 72 hours up to \$100/).waitFor()
    await phone.context.setOffline(false)
    await page.getByRole('link', { name: 'See your earnings' }).tap()

    await page.waitForURL(`${origin}/earnings`)
    await phone.close()
  })

  test('a worker with three open questions is told to add to one, and can write again', async () => {
    const worker = await market.worker()
    const asked = []
    for (const text of ['Where is it now?', 'When is it coming?', 'Why is it late?'])
      asked.push(await ask(worker, { subject: 'other', text }))
    const phone = await openPhone()
    const { page } = phone
    await phone.as(worker, origin)

    await phone.open(`${origin}/me/questions/new`)
    await page.getByText('Something else').tap()
    await page.getByLabel('Your question').fill('And who can tell me?')
    await press(phone, 'Send question')
    await page.getByText('You already have 3 questions without an answer.').waitFor()
    await answer(market, asked[0]!.id)
    await phone.open(`${origin}/me/questions`)
    await page.getByRole('link', { name: /Answered/ }).waitFor()
    await phone.look('help-6-questions')
    await page.getByRole('link', { name: /Answered/ }).tap()
    await page.getByLabel('Write again').fill('It did not come.')
    await press(phone, 'Send')
    await page.getByText(/^We’ll answer by/).waitFor()
    await phone.close()

    const { body } = await worker.get(`/worker/questions/${asked[0]!.id}`)
    assert.deepEqual([body.question.status, body.question.message_count], ['open', 3])
  })

  test('a worker without questions sees what can be asked', async () => {
    const phone = await openPhone()
    await phone.as(await market.worker(), origin)

    await phone.open(`${origin}/me/questions`)

    await phone.page.getByText('No questions yet').waitFor()
    await phone.look('help-7-none')
    await phone.close()
  })
})
