/**
 * Runs the sandbox processor next to a local server: it sends the server its webhooks, and holds some of the operator's
 * own money, from which free tasks are paid.
 */
import { createHmac } from 'node:crypto'
import { openControl } from '../sandbox/src/control-client.ts'
import { startSandbox } from '../sandbox/src/server.ts'

const NOTIFICATIONS = ['account', 'connect', 'v2'] as const

export async function startProcessor({
  key,
  port = 0,
  file,
  now,
}: {
  /** All its secrets are derived from this one, so that they survive a restart. */
  key: string
  port?: number
  /** The data file; without one, data is kept in memory. */
  file?: string
  now?(): Date
}) {
  const secretOf = (name: string) => createHmac('sha256', key).update(name).digest('hex')
  const sandbox = await startSandbox({
    port,
    token: secretOf('control').slice(0, 32),
    ...(file === undefined ? {} : { file }),
    ...(now === undefined ? {} : { now }),
  })

  const control = openControl(sandbox)

  return {
    url: sandbox.url,
    /** URL that logs in automatically. */
    dashboard: `${sandbox.url}/dashboard?token=${sandbox.token}`,
    control,
    /** Settings that a server needs to use it. */
    settings: {
      STRIPE_SECRET_KEY: 'sk_test_sandbox',
      STRIPE_API_BASE: sandbox.url,
      STRIPE_SECRETS_ACCOUNT: `whsec_${secretOf('account')}`,
      STRIPE_SECRETS_CONNECT: `whsec_${secretOf('connect')}`,
      STRIPE_SECRETS_V2: `whsec_${secretOf('v2')}`,
    },
    /** Registers the webhook endpoints of a server. */
    async tell(api: string): Promise<void> {
      for (const kind of NOTIFICATIONS)
        await control('POST', 'endpoints', {
          kind,
          url: `${api}/processor/${kind}`,
          secret: `whsec_${secretOf(kind)}`,
        })
    },
    /** Adds the operator's own money, unless that was done before. */
    async fundOnce(amountCents: number): Promise<void> {
      const { data } = (await control('GET', 'objects/topup')) as { data: unknown[] }
      if (data.length === 0) await control('POST', 'topups', { amount: amountCents })
    },
    stop: () => sandbox.stop(),
  }
}
