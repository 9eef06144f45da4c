/** The hosted onboarding: a worker enters their identity and bank account, and is sent back to the merchant. */
import { submitAccount } from '../accounts.ts'
import { consumeLink, findLink, type Link } from '../links.ts'
import { findObject } from '../objects.ts'
import type { Tx } from '../tx.ts'
import { readBank, TEST_BANK } from './bank.ts'
import { isCountry } from './countries.ts'
import type { Fields, Problems } from './forms.ts'
import { message, outside, type PageAnswer, seeOther, show } from './layout.ts'
import type { PageCall, PageRoute } from './route.ts'
import { isOutcome, setupPage } from './setup-view.ts'
import { issueTicket, readTicket } from './tickets.ts'

const FORM_MINUTES = 60
const AGE_MIN = 13
const AGE_MAX = 120

export const setupPages: PageRoute[] = [
  { method: 'GET', path: '/setup/:token', run: (call) => withLink(call, open) },
  { method: 'POST', path: '/setup/:token', run: (call) => withLink(call, submit) },
]

function withLink(
  call: PageCall,
  work: (tx: Tx, link: Link, call: PageCall) => PageAnswer,
): PageAnswer {
  return call.sandbox.transaction((tx) => {
    const link = findLink(tx, 'onboarding', call.ids[0] ?? '')
    return link === undefined ? noLink() : work(tx, link, call)
  })
}

/** The first visit consumes the link. From then on, the form carries its own ticket. */
function open(tx: Tx, link: Link, call: PageCall): PageAnswer {
  if (!consumeLink(tx, 'onboarding', link.token)) return refresh(link)
  const account = findObject(tx, 'account', link.account)
  const known: Record<string, string> = {
    name: account?.legal_name ?? account?.display_name ?? '',
    country: account?.country ?? 'US',
    routing: TEST_BANK.routing,
    account: TEST_BANK.account,
    outcome: 'verified',
  }
  return showForm(tx, link, call, { fields: (name) => known[name] ?? '' })
}

function submit(tx: Tx, link: Link, call: PageCall): PageAnswer {
  const { fields, sandbox } = call
  const now = new Date(tx.nowMs)
  const subject = readTicket(sandbox.token, { purpose: 'setup', ticket: fields('ticket'), now })
  if (subject !== link.token) return refresh(link)

  const { bank, problems } = readForm(fields, now)
  const outcome = fields('outcome')
  if (!isOutcome(outcome)) problems.outcome = 'Choose an outcome.'
  if (Object.keys(problems).length > 0 || !isOutcome(outcome))
    return showForm(tx, link, call, { fields, problems })

  submitAccount(tx, link.account, {
    outcome,
    name: fields('name'),
    country: fields('country'),
    bank: { routing: bank.routing, number: bank.account },
  })
  const back = outside(link.return_url)
  return back === undefined ? allSet() : seeOther(back)
}

function readForm(fields: Fields, now: Date) {
  const { bank, problems: bankProblems } = readBank(fields)
  const problems: Problems = {}
  if (fields('name') === '') problems.name = 'Enter your legal name.'
  const birthday = readBirthday(fields)
  if (birthday === undefined) problems.day = 'This is not a valid date. Enter it as 3, 27 and 1990.'
  else if (yearsBetween(birthday, now) < AGE_MIN)
    problems.day = `You must be at least ${AGE_MIN} to be paid.`
  else if (yearsBetween(birthday, now) > AGE_MAX) problems.day = 'Check the year.'
  if (!isCountry(fields('country'))) problems.country = 'Choose your country.'
  return { bank, problems: { ...problems, ...bankProblems } as Problems }
}

/** Rejects February 30, which JavaScript would turn into March 2. */
function readBirthday(fields: Fields): Date | undefined {
  const [year, month, day] = [fields('year'), fields('month'), fields('day')]
  if (!/^\d{4}$/.test(year) || !/^\d{1,2}$/.test(month) || !/^\d{1,2}$/.test(day)) return undefined
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)))
  return date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day)
    ? date
    : undefined
}

function yearsBetween(from: Date, to: Date): number {
  const hadBirthday =
    to.getUTCMonth() > from.getUTCMonth() ||
    (to.getUTCMonth() === from.getUTCMonth() && to.getUTCDate() >= from.getUTCDate())
  return to.getUTCFullYear() - from.getUTCFullYear() - (hadBirthday ? 0 : 1)
}

function showForm(
  tx: Tx,
  link: Link,
  { sandbox }: PageCall,
  { fields, problems }: { fields: Fields; problems?: Problems },
): PageAnswer {
  const ticket = issueTicket(sandbox.token, {
    purpose: 'setup',
    subject: link.token,
    expiresAt: new Date(tx.nowMs + FORM_MINUTES * 60_000),
  })
  return show(
    setupPage({
      action: `/setup/${link.token}`,
      ticket,
      fields,
      ...(problems === undefined ? {} : { problems }),
      returnUrl: link.return_url,
      refreshUrl: link.refresh_url,
    }),
  )
}

/** The merchant creates a new link and sends the worker here again. */
function refresh(link: Link): PageAnswer {
  const again = outside(link.refresh_url)
  return again === undefined ? noLink() : seeOther(again)
}

function noLink(): PageAnswer {
  return message({
    title: 'This link doesn’t work',
    text: 'It was already used, has expired, or is incomplete. Go back and request a new one.',
    status: 410,
  })
}

function allSet(): PageAnswer {
  return message({
    title: 'Your details were submitted',
    text: 'You can close this page and go back.',
    status: 200,
  })
}
