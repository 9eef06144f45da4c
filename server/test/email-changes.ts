/** A worker who changes their email, and both mailboxes. */
import assert from 'node:assert/strict'
import type { Marketplace } from './harness.ts'
import { newEmail, PASSWORD, type signUp, tokenOf } from './people.ts'

type Person = Awaited<ReturnType<typeof signUp>>

export function openEmailChanges(market: Marketplace) {
  const logIn = (email: string, password = PASSWORD) =>
    market.call('POST', '/worker/login', { body: { email, password } })
  const session = async (person: Pick<Person, 'logIn'>) =>
    market.client((await person.logIn()).body.token)
  const confirm = (token: string) =>
    market.call('POST', '/worker/email/confirm', { body: { token } })
  const undo = (token: string) => market.call('POST', '/worker/email/undo', { body: { token } })

  /** Asks for a new address; returns both mails. */
  const ask = async (person: Pick<Person, 'email' | 'logIn'>, email = newEmail()) => {
    const worker = await session(person)
    const reply = await worker.post('/worker/email', { email, current_password: PASSWORD })
    assert.equal(reply.status, 202, reply.text)
    await market.work()
    const toNew = await market.inbox.mailTo(email)
    const toOld = await market.inbox.mailTo(person.email)
    return { email, worker, reply, toNew, toOld }
  }

  /** Asks and confirms; `undoToken` is from the mail after the confirmation. */
  const changed = async (person: Pick<Person, 'email' | 'logIn'>) => {
    const asked = await ask(person)
    assert.equal((await confirm(tokenOf(asked.toNew))).status, 200)
    await market.work()
    return { ...asked, undoToken: tokenOf(await market.inbox.mailTo(person.email)) }
  }
  return { logIn, session, confirm, undo, ask, changed }
}
