/**
 * What operators do all day, in a browser: an appeal by keyboard alone, a held payout, a break of the books, a worker who
 * farmed free tasks, a question, two operators for one decision, an undo, and a case that changes hands.
 */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { openPhone, type Phone } from '../browser/phone.ts'
import { payoutOf } from '../payouts.ts'
import { setCases } from './cases.ts'
import { DESKTOP } from './desk-screens.ts'
import { giveCookie, type Operator } from './sign-in.ts'

/** An operator needs less than a minute for an appeal; a person also reads, which a test does not. */
const APPEAL_MAX_MS = 20_000
/** A fast typist. */
const TYPING_MS = 15
const TIMEOUT_MS = 120_000

const { market, operators, appeals, largeAppeal, farm, suspense, questions, report, held } =
  await setCases()
const { tara, finn, sue, ada } = operators
const windows = new Map<string, Promise<Phone>>()

/** A window of the desk, in which this operator is signed in. */
async function at(operator: Operator, address: string): Promise<Page> {
  const opened =
    windows.get(operator.id) ??
    openPhone(DESKTOP).then(async (phone) => {
      await giveCookie(phone.context, operator.cookie, market.desk)
      return phone
    })
  windows.set(operator.id, opened)
  const { page } = await opened
  await page.goto(`${market.desk}/desk${address}`)
  await page.getByRole('main').waitFor()
  return page
}

const press = async (page: Page, ...keys: string[]) => {
  for (const key of keys) await page.keyboard.press(key)
}
const type = (page: Page, text: string) => page.keyboard.type(text, { delay: TYPING_MS })
const focusedText = (page: Page) =>
  page.evaluate(() => document.activeElement?.textContent?.trim() ?? '')
const decided = (page: Page, words: string | RegExp) =>
  page.getByRole('status').filter({ hasText: words }).first().waitFor()
const chosen = (page: Page) => page.getByRole('heading', { name: 'What happens' }).waitFor()

/** Waits until the focus is on something with this text: a person looks before pressing a key. */
async function focusOn(page: Page, text: string): Promise<void> {
  const end = Date.now() + 5000
  while (!(await focusedText(page)).includes(text)) {
    assert(Date.now() < end, `the focus is on “${await focusedText(page)}” instead of “${text}”`)
    await page.waitForTimeout(20)
  }
}

/** The amounts that the ruling on the appeal of a task has posted. */
async function ruledOf(taskId: string): Promise<number[]> {
  const lines = await market.asOwner(
    `select amount_cents from transfers where task_id = $1 and kind in ('goodwill', 'appeal_debit')`,
    [taskId],
  )
  return lines.map(({ amount_cents }) => Number(amount_cents))
}

/** The amounts in the preview of the chosen decision. */
async function previewed(page: Page): Promise<number[]> {
  const effect = page.getByRole('heading', { name: 'What happens' }).locator('..')
  const cells = effect.getByRole('table', { name: 'Ledger entries' }).locator('tbody td:last-child')
  const amounts = await cells.allInnerTexts()
  return amounts.map((amount) => Math.round(Number(amount.replaceAll(/[^\d.]/g, '')) * 100))
}

const inOrder = (amounts: number[]) => amounts.toSorted((one, other) => one - other)

