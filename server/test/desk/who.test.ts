/** Who is at the desk, in the browser: invitations, passkeys, the company's provider, roles, and the end of sessions. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Role } from '../../src/kit/rights.ts'
import { assertAccessible, openHome, until } from '../browser/phone.ts'
import { atEnd } from '../hooks.ts'
import { ops } from '../ops.ts'
import { openProvider } from './openid-provider.ts'
import { openPasskeyBrowser, type PasskeyBrowser } from './passkey-browser.ts'
import { deskClient, giveCookie, signIn } from './sign-in.ts'

const MINUTE = 60_000
const provider = await openProvider()
atEnd(() => provider.stop())
const { market } = await openHome({
  mail: true,
  roles: ['api', 'desk'],
  settings: {
    OIDC_ISSUER: provider.issuer,
    OIDC_CLIENT_ID: 'desk',
    OIDC_CLIENT_SECRET: provider.secret,
  },
})
const DESK = `${market.desk}/desk`
provider.allow({
  desk: `${DESK}/api/sign-in/oidc/return`,
  other: 'http://127.0.0.1:9/other',
})

const press = ({ page }: PasskeyBrowser, name: string | RegExp) =>
  page.getByRole('button', { name, exact: typeof name === 'string' }).click()

const go = ({ page }: PasskeyBrowser, name: string) =>
  page.getByRole('navigation', { name: 'Desk' }).getByRole('link', { name }).click()

const alertOf = async ({ page }: PasskeyBrowser, text: string | RegExp) =>
  page.getByRole('alert').filter({ hasText: text }).waitFor()

/** Opens a link as an invited person does, and creates a passkey. */
async function join(browser: PasskeyBrowser, link: string): Promise<void> {
  await browser.open(link)
  await press(browser, 'Create a passkey')
  await browser.heading('Queues')
}

async function linkFor(email: string, name: string, role: Role): Promise<string> {
  const { out } = await ops(market, 'operator', 'add', email, ...name.split(' '), role)
  return /https?:\S+/.exec(out)![0]
}

/** An operator with a passkey in an own browser. */
async function joined(name: string, role: Role) {
  const email = `${name.split(' ')[0]!.toLowerCase()}@desk.example`
  const browser = await openPasskeyBrowser()
  await join(browser, await linkFor(email, name, role))
  return browser
}

const ada = await openPasskeyBrowser()

