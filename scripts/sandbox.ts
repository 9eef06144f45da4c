/**
 * The sandbox processor beside a server on this machine: it tells the server what happens, and the operator has put
 * some money of their own into it, out of which free tasks are paid.
 */
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { startSandbox } from '../sandbox/src/server.ts'

const NOTIFICATIONS = ['account', 'connect', 'v2'] as const

export async function startProcessor({
  key,
  port = 0,
  file,
  now,
}: {
  /** The secret that all its secrets are made of, so that they stay the same over a restart. */
  key: string
  port?: number
  /** Where it keeps its data; in memory without one. */
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

  async function control(method: 'GET' | 'POST', path: string, body?: object): Promise<unknown> {
    const response = await fetch(`${sandbox.url}/_sandbox/${path}`, {
      method,
      headers: {
        authorization: `Bearer ${sandbox.token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    assert(response.ok, `the sandbox processor refused ${method} ${path}: ${text}`)
    return text === '' ? undefined : JSON.parse(text)
  }

  return {
    url: sandbox.url,
    /** The address that logs in by itself. */
    dashboard: `${sandbox.url}/dashboard?token=${sandbox.token}`,
    control,
    /** What a server needs to know to use it. */
    settings: {
      STRIPE_SECRET_KEY: 'sk_test_sandbox',
      STRIPE_API_BASE: sandbox.url,
      STRIPE_SECRETS_ACCOUNT: `whsec_${secretOf('account')}`,
      STRIPE_SECRETS_CONNECT: `whsec_${secretOf('connect')}`,
      STRIPE_SECRETS_V2: `whsec_${secretOf('v2')}`,
    },
    /** Where it is to tell what has happened. */
    async tell(api: string): Promise<void> {
      for (const kind of NOTIFICATIONS)
        await control('POST', 'endpoints', {
          kind,
          url: `${api}/processor/${kind}`,
          secret: `whsec_${secretOf(kind)}`,
        })
    },
    /** Money of the operator's own, unless there has been some. */
    async fundOnce(amountCents: number): Promise<void> {
      const { data } = (await control('GET', 'objects/topup')) as { data: unknown[] }
      if (data.length === 0) await control('POST', 'topups', { amount: amountCents })
    },
    stop: () => sandbox.stop(),
  }
}
