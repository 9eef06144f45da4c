import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ruleOnAppeal } from '../../src/disputes/rule-on-appeal.ts'
import { PHOTO, type TestWorker } from '../harness.ts'
import { openMarket, openPhone, until } from './phone.ts'

const { market, origin } = await openMarket()
const agent = await market.agent({ balanceCents: 50_000, freeTasks: false })

/** A worker submits a photo, and the agent disputes it. */
async function dispute(worker: TestWorker) {
  const created = await agent.post('/tasks', {
    description:
      'Photograph the opening-hours sign of the bakery on Moorweg so that every line can be read.',
    budget_cents: 500,
    proof_required: 'photo',
    criteria: [
      { id: 'sign', text: 'The sign is in the picture' },
      { id: 'lines', text: 'Every line can be read' },
    ],
  })
  assert.equal(created.status, 201, created.text)
  const { id } = created.body.task as { id: string }
  const replies = [
    await worker.post(`/worker/tasks/${id}/accept`),
    await worker.post(`/worker/tasks/${id}/proof`, {
      text: 'The sign, straight on',
      photos: [PHOTO],
    }),
    await agent.post(`/tasks/${id}/dispute`, {
      reason: 'Two lines are not readable.',
      criteria: ['lines'],
    }),
  ]
  for (const reply of replies) assert(reply.status < 300, reply.text)
  await until(async () => (await worker.get('/worker/notices')).body.unread === 1)
  return id
}

describe('a dispute, on a phone', () => {
  test('is notified, read, appealed, decided by an operator, and shown with money and trust', async () => {
    const worker = await market.worker({ name: 'Ada Example', approvals: 20 })
    const id = await dispute(worker)
    const phone = await openPhone()
    const { page } = phone
    await phone.as(worker, origin)

    await phone.open(`${origin}/earnings`)
    const badge = page.getByRole('link', { name: 'Inbox, 1 unread' })
    await badge.waitFor()
    await badge.tap()
    await phone.heading('Inbox')
    await page.getByText('New', { exact: true }).waitFor()
    await page.getByRole('link', { name: 'Inbox', exact: true }).waitFor()
    await phone.look('dispute-1-inbox')
    const told = await page.getByRole('listitem').filter({ hasText: 'disputes' }).innerText()
    const unread = (await worker.get('/worker/notices')).body.unread as number
    await page.getByText('disputes your work').tap()

    await phone.heading(/disputes \$4\.10/)
    await page.getByRole('img', { name: /Your proof for/ }).waitFor()
    await phone.look('dispute-2-open')
    const shown = await page
      .getByRole('img', { name: /Your proof for/ })
      .evaluate((image) => (image as unknown as { naturalWidth: number }).naturalWidth)
    await page
      .getByLabel('Why does your work meet the request?')
      .fill('All seven lines can be read.')
    await page.getByRole('button', { name: 'Send appeal' }).tap()
    await page.getByText('You appealed').waitFor()
    await phone.look('dispute-3-answered')
    const answered = await page.locator('main').innerText()

    const reply = await agent.post(`/tasks/${id}/dispute/answer`, {
      statement: 'Not on my screen.',
    })
    assert(reply.status < 300, reply.text)
    await page.reload()
    await page.getByText('Not on my screen.').waitFor()
    await market.db.transaction((tx) =>
      ruleOnAppeal(tx, {
        id,
        ruling: 'overturned',
        note: 'Every line can be read when the photo is enlarged.',
        operator: 'test',
        config: market.server.config,
        now: market.now(),
      }),
    )
    await page.reload()
    await page.getByText('Decision: in your favor', { exact: true }).waitFor()
    await page.getByText('The decision changed it back').waitFor()
    await phone.look('dispute-4-decided')
    const decided = await page.locator('main').innerText()
    await until(async () => (await worker.get('/worker/notices')).body.unread > 0)
    await page.getByRole('link', { name: 'Inbox' }).first().tap()
    await page.getByText('Decision: you get $4.10').waitFor()
    await phone.look('dispute-5-inbox')
    await phone.close()

    assert.match(told, /Agent 1 disputes your work: \$4\.10/)
    assert.match(told, /Two lines are not readable\.[^]*Appeal by/)
    assert.equal(unread, 0, 'the shown notice is marked as read')
    assert.equal(shown, 2, 'the photo itself is there')
    assert.match(answered, /All seven lines can be read\.[^]*If it doesn’t reply, you’re paid\./)
    assert.match(answered, /doesn’t count yet, and your score is \d+\. If you win, it becomes \d+/)
    assert.match(decided, /you get \$4\.10[^]*enlarged/)
    assert.match(decided, /The dispute changed it by -\d+(?:\.\d)?\.[^]*changed it back by \+\d+/)
  })

  test('may be accepted, and pays if the agent withdraws it', async () => {
    const worker = await market.worker()
    const id = await dispute(worker)
    const phone = await openPhone()
    const { page } = phone
    await phone.as(worker, origin)

    await phone.open(`${origin}/inbox/${id}`)
    await page.getByText('Don’t appeal').tap()
    await page.getByRole('button', { name: 'Back to the inbox' }).tap()
    await phone.heading('Inbox')
    const withdrawn = await agent.post(`/tasks/${id}/dispute/withdraw`)
    assert(withdrawn.status < 300, withdrawn.text)
    await phone.open(`${origin}/inbox/${id}`)
    await page.getByText('withdrew its dispute').first().waitFor()
    const said = await page.locator('main').innerText()
    await phone.close()

    assert.match(said, /You get \$4\.10\. Agent 1 withdrew its dispute/)
    assert.doesNotMatch(said, /Send appeal/)
  })
})

describe('the inbox, on a phone', () => {
  test('says what will appear in it, and where to configure it, while it is empty', async () => {
    const worker = await market.worker()
    const phone = await openPhone()
    await phone.as(worker, origin)

    await phone.open(`${origin}/inbox`)
    await phone.page.getByText('No messages yet').waitFor()
    await phone.look('dispute-6-empty-inbox')
    await phone.close()
  })

  test('links to trust, its changes, the next level, and what never counts', async () => {
    const worker = await market.worker({ approvals: 4 })
    const other = await dispute(worker)
    const phone = await openPhone()
    const { page } = phone
    await phone.as(worker, origin)

    await phone.open(`${origin}/me/trust`)
    await page.getByRole('meter').waitFor()
    await phone.look('dispute-7-trust')
    const said = await page.locator('main').innerText()
    const now = (await worker.get('/worker/trust')).body
    await page.getByText('An agent disputed your work').tap()
    await phone.heading(/disputes/)
    const at = new URL(page.url()).pathname
    await phone.close()

    assert.match(said, new RegExp(`${now.standing_score} of 100`))
    assert.match(said, /1 more approved task\b/)
    assert.match(said, /An agent disputed your work[^]*Pending/)
    assert.match(said, /Being offline/)
    assert.match(
      said,
      /Pending\s+This dispute doesn’t count yet\s[^]*Doesn’t affect your level[^]*while you can appeal\.\s+Appeal by /,
    )
    const [{ if_overturned: won, if_upheld: lost }] = now.pending
    assert.deepEqual([won.level, lost.level], [2, 1])
    const before = now.standing_score as number
    const change = (after: number) =>
      after === before ? `Trust stays ${after}` : `Trust from ${before} to ${after}`
    assert.match(said, new RegExp(`If you win\\s+${change(won.standing_score)}, level 2`))
    assert.match(said, new RegExp(`or lose\\s+${change(lost.standing_score)}, level 1`))
    assert.equal(at, `/inbox/${other}`)
  })
})