describe('from the first administrator to a colleague who leaves', () => {
  const bo = { email: 'bo@desk.example', link: '' }
  let browser: PasskeyBrowser

  test('the first administrator joins with the link that the shell printed', async () => {
    const link = await linkFor('ada@desk.example', 'Ada Novak', 'admin')

    await ada.open(link)
    await ada.page.getByText('Administrator').waitFor()

    assert.equal(ada.page.url(), `${DESK}/join`, 'the token is not in the address bar')
    await ada.page.getByText('Invite operators, change roles').waitFor()
    await press(ada, 'Create a passkey')
    await ada.heading('Queues')
    await ada.page.getByText('Ada Novak').waitFor()
  })

  test('invites a colleague, who joins with the emailed link in another browser', async () => {
    await go(ada, 'Operators')
    await press(ada, /^Invite an operator/)
    await ada.page.getByRole('dialog').getByLabel('Name').fill('Bo Lindgren')
    await ada.page.getByRole('dialog').getByLabel('Email').fill(bo.email)
    await ada.page.getByRole('dialog').getByLabel('Role').selectOption('Support')
    await ada.page.getByText('Answer questions of workers and agents').waitFor()
    await press(ada, 'Send invitation')
    await ada.page.getByText('Bo Lindgren is invited').waitFor()
    await market.work()
    const mail = await market.inbox.mailTo(bo.email)
    bo.link = mail.links.find(({ pathname }) => pathname === '/desk/join')!.href

    browser = await openPasskeyBrowser()
    await browser.open(bo.link)
    await browser.page.getByText('Bo Lindgren').waitFor()
    await press(browser, 'Create a passkey')

    await browser.heading('Queues')
    assert.equal(
      await browser.page.getByRole('link', { name: 'Audit log' }).count(),
      0,
      'support may not read the audit log',
    )
  })

  test('a used link says what to do', async () => {
    const other = await openPasskeyBrowser()
    await other.open(bo.link)

    await alertOf(other, 'This link doesn’t work anymore')
    await other.page.getByText('ask an administrator to send you a new link').waitFor()
    await other.close()
  })

  test('signs out, and in with the passkey at the screen that was wanted', async () => {
    await press(browser, 'Sign out')
    await browser.heading('Operators’ desk')
    await browser.open(`${DESK}/switches`)
    await browser.heading('Operators’ desk')
    assert.equal(await browser.page.getByText('Bo Lindgren').count(), 0)

    await press(browser, 'Sign in with a passkey')

    await browser.heading('Switches')
    assert.equal(browser.page.url(), `${DESK}/switches`)
    await browser.page.getByText('Bo Lindgren').waitFor()
  })

  test('a device without a passkey says so', async () => {
    const other = await openPasskeyBrowser()
    await other.open(DESK)
    await press(other, 'Sign in with a passkey')

    await alertOf(other, 'this device has no passkey for the desk')
    await other.close()
  })

  test('gets another role, and sees it within a minute without a reload', async () => {
    await browser.page.clock.install()
    await browser.open(`${DESK}/account`)
    await browser.page.getByText('Support. Only an administrator can change it.').waitFor()
    await ada.open(`${DESK}/team`)
    await ada.page.getByRole('link', { name: 'Bo Lindgren' }).click()
    await ada.heading('Bo Lindgren')
    await press(ada, /^Change role/)
    await ada.page.getByRole('dialog').getByLabel('Role').selectOption('Finance')
    await ada.page.getByRole('dialog').getByLabel('Reason').fill('Moves to the finance team.')
    await press(ada, 'Change role')
    await ada.page.getByRole('dialog').waitFor({ state: 'detached' })

    await browser.page.clock.fastForward(MINUTE)

    await browser.page.getByText('Finance. Only an administrator can change it.').waitFor()
  })

  test('is disabled: the next request ends at the sign-in screen, and the passkey opens nothing', async () => {
    await press(ada, /^Disable account/)
    await ada.page.getByText('All sessions end at once').waitFor()
    await ada.page.getByRole('dialog').getByLabel('Reason').fill('Left the company.')
    await press(ada, 'Disable account')
    await ada.page.getByText('Disabled', { exact: true }).first().waitFor()

    await go(browser, 'Decisions')

    await alertOf(browser, 'You were signed out')
    assert.equal(await browser.page.getByText('Bo Lindgren').count(), 0)
    await assertAccessible(browser.page, 'signed out')
    await press(browser, 'Sign in with a passkey')
    await alertOf(browser, 'This passkey wasn’t accepted')
    await browser.close()
  })

  test('the audit log has all of it, and its chain is whole', async () => {
    await ada.page.getByRole('link', { name: 'What was done to this account' }).click()
    await ada.heading('Audit log')
    await ada.page.getByText('Left the company.').waitFor()
    const actions = await ada.page.getByRole('row').allInnerTexts()
    for (const action of ['operator.invite', 'passkey.add', 'operator.role', 'operator.disable'])
      assert(
        actions.some((row) => row.includes(action)),
        action,
      )
    await press(ada, /^Check the log/)
    await press(ada, 'Check all rows')
    await ada.page.getByText('none changed or missing').waitFor()
    const [head] = await market.asOwner('select seq, hash from audit_log order by seq desc limit 1')

    assert.equal(
      await ada.page.getByRole('region', { name: 'last row and its hash' }).innerText(),
      `${head!.seq} ${head!.hash}`,
    )
    await press(ada, 'Close')
    const download = ada.page.waitForEvent('download')
    await ada.page.getByRole('link', { name: 'Export all rows' }).click()
    assert.match((await download).suggestedFilename(), /^audit-log-[\d-]+\.ndjson$/)
  })
})

describe('your account', () => {
  test('a second passkey is added and removed; ten minutes later it asks who is there', async () => {
    const dana = await joined('Dana Petrov', 'viewer')
    const { page } = dana
    await dana.open(`${DESK}/account`)
    await press(dana, /^Add a passkey/)
    await press(dana, 'Add passkey')
    await alertOf(dana, 'This device already has a passkey')
    await dana.device.pause()
    await dana.addKeeper('usb')
    await page.getByRole('dialog').getByLabel('Name').fill('Key at home')
    await press(dana, 'Add passkey')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.getByText('Key at home').first().waitFor()

    market.advance(11 * MINUTE)
    await page
      .getByRole('button', { name: /^Remove…/ })
      .first()
      .click()
    await press(dana, 'Remove passkey')
    await alertOf(dana, 'Confirm that it’s you')
    await press(dana, 'Confirm with a passkey')

    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await until(
      async () => (await page.getByRole('button', { name: /^Remove…/ }).count()) === 1,
      'one passkey is left',
    )
    await press(dana, 'Remove… Key at home')
    await press(dana, 'Remove passkey')
    await alertOf(dana, 'This is your last passkey')
    await dana.close()
  })

  test('ends the sessions of other devices', async () => {
    const eli = await joined('Eli Moreau', 'viewer')
    const elsewhere = await openPasskeyBrowser()
    const link = await ops(market, 'operator', 'link', 'eli@desk.example')
    await join(elsewhere, /https?:\S+/.exec(link.out)![0])
    await eli.open(`${DESK}/account`)

    await press(eli, 'End all others')

    await eli.page.getByRole('button', { name: 'End all others' }).waitFor({ state: 'detached' })
    await eli.page.getByText('This browser').waitFor()
    await go(elsewhere, 'Boards')
    await alertOf(elsewhere, 'You were signed out')
    await eli.close()
    await elsewhere.close()
  })
})

