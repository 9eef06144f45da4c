import type { Config } from '../config.ts'
import type { Reader } from '../kit/db.ts'
import { publicUrl } from '../kit/public-url.ts'
import type { NewCheckout } from '../processor/client.ts'
import type { Deposit } from './queries.ts'

/**
 * Builds the request for a deposit's checkout page. It must be byte-for-byte the same every time: the processor answers
 * a repeated request with the existing page and refuses one that differs.
 */
export async function checkoutOf(
  db: Reader,
  deposit: Deposit,
  config: Pick<Config, 'PUBLIC_URL' | 'HOST' | 'PORT'>,
): Promise<NewCheckout> {
  const { email } = await db
    .selectFrom('agents')
    .select('email')
    .where('id', '=', deposit.agent_id)
    // Only a test agent can have no email, and its money is play money.
    .$narrowType<{ email: string }>()
    .executeTakeFirstOrThrow()
  return {
    depositId: deposit.id,
    agentId: deposit.agent_id,
    email,
    amountCents: deposit.amount_cents,
    expiresAt: deposit.expires_at,
    successUrl: `${publicUrl(config)}/wallet?session_id={CHECKOUT_SESSION_ID}`,
    cancelUrl: `${publicUrl(config)}/wallet?cancelled=1`,
  }
}
