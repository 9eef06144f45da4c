import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { PHOTO } from '../harness.ts'
import { kept, openStreet, pictureThere, sendProof, takePhoto } from './street.ts'

const street = await openStreet()
const { agent, home } = street

describe('a task in the street, on a phone', () => {
  test('goes from steps, camera, check and answer to pay; the server has the original photo', async () => {
    const { taskId, phone, page } = await street.worker({ auto_approve_after: '12h' })

    await phone.open(`${home}/active`)
    await page.getByText('Is the bakery').waitFor()
    await phone.look('active-1-list')
    await page.getByText('Is the bakery').tap()
    await phone.heading('Is the bakery on Moorweg')
    await phone.look('work-1-to-do')
    const brief = await page.locator('main').innerText()
    await page.getByRole('checkbox', { name: 'Photograph the sign, straight on' }).tap()
    await page.reload()
    await page.getByText('1 of 2 done').waitFor()
    await page.getByRole('button', { name: 'Open camera' }).tap()
    await page.getByText(/m away$/).waitFor()
    await pictureThere(page)
    await phone.look('work-2-camera')
    await page.getByRole('button', { name: 'Take photo' }).tap()
    await page.getByText('Sharp enough').waitFor()
    await page.getByRole('button', { name: 'Send proof' }).tap()
    const complaint = await page.getByRole('alert').innerText()
    await page.getByText('Yes', { exact: true }).tap()
    await page.getByLabel('Note for the agent').fill('The sign says until 18:00')
    await phone.look('work-3-check')
    await sendProof(phone)
    await page.getByText('Automatically within').waitFor()
    await phone.look('work-4-sent')
    const [item] = await kept(page, 'outbox')
    const media = await kept(page, 'media')
    const { proofs, files } = await street.received(taskId)
    const seen = await agent.get(`/tasks/${taskId}/proof`)

    await agent.post(`/tasks/${taskId}/approve`)
    await page.reload()
    await page.getByText('approved your proof').waitFor()
    await phone.look('work-5-paid')
    const paid = await page.locator('main').innerText()
    await phone.close()

    assert.match(brief, /Go to Moorweg 12, Wedel/)
    assert.match(complaint, /Choose or enter an answer/)
    assert.equal(proofs.length, 1)
    assert.equal(files.length, 1)
    assert.equal(files[0]!.sha256, item!.files[0].sha256)
    assert.deepEqual(media, [], 'the phone deletes the bytes once the server has them')
    assert.equal(proofs[0]!.answer, true)
    assert.equal(proofs[0]!.text, 'The sign says until 18:00')
    assert.deepEqual(
      seen.body.proofs[0].location,
      { lat: 53.598, lng: 9.723, accuracy_m: 88 },
      'the agent gets the place to 100 meters',
    )
    assert.match(paid, /\$4\.10/)
  })

  test('shows a scale as a row of big buttons, and each answer counts', async () => {
    const { taskId, phone, page } = await street.worker({
      type: 'gut_check',
      title: 'How trustworthy does this name sound?',
      description: 'Say it aloud once.',
      location: undefined,
      proof_required: 'text',
      answer_schema: { type: 'integer', minimum: 1, maximum: 10 },
      consensus_count: 3,
      budget_cents: 900,
    })

    await phone.open(`${home}/active/${taskId}`)
    await page.getByText('You’re 1 of 3').waitFor()
    await page.getByText('7', { exact: true }).tap()
    await phone.look('work-6-scale')
    await page.getByRole('button', { name: 'Send · $2.46' }).tap()
    await page.getByText('Waiting for the other people’s answers').waitFor()
    const { proofs } = await street.received(taskId)
    await phone.close()

    assert.deepEqual(
      proofs.map(({ answer }) => answer),
      [7],
    )
  })

  test('asks an object field by field', async () => {
    const { taskId, phone, page } = await street.worker({
      location: undefined,
      proof_required: 'text',
      answer_schema: {
        type: 'object',
        properties: {
          mood: { enum: ['calm', 'busy'] },
          people: { type: 'integer', minimum: 0, description: 'How many people?' },
          note: { type: 'string', maxLength: 50 },
        },
        required: ['mood', 'people'],
      },
    })

    await phone.open(`${home}/active/${taskId}`)
    await page.getByText('busy', { exact: true }).tap()
    await page.getByLabel('How many people?').fill('-1')
    await page.getByRole('button', { name: 'Send ·' }).tap()
    await page.getByText('Enter 0 or more').waitFor()
    await page.getByLabel('How many people?').fill('12')
    await phone.look('work-7-object')
    await page.getByRole('button', { name: 'Send ·' }).tap()
    await page.getByText('Proof sent').waitFor()
    const { proofs } = await street.received(taskId)
    await phone.close()

    assert.deepEqual(proofs[0]!.answer, { mood: 'busy', people: 12 })
  })

  test('shows options once, as the choices of the answer, and what only the holder may know', async () => {
    const { taskId, phone, page } = await street.worker({
      type: 'gut_check',
      title: 'Which headline is better?',
      description:
        'Which one would you click?\n\nA: Slowly\nB: 48 hours\n\nSee https://example.com/x.',
      location: undefined,
      proof_required: 'text',
      answer_schema: { enum: ['A', 'B'] },
      context: { pickup_code: '4471' },
    })

    await phone.open(`${home}/active/${taskId}`)
    await page.getByRole('radio', { name: 'B 48 hours' }).waitFor()
    const brief = await page.locator('main').innerText()
    const link = page.getByRole('link', { name: 'example.com/x' })
    const rel = await link.getAttribute('rel')
    await phone.look('work-9-options')
    await page.getByText('48 hours').tap()
    await page.getByRole('button', { name: 'Send ·' }).tap()
    await page.getByText('Proof sent').waitFor()
    const { proofs } = await street.received(taskId)
    await phone.close()

    assert.equal(brief.match(/48 hours/g)?.length, 1)
    assert.match(brief, /Pickup code\s+4471/)
    assert.match(rel!, /noopener noreferrer/)
    assert.equal(proofs[0]!.answer, 'B')
  })

  test('shows a call script in big type after who calls and why, and a number to tap that is masked after the answer', async () => {
    const { taskId, phone, page } = await street.worker({
      type: 'voice_proxy',
      title: 'Ask whether they have a table for four',
      description: 'Call the restaurant.',
      location: undefined,
      proof_required: 'text',
      answer_schema: undefined,
      context: { number: '+49 4103 555 123', script: 'Do you have a table for four at eight?' },
    })

    await phone.open(`${home}/active/${taskId}`)
    const link = page.getByRole('link', { name: 'Call +49 4103 555 123' })
    const href = await link.getAttribute('href')
    const brief = await page.locator('main').innerText()
    await phone.look('work-8-call')
    await page.getByLabel('What was said').fill('Yes, at eight.')
    await page.getByRole('button', { name: 'Send ·' }).tap()
    await page.getByText('Proof sent').waitFor()
    const shown = await page.locator('main').innerText()
    await phone.close()

    assert.equal(href, 'tel:+494103555123')
    assert.match(
      brief,
      /Say first\s+“Hello, I’m calling on behalf of Agent \d+, through Legwork\. I’m calling about: Ask whether they have a table for four\.”\s+“I’ll write down what you say\. Is that okay\?”[^]*Then say\s+Do you have a table/,
    )
    assert.doesNotMatch(shown, /555 123/)
  })

  test('shows a revision request, which is done and sent as a second proof', async () => {
    const { taskId, phone, page } = await street.worker()

    await phone.open(`${home}/active/${taskId}`)
    await takePhoto(phone)
    await sendProof(phone, 'Yes')
    const asked = await agent.post(`/tasks/${taskId}/request-revision`, {
      note: 'Two lines are unreadable',
    })
    await page.reload()
    await page.getByText('Two lines are unreadable').waitFor()
    await phone.look('work-9-again')
    await takePhoto(phone)
    await sendProof(phone, 'No')
    const { proofs } = await street.received(taskId)
    await phone.close()

    assert.equal(asked.status, 200, asked.text)
    assert.deepEqual(
      proofs.map(({ answer }) => answer),
      [true, false],
    )
  })

  test('explains a dispute and a withdrawal with their consequences', async () => {
    const { ada, taskId, phone, page } = await street.worker()
    const dead = await street.accepted(ada)
    await ada.post(`/worker/tasks/${taskId}/proof`, {
      photos: [PHOTO],
      answer: true,
    })
    await agent.post(`/tasks/${taskId}/dispute`, { reason: 'Not this bakery' })
    await agent.post(`/tasks/${dead}/cancel`)

    await phone.open(`${home}/active/${taskId}`)
    await page.getByText('Not this bakery').waitFor()
    await phone.look('work-10-disputed')
    const link = await page.getByRole('link', { name: 'Read it and appeal' }).getAttribute('href')
    await phone.open(`${home}/active/${dead}`)
    await page.getByText('Canceled by the agent').waitFor()
    await phone.look('work-11-withdrawn')
    await phone.open(`${home}/active`)
    await page.getByRole('heading', { name: 'Needs you' }).waitFor()
    await page.getByText(/Appeal by /).waitFor()
    await phone.close()

    assert.equal(link, `/inbox/${taskId}`)
  })

  test('shows an unknown task as not found', async () => {
    const { phone } = await street.worker()

    await phone.open(`${home}/active/task_00000000000000000000000000`)
    await phone.heading('Page not found')
    await phone.close()
  })
})
