import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import sharp from 'sharp'
import { until, type Phone } from './phone.ts'
import { kept, openStreet, pictureThere, sendProof, shoot, takePhoto } from './street.ts'

const street = await openStreet()
const { home } = street

async function chooseFile({ page }: Phone, name: string, buffer: Buffer): Promise<void> {
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('button', { name: 'Choose a file' }).tap(),
  ])
  await chooser.setFiles({ name, mimeType: 'image/jpeg', buffer })
}

const grey = (level: number) => ({ r: level, g: level, b: level })

describe('camera, microphone and position', () => {
  test('both denied: the app explains it, accepts a file instead, and continues without the place', async () => {
    const { taskId, phone, page } = await street.worker({}, { permissions: [] })
    const dark = await sharp({
      create: { width: 3000, height: 1500, channels: 3, background: grey(10) },
    })
      .jpeg()
      .withExif({ IFD0: { Copyright: 'secret' }, IFD3: { GPSLatitudeRef: 'N' } })
      .toBuffer()

    await phone.open(`${home}/active/${taskId}`)
    await page.getByRole('button', { name: 'Open camera' }).tap()
    await page.getByText('Camera access is blocked').waitFor()
    await page.getByText('Location is off').waitFor()
    await phone.look('capture-1-denied')
    await chooseFile(phone, 'no-picture.jpg', Buffer.from('no picture'))
    await page.getByText('This file can’t be opened').waitFor()
    await chooseFile(phone, 'dark.jpg', dark)
    await page.getByText('Looks dark').waitFor()
    await page.getByText('Looks blurry').waitFor()
    await phone.look('capture-2-warned')
    await page.getByText('Yes', { exact: true }).tap()
    const [draft] = await kept(page, 'drafts')
    await sendProof(phone)
    const { proofs, files } = await street.received(taskId)
    await phone.close()

    assert.equal(draft!.files[0].source, 'file')
    assert.equal(proofs[0]!.location, null)
    assert.deepEqual([files[0]!.width, files[0]!.height], [2560, 1280])
    assert.deepEqual(files[0]!.evidence.taken_at, undefined)
  })

  test('a video is recorded, paused, played back and accepted by the server', async () => {
    const { taskId, phone, page } = await street.worker({ proof_required: 'video' })
    await phone.open(`${home}/active/${taskId}`)
    await page.getByRole('button', { name: 'Record a video' }).tap()
    await pictureThere(page)
    await page.getByRole('button', { name: 'Start recording' }).tap()
    await page.getByText('1 s').waitFor()
    await page.getByRole('button', { name: 'Pause' }).tap()
    await phone.look('capture-3-recording')
    await page.getByRole('button', { name: 'Resume' }).tap()
    await page.getByRole('button', { name: 'Stop recording' }).tap()
    await page.getByText(/s · \d+ kB/).waitFor()
    await phone.look('capture-4-video')
    await sendProof(phone, 'Yes')
    const { files } = await street.received(taskId)
    await phone.close()

    assert.deepEqual(
      files.map(({ kind, status }) => [kind, status]),
      [['video', 'ready']],
    )
    assert(files[0]!.evidence.duration_s >= 0.8, JSON.stringify(files[0]!.evidence))
  })

  test('audio is recorded and accepted by the server', async () => {
    const { taskId, phone, page } = await street.worker({
      proof_required: 'audio',
      answer_schema: undefined,
      location: undefined,
    })
    await phone.open(`${home}/active/${taskId}`)
    await page.getByRole('button', { name: 'Record audio' }).tap()
    await page.getByRole('button', { name: 'Start recording' }).tap()
    await page.getByText('1 s').waitFor()
    await page.getByRole('button', { name: 'Stop recording' }).tap()
    await sendProof(phone)
    const { files } = await street.received(taskId)
    await phone.close()

    assert.deepEqual(
      files.map(({ kind, status }) => [kind, status]),
      [['audio', 'ready']],
    )
  })

  test('several photos are taken, one of them again, and all are sent', async () => {
    const { taskId, phone, page } = await street.worker()
    await phone.open(`${home}/active/${taskId}`)
    await takePhoto(phone)
    await page.getByRole('button', { name: 'Add another photo' }).tap()
    await shoot(page)
    await page.getByRole('button', { name: /^Remove Photo 1/ }).tap()
    await page.getByRole('button', { name: 'Add another photo' }).tap()
    await shoot(page)
    await sendProof(phone, 'No')
    const { files } = await street.received(taskId)
    await phone.close()

    assert.equal(files.length, 2)
  })

  test('practice mode needs no task and stores nothing', async () => {
    const { phone, page } = await street.worker()
    const sent: string[] = []
    await phone.open(`${home}/practice`)
    await phone.heading('Practice')
    await phone.look('capture-5-practice')
    phone.context.on('request', (request) => {
      if (request.method() !== 'GET') sent.push(request.url())
    })
    await page.getByRole('button', { name: 'Open camera' }).tap()
    await pictureThere(page)
    await page.getByRole('button', { name: 'Take photo' }).tap()
    await page.getByText('That’s all.').waitFor()
    await phone.look('capture-6-practised')
    await page.getByRole('link', { name: 'Find a task' }).tap()
    await page.waitForURL(`${home}/`)
    await until(async () => (await kept(page, 'media')).length === 0)
    await phone.close()

    assert.deepEqual(sent, [])
  })
})

