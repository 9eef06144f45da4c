/**
 * What a visitor of the pages may do, written down and signed: the cookies and the tokens in forms. Nothing is stored,
 * so that a ticket survives a restart of the sandbox as long as its control token stays the same.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'

interface Ticket {
  /** What it is for. One made for a form is worth nothing as a cookie. */
  purpose: 'setup' | 'express' | 'dashboard' | 'confirm'
  /** Whom or what it is about: the token of a link, an account, a session. */
  subject: string
}

/** Signed with a key of its own: a signature never helps to guess the control token. */
export function issueTicket(
  key: string,
  { purpose, subject, expiresAt }: Ticket & { expiresAt: Date },
): string {
  const content = `${purpose}.${expiresAt.getTime().toString(36)}.${Buffer.from(subject).toString('base64url')}`
  return `${content}.${sign(key, content)}`
}

/** The subject of a ticket that is ours, for this purpose, and not yet over. */
export function readTicket(
  key: string,
  { purpose, ticket, now }: { purpose: Ticket['purpose']; ticket: string | undefined; now: Date },
): string | undefined {
  const [found, expires, subject, signature] = ticket?.split('.') ?? []
  if (found !== purpose || expires === undefined || subject === undefined) return undefined
  if (!isSame(signature ?? '', sign(key, `${found}.${expires}.${subject}`))) return undefined
  if (Number.parseInt(expires, 36) <= now.getTime()) return undefined
  return Buffer.from(subject, 'base64url').toString()
}

/** Compares secrets in a time that says nothing of where they differ. */
export function isSame(one: string, other: string): boolean {
  const [left, right] = [one, other].map((text) =>
    createHmac('sha256', 'compare').update(text).digest(),
  )
  return timingSafeEqual(left!, right!)
}

function sign(key: string, content: string): string {
  return createHmac('sha256', `sandbox pages ${key}`).update(content).digest('base64url')
}
