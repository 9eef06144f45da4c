import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { marketplace } from '../harness.ts'
import { ops } from '../ops.ts'
import { answer, ask } from '../questions.ts'
import { openPhone, press, until } from './phone.ts'

const market = await marketplace()
const { origin } = new URL(market.server.addresses.api!)
const agent = await market.agent({ balanceCents: 100_000 })

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