describe('a check-in', () => {
  test('is chosen on the page of the task, asked for, and answered', async () => {
    const { ada, taskId, phone, page } = await street.worker()
    await phone.open(`${home}/active/${taskId}`)
    await page.getByRole('button', { name: 'Check on me' }).tap()
    await page.getByLabel('Who should we call?').fill('Ann, +1 555 0100')
    await phone.look('check-in-1-choose')
    await page.getByRole('button', { name: 'Set check-in' }).tap()
    await page.getByText('We’ll ask if you’re OK at').waitFor()
    const { body } = await ada.get('/worker/check-in')
    await street.market.asOwner(
      `update check_ins set check_at = now(), asked_at = now(), missed_at = now() where worker_id = $1`,
      [ada.id],
    )
    await page.reload()
    await page.getByText('Are you OK?').waitFor()
    await page.getByText('We haven’t heard from you').waitFor()
    await phone.look('check-in-2-missed')
    await page.getByRole('button', { name: 'I’m fine' }).tap()
    await page.getByRole('button', { name: 'Check on me' }).waitFor()
    const after = await ada.get('/worker/check-in')
    await phone.close()

    assert.equal(body.check_in.contact, 'Ann, +1 555 0100')
    assert.equal(after.body.check_in, null)
  })
})

describe('a problem with a task', () => {
  test('a report of “not possible” is sent with a photo, and paid half', async () => {
    const { taskId, phone, page } = await street.worker()
    await phone.open(`${home}/active/${taskId}`)
    await page.getByRole('link', { name: 'Problem?' }).tap()
    await page.getByText('It can’t be done').tap()
    await phone.look('problem-1-ways')
    await page.getByRole('button', { name: 'Report what I found' }).tap()
    await phone.heading('What did you find?')
    await page.getByRole('button', { name: 'Send what you found' }).tap()
    await page.getByText('Enter a few words').waitFor()
    await page.getByRole('button', { name: 'Add a photo' }).tap()
    await shoot(page)
    await page.getByLabel('What you found').fill('The bakery is gone')
    await phone.look('problem-2-found')
    await page.getByRole('button', { name: 'Send what you found' }).tap()
    await page.getByText('Proof sent').waitFor()
    await street.agent.post(`/tasks/${taskId}/approve`)
    await page.reload()
    await page.getByText('accepted what you found').waitFor()
    const shown = await page.locator('main').innerText()
    const { proofs } = await street.received(taskId)
    await phone.close()

    assert.deepEqual([proofs[0]!.outcome, proofs[0]!.answer], ['not_possible', null])
    assert.match(shown, /\$2\.05/)
  })

  test('an early release costs nothing; an unsafe place never does', async () => {
    const { ada, taskId, phone, page } = await street.worker()
    const second = await street.accepted(ada)
    const before = await ada.get('/worker/trust')
    await phone.open(`${home}/active/${taskId}/problem`)
    await page.getByText('I can’t do it').tap()
    await page.getByText('In the first 5 minutes, it doesn’t affect your trust score').waitFor()
    await page.getByRole('button', { name: 'Hand it back' }).tap()
    await page.waitForURL(/\/active$/)
    await phone.open(`${home}/active/${second}/problem`)
    await page.getByText('It’s not safe here').tap()
    await page.getByLabel('What happened?').fill('Someone is shouting at me')
    await phone.look('problem-4-unsafe')
    await page.getByRole('button', { name: 'Leave this task' }).tap()
    await page.getByText('You left because the place wasn’t safe').waitFor()
    await phone.look('problem-5-left')
    const after = await ada.get('/worker/trust')
    const held = await ada.get('/worker/tasks')
    await phone.close()

    assert.deepEqual(
      held.body.tasks.map(
        ({ assignment }: { assignment: { status: string } }) => assignment.status,
      ),
      ['approved', 'released'],
    )
    assert.equal(after.body.trust_score, before.body.trust_score)
  })

  test('a harmful task is reported, and disappears', async () => {
    const { ada, taskId, phone, page } = await street.worker()
    await phone.open(`${home}/active/${taskId}/problem`)
    await page.getByText('Report this task').tap()
    await page.getByText('Illegal', { exact: true }).tap()
    await page.getByLabel('What did you see?').fill('It asks for a key')
    await phone.look('problem-3-report')
    await page.getByRole('button', { name: 'Report task' }).tap()
    await page.getByText('Thank you. A person is reviewing').waitFor()
    const { body } = await ada.get(`/worker/tasks/${taskId}`)
    await phone.close()

    assert.equal(body.assignment.status, 'released')
  })
})
