/**
 * Signed tickets for the pages: the cookies and the tokens in forms. Nothing is stored, so a ticket survives a restart
 * of the sandbox as long as its control token stays the same.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'

interface Ticket {
  /** A ticket is valid only for its purpose: a form's ticket doesn't work as a cookie. */
  purpose: 'setup' | 'express' | 'dashboard' | 'confirm'
  /** The subject: the token of a link, an account, or a session. */
  subject: string
}

/** Signed with a derived key, so that a signature reveals nothing about the control token. */
export function issueTicket(
  key: string,
  { purpose, subject, expiresAt }: Ticket & { expiresAt: Date },
): string {
  const content = `${purpose}.${expiresAt.getTime().toString(36)}.${Buffer.from(subject).toString('base64url')}`
  return `${content}.${sign(key, content)}`
}

/** Returns the subject of a ticket that is authentic, for this purpose, and not expired. */
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

/** Compares secrets in constant time. */
export function isSame(one: string, other: string): boolean {
  const [left, right] = [one, other].map((text) =>
    createHmac('sha256', 'compare').update(text).digest(),
  )
  return timingSafeEqual(left!, right!)
}

function sign(key: string, content: string): string {
  return createHmac('sha256', `sandbox pages ${key}`).update(content).digest('base64url')
}
