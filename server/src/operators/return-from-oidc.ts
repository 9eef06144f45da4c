/**
 * Come back from the company's OpenID provider. Only an operator who was invited and isn't disabled gets in: matched by
 * the provider's subject, or the first time by an email that the provider has verified.
 *
 *   called by   the browser, sent back by the provider
 *   moves       a session begins; an operator: invited → active
 *   money       none
 *   event       none
 */
import { z } from 'zod'
import { readCookie } from '../kit/cookies.ts'
import type { Tx } from '../kit/db.ts'
import { deskOperation } from '../kit/desk-operation.ts'
import { deskUrl } from '../kit/desk-url.ts'
import { appendAudit } from './audit.ts'
import { takeChallenge } from './challenges.ts'
import { endLinks } from './links.ts'
import { endedOidcCookie, OIDC_COOKIE, type Person, readPerson } from './oidc.ts'
import { signInOperator } from './sessions.ts'

const Asked = z.object({ state: z.string(), nonce: z.string() })

export const returnFromOidc = deskOperation({
  method: 'GET',
  path: '/sign-in/oidc/return',
  name: 'returnFromOidc',
  right: 'anyone',
  summary: 'Come back from the OpenID provider',
  query: z.object({}).catchall(z.string().max(4000)),
  success: { status: 200, body: z.object({}) },
  errors: [],

  async handler({ background, query, now, device, headers, requestId, setCookie, redirect }) {
    const { db: home, config, log } = background
    const db = home.shards.global
    const refuse = (error: 'oidc_failed' | 'oidc_refused') => {
      redirect(`${deskUrl(config)}/desk/sign-in?error=${error}`)
      return {}
    }
    setCookie(endedOidcCookie())
    const id = readCookie(OIDC_COOKIE, headers.cookie)
    const asked =
      id === undefined ? undefined : await takeChallenge(db, { id, purpose: 'oidc', now })
    if (asked === undefined) return refuse('oidc_failed')
    const { challenge, verifier } = asked
    const { state, nonce } = Asked.parse(JSON.parse(challenge))
    const person = await readPerson(config, { query, state, nonce, verifier: verifier! }).catch(
      (error: unknown) => {
        log.warn({ request_id: requestId, error }, 'the OpenID provider’s answer was refused')
        return undefined
      },
    )
    if (person === undefined) return refuse('oidc_failed')
    const begun = await db.transaction(async (tx) => {
      const operatorId = await matchOperator(tx, { person, now })
      if (operatorId === undefined) return undefined
      const cookies = headers.cookie
      return signInOperator(tx, { operatorId, how: 'oidc', device, cookies, config, now })
    })
    if (begun === undefined) return refuse('oidc_refused')
    setCookie(begun.cookie)
    redirect(`${deskUrl(config)}/desk`)
    return {}
  },
})

async function matchOperator(
  tx: Tx,
  { person: { subject, email }, now }: { person: Person; now: Date },
): Promise<string | undefined> {
  const known = await tx
    .selectFrom('operators')
    .select('id')
    .where('oidc_subject', '=', subject)
    .executeTakeFirst()
  if (known !== undefined || email === null) return known?.id
  const linked = await tx
    .updateTable('operators')
    .set({ oidc_subject: subject })
    .where('email', '=', email)
    .where('oidc_subject', 'is', null)
    .where('status', '<>', 'disabled')
    .returning(['id', 'role'])
    .executeTakeFirst()
  if (linked === undefined) return undefined
  await endLinks(tx, { operatorId: linked.id, purposes: ['invitation'], now })
  await appendAudit(
    tx,
    { operator: linked, action: 'operator.company_account', subject: linked.id },
    { now },
  )
  return linked.id
}
