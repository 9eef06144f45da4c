/** Operators in every state, with passkeys, for screens about them. */
import { randomBytes } from 'node:crypto'
import type { Marketplace } from '../harness.ts'
import { ops } from '../ops.ts'
import { type Operator, sessionFor, signIn } from './sign-in.ts'

const DAY_MS = 86_400_000

/** The address below /desk of an invitation that nobody has opened. */
export async function inviteAs(market: Marketplace, role: string): Promise<string> {
  const email = `${role}-${randomBytes(3).toString('hex')}@desk.example`
  const { out } = await ops(market, 'operator', 'add', email, 'Mira', 'Castellanos', role)
  const link = new URL(/https?:\S+/.exec(out)![0])
  return link.href.slice(`${link.origin}/desk`.length)
}

/** An invited and a disabled operator; passkeys of an administrator, who is also signed in elsewhere. */
export async function setTeam(market: Marketplace, admin: Operator) {
  await inviteAs(market, 'trust')
  const left = await signIn(market, 'support', { name: 'Jonas Brandt' })
  await admin.put(`/operators/${left.id}`, { is_disabled: true, reason: 'Left the company.' })
  const now = market.now().getTime()
  for (const [name, usedDaysAgo] of [
    ['Chrome on macOS', 0],
    ['Security key at home', 12],
  ] as const)
    await market.asOwner(
      `insert into operator_passkeys (credential_id, operator_id, name, public_key, counter, created_at, used_at)
       values ($1, $2, $3, '', 1, $4, $5)`,
      [
        randomBytes(32).toString('base64url'),
        admin.id,
        name,
        new Date(now - 90 * DAY_MS),
        new Date(now - usedDaysAgo * DAY_MS),
      ],
    )
  await sessionFor(market, admin.id)
  await eraseWords(market, admin)
  return { left: left.id }
}

/** A look whose reason was erased later. */
async function eraseWords(market: Marketplace, admin: Operator): Promise<void> {
  const worker = await market.worker()
  const reason = 'Erased with the account'
  await admin.post('/looks', { subject: worker.id, what: 'email', reason })
  await market.asOwner('update audit_words set words = null where words = $1', [reason])
}
