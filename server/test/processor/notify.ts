/** Webhooks signed like the processor's, sent manually: in any order, repeated, or forged. */
import { createHmac } from 'node:crypto'
import { call, type Json, type Marketplace, type Reply } from '../harness.ts'

export type Address = 'account' | 'connect' | 'v2'

export function secretOf({ sandbox }: Marketplace, address: Address): string {
  const { settings } = sandbox
  return {
    account: settings.STRIPE_SECRETS_ACCOUNT,
    connect: settings.STRIPE_SECRETS_CONNECT,
    v2: settings.STRIPE_SECRETS_V2,
  }[address]
}

export function signature(
  body: string,
  { secret, at, scheme = 'v1' }: { secret: string; at: Date; scheme?: string },
): string {
  const seconds = Math.floor(at.getTime() / 1000)
  const code = createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')
  return `t=${seconds},${scheme}=${code}`
}

/** Sends an event of the sandbox, with a valid signature. */
export function notify(market: Marketplace, address: Address, event: Json): Promise<Reply> {
  const body = JSON.stringify(event)
  const signed = signature(body, { secret: secretOf(market, address), at: market.now() })
  return post(market, address, body, signed)
}

export function post(
  market: Marketplace,
  address: Address,
  body: string,
  signed: string | undefined,
): Promise<Reply> {
  return call(market.server.addresses.api!, 'POST', `/processor/${address}`, {
    body,
    headers: signed === undefined ? {} : { 'stripe-signature': signed },
  })
}
