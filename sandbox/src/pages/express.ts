/** The worker's dashboard: a single-use link logs them in, and a cookie keeps the session for half an hour. */
import type { AccountRecord } from '../account-record.ts'
import { changeBank } from '../accounts.ts'
import { balanceOf } from '../balance.ts'
import { createPayout } from '../bank-payouts.ts'
import { ApiError } from '../errors.ts'
import { consumeLink, findLink } from '../links.ts'
import { findObject, listObjects } from '../objects.ts'
import { asAccount, type Tx } from '../tx.ts'
import { readBank } from './bank.ts'
import { type ExpressAccount, expressPage, type Said } from './express-view.ts'
import { cookie, cookieOf } from './forms.ts'
import { message, type PageAnswer, seeOther, show } from './layout.ts'
import type { PageCall, PageRoute } from './route.ts'
import { issueTicket, readTicket } from './tickets.ts'
import { centsOf } from './wording.ts'

const COOKIE = 'sandbox_express'
const SESSION_SECONDS = 30 * 60
const SHOWN_MAX = 50

/** Success messages, by the code in the URL. */
const NOTES: Record<string, string> = {
  payout: 'The money is on its way to your bank.',
  bank: 'Your bank account was updated.',
}

export const expressPages: PageRoute[] = [
  {
    method: 'GET',
    path: '/express',
    run(call) {
      const note = NOTES[call.request.url.searchParams.get('done') ?? '']
      return withAccount(call, (tx, account) => show(expressPage(read(tx, account), { note })))
    },
  },
  { method: 'GET', path: '/express/:token', run: logIn },
  { method: 'POST', path: '/express/payouts', run: payOut },
  { method: 'POST', path: '/express/bank', run: saveBank },
  {
    method: 'POST',
    path: '/express/log-out',
    run(call) {
      const answer = loggedOut(200)
      return { ...answer, headers: { ...answer.headers, 'set-cookie': [keep(call, '', 0)] } }
    },
  },
]

function logIn(call: PageCall): PageAnswer {
  const { sandbox, ids } = call
  return sandbox.transaction((tx) => {
    const link = findLink(tx, 'login', ids[0] ?? '')
    if (link === undefined || !consumeLink(tx, 'login', link.token)) return linkIsOver()
    const ticket = issueTicket(sandbox.token, {
      purpose: 'express',
      subject: link.account,
      expiresAt: new Date(tx.nowMs + SESSION_SECONDS * 1000),
    })
    return seeOther('/express', [keep(call, ticket, SESSION_SECONDS)])
  })
}

const keep = ({ sandbox }: PageCall, value: string, seconds: number) =>
  cookie(COOKIE, value, {
    path: '/express',
    seconds,
    isSecure: sandbox.publicUrl.startsWith('https:'),
  })

function withAccount(
  { sandbox, request }: PageCall,
  work: (tx: Tx, account: AccountRecord) => PageAnswer,
): PageAnswer {
  return sandbox.transaction((tx) => {
    const ticket = cookieOf(request.headers, COOKIE)
    const now = new Date(tx.nowMs)
    const accountId = readTicket(sandbox.token, { purpose: 'express', ticket, now })
    const account = accountId === undefined ? undefined : findObject(tx, 'account', accountId)
    return account === undefined || account.closed ? loggedOut() : work(tx, account)
  })
}

function payOut(call: PageCall): PageAnswer {
  const { fields } = call
  const amount = centsOf(fields('amount'))
  if (amount === undefined || amount === 0)
    return again(call, { problems: { amount: 'Enter an amount such as 12.50.' } })
  return trying(call, () =>
    withAccount(call, (tx, account) => {
      createPayout(asAccount(tx, account.id), { amount })
      return seeOther('/express?done=payout')
    }),
  )
}

function saveBank(call: PageCall): PageAnswer {
  const { bank, problems } = readBank(call.fields)
  if (Object.keys(problems).length > 0) return again(call, { problems })
  return trying(call, () =>
    withAccount(call, (tx, account) => {
      changeBank(tx, account.id, { routing: bank.routing, number: bank.account })
      return seeOther('/express?done=bank')
    }),
  )
}

/** Shows the processor's error on the page; nothing was written. */
function trying(call: PageCall, work: () => PageAnswer): PageAnswer {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const refusal = REFUSALS[error.body.code ?? ''] ?? error.message
    return again(call, { refusal })
  }
}

const REFUSALS: Record<string, string> = {
  balance_insufficient: 'This is more than your available balance. Enter a smaller amount.',
  payouts_not_allowed: 'Payouts are not possible yet: this account is not verified.',
}

const again = (call: PageCall, said: Said) =>
  withAccount(call, (tx, account) =>
    show(expressPage(read(tx, account), { fields: call.fields, status: 400, ...said })),
  )

function read(tx: Tx, account: AccountRecord): ExpressAccount {
  const theirs = asAccount(tx, account.id)
  const paging = { limit: SHOWN_MAX }
  return {
    name: account.legal_name ?? account.display_name ?? account.email ?? account.id,
    ...balanceOf(theirs),
    transfers: listObjects(tx, 'transfer', '', { where: { destination: account.id }, ...paging })
      .data,
    payouts: listObjects(theirs, 'payout', '', paging).data,
    bank: account.bank ?? undefined,
  }
}

const linkIsOver = () =>
  message({
    title: 'This link doesn’t work',
    text: 'It was already used, has expired, or is incomplete. Go back and open your dashboard again.',
    status: 410,
  })

const loggedOut = (status = 401) =>
  message({
    title: 'You are logged out',
    text: 'To see your earnings, go back and open your dashboard again.',
    status,
  })