describe('appeals', { timeout: TIMEOUT_MS }, () => {
  test('are ruled on one after the other by keyboard alone, each in far less than a minute', async () => {
    for (const { worker } of appeals)
      assert.equal((await worker.put('/worker/profile', { app_language: 'de' })).status, 200)
    const page = await at(tara, '/queues/appeals')
    await page.getByRole('table', { name: 'Cases' }).waitFor()
    await press(page, '?')
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
    await press(page, 'Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await press(page, 'j', 'j', 'k')
    const seconds: number[] = []
    await press(page, 'Enter')
    for (const [n, { id, taskId }] of appeals.entries()) {
      const began = performance.now()
      await page.waitForURL(`**/case/${id}**`)
      await page.getByRole('button', { name: /^Pay the worker/ }).waitFor()
      await press(page, '1')
      await chosen(page)
      await focusOn(page, 'The proof shows what was asked')
      await press(page, 'Enter')
      // The words in brackets are selected.
      await page.waitForFunction(() => {
        const field = document.activeElement as HTMLTextAreaElement
        return field.tagName === 'TEXTAREA' && field.selectionStart < field.selectionEnd
      })
      await type(page, `eine Tür, die sich öffnet (${n + 1})`)
      await press(page, 'Enter')
      await focusOn(page, 'Pay the worker')
      const promised = await previewed(page)
      await press(page, 'Enter')
      // The next case opens.
      await page.waitForURL(({ pathname }) => !pathname.includes(id))
      await decided(page, 'Decided: Pay the worker')
      seconds.push((performance.now() - began) / 1000)

      const posted = await ruledOf(taskId)
      assert.deepEqual(inOrder(posted), inOrder(promised))
      assert(posted.length > 0)
    }
    console.log(`seconds for each appeal: ${seconds.map((one) => one.toFixed(1)).join(', ')}`)
    assert(Math.max(...seconds) * 1000 < APPEAL_MAX_MS)
  })

  test('tell the worker the ruling by mail, and the reason on the page to which it leads, in their language', async () => {
    await market.settle()
    for (const [n, { worker, taskId }] of appeals.entries()) {
      const [mail] = market.inbox.unreadTo(worker.email)
      assert.match(mail!.text, /ist entschieden\. Du bekommst 12,30/)
      assert(mail!.text.includes(`/active/${taskId}`), mail!.text)
      const { text } = await worker.get(`/worker/tasks/${taskId}`)
      assert(
        text.includes(`worum die Aufgabe gebeten hat: eine Tür, die sich öffnet (${n + 1})`),
        text,
      )
    }
  })
})

describe('money', { timeout: TIMEOUT_MS }, () => {
  test('a held payout is released with a reason, and is then paid', async () => {
    const [payout] = farm.payouts as [string]
    const page = await at(finn, '/queues/payout_holds')
    await page.getByRole('table', { name: 'Cases' }).waitFor()
    await page.goto(`${market.desk}/desk/case/${payout}?queue=payout_holds`)
    await page.getByRole('button', { name: /Release the payout/ }).click()
    await chosen(page)
    await page.getByText('The hold ends').waitFor()
    await page
      .getByLabel('Reason')
      .fill('The agents are colleagues who share a mailbox; I called them.')
    await page.getByRole('button', { name: 'Release the payout', exact: true }).click()
    await decided(page, 'Decided: Release the payout')

    await market.settle()
    assert.equal((await payoutOf(market, payout)).status, 'paid')
  })

  test('a break is explained, and raises no alert any more', async () => {
    const page = await at(finn, '/queues/breaks')
    await press(page, 'j')
    await page.locator('[data-row]').first().waitFor()
    await press(page, 'j', 'Enter')
    await page.waitForURL(`**/case/break_${suspense.breakId}**`)
    const explain = page.getByRole('button', { name: /Explain/ }).first()
    await explain.click()
    await chosen(page)
    await page
      .getByLabel('Reason')
      .fill('A customer paid an old link twice; support wrote to them.')
    await page
      .getByRole('button', { name: /^Explain/ })
      .last()
      .click()
    await decided(page, /Decided: Explain/)

    const [row] = await market.asOwner('select explanation from money_breaks where id = $1', [
      suspense.breakId,
    ])
    assert.match(row!.explanation, /paid an old link twice/)
    await at(finn, '/queues/breaks')
    await page.getByText('This queue is empty').waitFor()
  })
})

describe('a worker who farmed free tasks', { timeout: TIMEOUT_MS }, () => {
  test('is suspended for those tasks, is told so, and still gets what is earned', async () => {
    const { worker, taskIds, payouts } = farm
    const page = await at(tara, `/case/${worker.id}`)
    await page
      .getByRole('button', { name: /Suspend the worker/ })
      .first()
      .click()
    await chosen(page)
    await page.getByText('What is earned is still paid out').waitFor()
    await page.getByLabel(/Tasks/).fill(taskIds.join(' '))
    await page.getByRole('button', { name: 'Free tasks for oneself' }).click()
    await page.getByRole('button', { name: 'Suspend the worker', exact: true }).last().click()
    await decided(page, 'Decided: Suspend the worker')

    await market.settle()
    const mail = market.inbox.unreadTo(worker.email).find(({ text }) => text.includes('free tasks'))
    assert(mail, 'the worker is told')
    assert.match(mail.text, /may not\s+be used to pay oneself/)
    assert.match(mail.text, /object/i)
    const [decision] = await market.asOwner(
      'select kind, task_ids from worker_decisions where worker_id = $1',
      [worker.id],
    )
    assert.deepEqual([decision!.kind, decision!.task_ids], ['suspended', taskIds])
    const { status, text } = await finn.post('/decisions', {
      kind: 'payout.release',
      subject: payouts[1],
      input: {},
      reason: 'Earned before the suspension.',
      request_key: `release ${payouts[1]}`,
    })
    assert.equal(status, 201, text)
    await market.settle()
    assert.equal((await payoutOf(market, payouts[1]!)).status, 'paid')
  })

  test('who was suspended by mistake is reinstated by undoing it', async () => {
    const { reporter } = report
    const page = await at(tara, `/case/${reporter.id}`)
    await page
      .getByRole('button', { name: /Suspend the worker/ })
      .first()
      .click()
    await chosen(page)
    await page.getByLabel('Reason').fill('Several accounts with the same device.')
    await page.getByRole('button', { name: 'Suspend the worker', exact: true }).last().click()
    await decided(page, 'Decided: Suspend the worker')
    await page.getByRole('status').getByRole('button', { name: /^Undo/ }).waitFor()
    await press(page, 'u')
    await page.getByRole('dialog').waitFor()
    await type(page, 'I opened the wrong account.')
    await page.getByRole('dialog').getByRole('button', { name: 'Undo', exact: true }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })

    const [row] = await market.asOwner('select status from workers where id = $1', [reporter.id])
    assert.equal(row!.status, 'active')
  })
})

