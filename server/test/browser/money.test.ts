import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { completedBy } from '../payouts.ts'
import { NARROWEST, onNarrowest, openMarket, openPhone, picture, until } from './phone.ts'

const { market, origin } = await openMarket()
const agent = await market.agent({ balanceCents: 50_000, freeTasks: false })

describe('earnings, on a phone', () => {
  test('show the net sum, pending money, every payment with its calculation, a receipt, a statement', async () => {
    const worker = await market.worker({ name: 'Ada Example' })
    await completedBy(agent, [worker], {
      description: 'Is the bakery on Moorweg open right now?',
      budget_cents: 500,
    })
    const { id: task } = await completedBy(agent, [worker], {
      title: '=Photograph "five" oat-milk labels, all',
      description: 'Five labels',
      budget_cents: 1500,
    })
    const logo = { description: 'Does this logo look right?', budget_cents: 300 }
    const { body } = await agent.post('/tasks', logo)
    await worker.post(`/worker/tasks/${body.task.id}/accept`)
    await worker.post(`/worker/tasks/${body.task.id}/proof`, { text: 'It does' })
    const phone = await openPhone()
    const { page } = phone
    await phone.as(worker, origin)

    await phone.open(`${origin}/earnings`)
    await phone.heading('Earnings')
    await page.getByText('$16.40').first().waitFor()
    await page.getByText('Paid automatically').waitFor()
    await phone.look('money-1-earnings')
    const bars = await page.getByRole('table').locator('tbody td').allInnerTexts()
    // At 200% text size on the smallest screen the labels thin out, and nothing is pushed aside.
    const width = await onNarrowest(page, async () => {
      await page.evaluate("document.documentElement.style.fontSize = '200%'")
      await picture(page, 'money-2-large-text')
      return page.evaluate<number>('document.documentElement.scrollWidth')
    })
    await page.evaluate("document.documentElement.style.fontSize = ''")

    await page.getByRole('button', { name: /oat-milk/ }).tap()
    const sum = await page.getByRole('group').filter({ visible: true }).innerText()
    await phone.look('money-3-opened')
    await page.getByRole('link', { name: 'Receipt' }).tap()
    await phone.heading('Receipt')
    await page.getByText(task).waitFor()
    await page.getByText('Waiting for your bank account').waitFor()
    await phone.look('money-4-receipt')

    await page.getByRole('link', { name: 'Earnings' }).first().tap()
    await page.getByRole('button', { name: 'Tax statement' }).tap()
    await page.getByRole('dialog').waitFor()
    await phone.look('money-5-statement')
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download' }).tap(),
    ])
    const csv = readFileSync(await download.path(), 'utf8').split('\r\n')
    await phone.close()

    assert.deepEqual(bars, ['$16.40', '$2.46'], 'approved and in review, on one day')
    assert(width <= NARROWEST, `${width} pixels wide with text of twice the size`)
    assert.match(sum, /The agent paid\s+\$15\.00\s+Our fee, 18%\s+-\$2\.70\s+You get\s+\$12\.30/)
    assert.match(download.suggestedFilename(), /^legwork-\d{4}\.csv$/)
    assert.equal(csv[0], '\uFEFFDate,Type,Task,Agent,Task ID,Gross,Fee,Net,Currency')
    assert.match(csv[1]!, /,Approved task,Is the bakery on Moorweg open right now\?,/)
    assert.match(csv[1]!, /,5\.00,0\.90,4\.10,USD$/)
    assert.match(csv[2]!, /,"'=Photograph ""five"" oat-milk labels, all",/)
    assert.match(csv[2]!, new RegExp(`,${task},15\\.00,2\\.70,12\\.30,USD$`))
    assert.equal(csv.length, 4)
  })

  test('explain an empty list, and link to tasks', async () => {
    const worker = await market.worker()
    const phone = await openPhone()
    const { page } = phone
    await phone.as(worker, origin)

    await phone.open(`${origin}/earnings`)
    await page.getByText('No earnings this week yet').waitFor()
    await page.getByText('Today', { exact: true }).tap()
    await page.getByText('No earnings today yet').waitFor()
    await phone.look('money-6-nothing')
    await page.getByRole('link', { name: 'Find a task' }).tap()
    await until(async () => new URL(page.url()).pathname === '/')
    await phone.close()
  })

  test('show money in dispute with the next step, which Active puts first, and the next payout', async () => {
    const worker = await market.worker({ name: 'Ada Example' })
    await market.onboard(worker)
    await until(async () => (await worker.get('/worker/stripe/status')).body.bank_last4 !== null)
    await completedBy(agent, [worker], { description: 'Is the kiosk open?', budget_cents: 500 })
    const proveNext = async (title: string, budget_cents: number) => {
      const { body } = await agent.post('/tasks', { title, description: title, budget_cents })
      await worker.post(`/worker/tasks/${body.task.id}/accept`)
      await worker.post(`/worker/tasks/${body.task.id}/proof`, { text: 'It does' })
      return `/tasks/${body.task.id}`
    }
    const open = await proveNext('Read the opening hours at the door', 1000)
    await agent.post(`${open}/dispute`, { reason: 'Not readable' })
    const appealed = await proveNext('Count the free parking spaces', 400)
    await agent.post(`${appealed}/dispute`, { reason: 'Too few' })
    await worker.post(`/worker${appealed}/appeal`, { statement: 'I counted twice' })
    const phone = await openPhone()
    const { page } = phone
    await phone.as(worker, origin)

    await phone.open(`${origin}/earnings`)
    await page.getByText('In dispute').waitFor()
    await page.getByText('Next payout').waitFor()
    await phone.look('money-8-in-dispute')
    const said = await page.locator('main').innerText()
    await phone.open(`${origin}/payout`)
    await page.getByText('to bank ••6789').waitFor()
    await phone.look('money-9-next-payout')
    await phone.open(`${origin}/active`)
    await page.getByRole('heading', { name: 'Needs you' }).waitFor()
    await phone.look('money-10-needs-you')
    const active = await page.locator('main').innerText()
    await page.getByRole('link', { name: /opening hours/ }).tap()
    await phone.heading(/disputes/)
    await phone.close()

    assert.match(said, /In dispute\s+\$11\.48\s+2 tasks/)
    assert.match(said, /opening hours at the door\s+Appeal by \w+, [^]*\$8\.20/)
    assert.match(said, /parking spaces\s+You appealed\. The agent can reply until[^]*\$3\.28/)
    assert.match(said, /Next payout Fri, \w+ \d+ to bank ••6789/)
    assert.match(active, /Needs you\s+Read the opening hours[^]*disputes your work\. Appeal by/)
    assert.match(active, /Done\s+Count the free parking/)
  })

  test('say that pay of a free task is held, why, and until when', async () => {
    const generous = await market.agent()
    const held = await market.taskIn(generous, 'completed', { budget_cents: 500 })
    await until(async () => {
      const rows = await market.asOwner(
        `update payouts set status = 'held', hold_reason = 'free_task', available_at = now() + interval '3 days'
          where task_id = $1 returning id`,
        [held.id],
      )
      return rows.length === 1
    })
    const phone = await openPhone()
    const { page } = phone
    await phone.as(held.workers[0]!, origin)

    await phone.open(`${origin}/earnings`)
    await page.getByText('held for a few days').first().waitFor()
    await phone.look('money-7-held')
    const said = await page.locator('main').innerText()
    await phone.close()

    assert.match(
      said,
      /On hold\s+\$4\.10\s+Pay for free tasks is held for a few days\. It continues \w+/,
    )
  })
})
