/**
 * Runs the sandbox processor instead of Stripe in a trial (deploy/compose.trial.yaml). It sends the API its
 * notifications, and holds some of the operator's own money, from which free tasks are paid.
 *
 *   NOTIFY_URL           where the API takes notifications
 *   STRIPE_SECRETS_…     what they are signed with
 *   SANDBOX_…            sandbox/README.md
 */
import { openControl } from '../../sandbox/src/control-client.ts'
import { startSandbox } from '../../sandbox/src/server.ts'

const FLOAT_CENTS = 100_000
const { NOTIFY_URL, SANDBOX_FILE, SANDBOX_PUBLIC_URL, SANDBOX_TOKEN } = process.env
const SECRETS = {
  account: process.env.STRIPE_SECRETS_ACCOUNT,
  connect: process.env.STRIPE_SECRETS_CONNECT,
  v2: process.env.STRIPE_SECRETS_V2,
}

const port = Number(process.env.SANDBOX_PORT ?? 12111)
const sandbox = await startSandbox({
  port,
  host: process.env.SANDBOX_HOST ?? '127.0.0.1',
  file: SANDBOX_FILE,
  token: SANDBOX_TOKEN,
  publicUrl: SANDBOX_PUBLIC_URL,
})
const control = openControl({ url: `http://127.0.0.1:${port}`, token: sandbox.token })

for (const [kind, secret] of Object.entries(SECRETS))
  await control('POST', 'endpoints', { kind, url: `${NOTIFY_URL}/${kind}`, secret })
const { data } = (await control('GET', 'objects/topup')) as { data: unknown[] }
if (data.length === 0) await control('POST', 'topups', { amount: FLOAT_CENTS })
console.log(`The sandbox processor runs; it notifies ${NOTIFY_URL}. No real money moves here.`)

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void sandbox.stop())