describe('a lost device', () => {
  test('an administrator removes the passkeys, and a new link lets the person create another', async () => {
    const kim = await joined('Kim Adeyemi', 'viewer')
    await ada.open(`${DESK}/team`)
    await ada.page.getByRole('link', { name: 'Kim Adeyemi' }).click()
    await press(ada, /^Remove all passkeys/)
    await press(ada, 'Remove all passkeys')
    await ada.page.getByText('None yet').waitFor()
    await go(kim, 'Boards')
    await alertOf(kim, 'You were signed out')
    await press(kim, 'Sign in with a passkey')
    await alertOf(kim, 'This passkey wasn’t accepted')

    await press(ada, 'Send a new link')
    await ada.page.getByText('We sent a link to kim@desk.example').waitFor()
    await market.work()
    const mail = await market.inbox.mailTo('kim@desk.example')
    await kim.open(mail.links.find(({ pathname }) => pathname === '/desk/join')!.href)
    await kim.heading('Create a new passkey')
    await press(kim, 'Create a passkey')

    await kim.heading('Queues')
    await kim.page.getByText('Kim Adeyemi').waitFor()
    await kim.close()
  })
})

describe('the company’s provider', () => {
  test('signs an invited person in, at the screen that was wanted', async () => {
    await linkFor('cora@company.example', 'Cora Diaz', 'viewer')
    provider.state.person = { sub: 'cora', email: 'cora@company.example', email_verified: true }
    const browser = await openPasskeyBrowser()
    await browser.open(`${DESK}/limits`)

    await press(browser, 'Sign in with your company account')

    await browser.heading('Limits')
    await browser.page.getByText('Cora Diaz').waitFor()
    await browser.close()
  })

  test('somebody whom nobody invited is told whom to ask', async () => {
    provider.state.person = { sub: 'eve', email: 'eve@company.example', email_verified: true }
    const browser = await openPasskeyBrowser()
    await browser.open(DESK)

    await press(browser, 'Sign in with your company account')

    await alertOf(browser, 'Your company account has no access to the desk')
    await browser.close()
  })
})

describe('the development link', () => {
  test('signs in once', async () => {
    await linkFor('dev@desk.example', 'Dev Rao', 'admin')
    const { out } = await ops(market, 'operator', 'link', 'dev@desk.example', '--sign-in')
    const link = /https?:\S+/.exec(out)![0]
    const [first, second] = [await openPasskeyBrowser(), await openPasskeyBrowser()]

    await first.open(link)
    await first.heading('Queues')
    await second.open(link)

    await alertOf(second, 'You aren’t signed in')
    assert.equal(second.page.url(), `${DESK}/sign-in`)
    await first.close()
    await second.close()
  })
})

describe('a session that ends', () => {
  test('by signing out in another tab', async () => {
    const hal = await signIn(market, 'viewer', { name: 'Hal Berg' })
    const browser = await openPasskeyBrowser()
    await giveCookie(browser.context, hal.cookie, market.desk)
    await browser.open(`${DESK}/switches`)
    await browser.page.getByText('Hal Berg').waitFor()
    const tab = await browser.context.newPage()
    await tab.goto(`${DESK}/boards`)

    await tab.getByRole('button', { name: 'Sign out' }).click()

    await browser.heading('Operators’ desk')
    assert.equal(await browser.page.getByText('Hal Berg').count(), 0)
    await browser.close()
  })

  test('after idle time: first a warning, then the sign-in screen, and the server ends it too', async () => {
    const fay = await signIn(market, 'viewer', { name: 'Fay Adler' })
    const browser = await openPasskeyBrowser()
    await giveCookie(browser.context, fay.cookie, market.desk)
    await browser.page.clock.install()
    await browser.open(`${DESK}/switches`)
    await browser.page.getByText('Free tasks', { exact: true }).waitFor()

    await browser.page.clock.fastForward(28 * MINUTE)
    await alertOf(browser, 'You’ll be signed out at')
    await browser.page.clock.fastForward(3 * MINUTE)

    await alertOf(browser, 'You were signed out')
    assert.equal(await browser.page.getByText('Free tasks').count(), 0)
    assert.equal((await deskClient(market, fay.cookie).get('/session')).status, 401)
    await browser.close()
  })

  test('leaves nothing in the page: after signing in, everything is loaded again', async () => {
    const gil = await joined('Gil Okoye', 'viewer')
    const { page } = gil
    await go(gil, 'Switches')
    await page.getByText('Free tasks', { exact: true }).waitFor()
    market.advance(31 * MINUTE)
    await go(gil, 'Decisions')
    await alertOf(gil, 'You were signed out')
    await page.route('**/desk/api/switches', () => {
      // Never answered: only what was kept could be shown.
    })

    await press(gil, 'Sign in with a passkey')
    await gil.heading('Decisions')
    await go(gil, 'Switches')
    await gil.heading('Switches')

    await page.getByRole('status', { name: 'Loading' }).waitFor()
    assert.equal(await page.getByText('Free tasks').count(), 0)
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    await gil.close()
  })
})