describe('a question', { timeout: TIMEOUT_MS }, () => {
  test('is answered with a template in the language of the worker', async () => {
    assert.equal(
      (await questions.worker.put('/worker/profile', { app_language: 'es' })).status,
      200,
    )
    const page = await at(sue, `/case/${questions.payment}?queue=questions`)
    const templates = page.getByRole('group', { name: 'Templates' })
    await templates.getByRole('button').first().click()
    const box = page.getByLabel('Answer', { exact: true })
    const filled = (await box.inputValue()).replaceAll(/\[[^\]]+\]/g, 'mañana')
    await box.fill(filled)
    await page.getByRole('button', { name: 'Send answer' }).click()
    await page.getByRole('listitem').getByText(filled.slice(0, 30)).waitFor()

    const { body } = await questions.worker.get(`/worker/questions/${questions.payment}`)
    assert.equal(body.question.messages.at(-1).text, filled)
    assert.equal(body.question.messages.at(-1).author, 'operator')
  })

  test('changes hands with a note, and is in the list of who has it now', async () => {
    const page = await at(sue, `/case/${held.id}`)
    await page.getByText('Nobody works on this case.').waitFor()
    await press(page, 'a')
    await page.getByText('Assigned to you').waitFor()
    await press(page, 'n')
    await type(page, 'The agent disputes everything since Monday.')
    await page.getByRole('button', { name: /Add note/ }).click()
    await page.getByRole('list', { name: 'Notes' }).getByText('since Monday').waitFor()
    await page.getByRole('button', { name: 'Hand over…' }).click()
    const sheet = page.getByRole('dialog', { name: 'Hand over this case' })
    await sheet.getByLabel('Colleague').selectOption({ label: 'Tara Lindqvist, trust' })
    await sheet.getByLabel(/What should they know/).fill('Please decide: I may not.')
    await sheet.getByRole('button', { name: 'Hand over' }).click()
    await page.getByText('Tara Lindqvist').first().waitFor()

    const hers = await at(tara, '/queues/held_disputes')
    await hers.getByText('Assigned to me').click()
    await hers.getByText('1 assigned to you').waitFor()
    await press(hers, 'j', 'Enter')
    await hers.getByText('Please decide: I may not.').waitFor()
    await hers.getByRole('list', { name: 'Notes' }).getByText('since Monday').waitFor()
  })
})

describe('a decision above the limit', { timeout: TIMEOUT_MS }, () => {
  test('has no effect until a second operator agrees in another browser', async () => {
    const { id, taskId } = largeAppeal
    const hers = await at(tara, `/case/${id}?queue=appeals`)
    await hers.getByRole('button', { name: /Pay the worker/ }).click()
    await chosen(hers)
    await hers.getByText('A second operator must agree first: the limit is $200').waitFor()
    await hers.getByLabel('Reason').fill('All twelve branches are in the photos.')
    await hers.getByRole('button', { name: 'Propose: Pay the worker' }).click()
    await decided(hers, 'A second operator must agree.')

    assert.deepEqual(await ruledOf(taskId), [])
    const [open] = await market.asOwner('select ruling from appeals where id = $1', [id])
    assert.equal(open!.ruling, null)

    await at(tara, `/case/${id}`)
    await hers.getByText('You proposed it, so somebody else must agree.').waitFor()
    assert.equal(await hers.getByRole('button', { name: /^Agree/ }).count(), 0)
    await press(hers, '1')
    assert.equal(await hers.getByRole('dialog').count(), 0)

    const theirs = await at(ada, '/queues/second_persons')
    await theirs.locator('[data-row]').first().waitFor()
    await press(theirs, 'j', 'Enter')
    await theirs.getByText('All twelve branches are in the photos.').waitFor()
    const promised = await previewed(theirs)
    await theirs.getByRole('button', { name: /^Agree/ }).waitFor()
    await press(theirs, '1')
    await theirs.getByRole('dialog').waitFor()
    await focusOn(theirs, 'Agree')
    await press(theirs, 'Enter')
    await theirs.getByRole('dialog').waitFor({ state: 'detached' })

    const [ruled] = await market.asOwner('select ruling, ruled_by from appeals where id = $1', [id])
    assert.deepEqual([ruled!.ruling, ruled!.ruled_by], ['overturned', `operator ${tara.id}`])
    const posted = await ruledOf(taskId)
    assert.deepEqual(inOrder(posted), inOrder(promised))
    const [decision] = await market.asOwner(
      'select state, proposed_by, second_by from operator_decisions where subject = $1',
      [id],
    )
    assert.deepEqual(decision, { state: 'done', proposed_by: tara.id, second_by: ada.id })
  })
})

test('no window has complained', async () => {
  for (const opened of windows.values()) assert.deepEqual((await opened).complaints, [])
})
