import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isSame, issueTicket, readTicket } from './tickets.ts'

const now = new Date('2026-11-15T08:00:00Z')
const later = (minutes: number) => new Date(now.getTime() + minutes * 60_000)
const ticket = issueTicket('key', {
  purpose: 'express',
  subject: 'acct_1.ü',
  expiresAt: later(30),
})

test('a ticket returns its subject until it expires', () => {
  assert.equal(readTicket('key', { purpose: 'express', ticket, now }), 'acct_1.ü')
  assert.equal(readTicket('key', { purpose: 'express', ticket, now: later(29) }), 'acct_1.ü')
  assert.equal(readTicket('key', { purpose: 'express', ticket, now: later(30) }), undefined)
})

test('a ticket is invalid for another purpose or under another key', () => {
  assert.equal(readTicket('key', { purpose: 'dashboard', ticket, now }), undefined)
  assert.equal(readTicket('other', { purpose: 'express', ticket, now }), undefined)
})

test('a ticket with any change is refused', () => {
  for (let at = 0; at < ticket.length; at++) {
    const changed = `${ticket.slice(0, at)}${ticket[at] === 'x' ? 'y' : 'x'}${ticket.slice(at + 1)}`
    // The last character of the signature has unused bits, but the text still differs.
    assert.equal(
      readTicket('key', { purpose: 'express', ticket: changed, now }),
      undefined,
      `${at}`,
    )
  }
  for (const none of [undefined, '', '.', 'express', 'express...', `${ticket}.`.slice(1)])
    assert.equal(readTicket('key', { purpose: 'express', ticket: none, now }), undefined)
})

test('secrets of different lengths can be compared', () => {
  assert(isSame('secret', 'secret'))
  assert(!isSame('secret', 'secre'))
  assert(!isSame('', 'secret'))
})
