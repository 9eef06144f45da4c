import assert from 'node:assert/strict'
import { startSandbox } from '../../sandbox/src/server.ts'
import type { Config } from '../src/config.ts'
import type { Json } from './json.ts'

const SECRETS = {
  account: 'whsec_test_account',
  connect: 'whsec_test_connect',
  v2: 'whsec_test_v2',
}

export const GOOD_CARD = '4242424242424242'
/** One card, whoever pays with it: the one above is each agent's own. */
export const SHARED_CARD = '5555555555554444'
export const DECLINED_CARD = '4000000000000002'

export type TestSandbox = Awaited<ReturnType<typeof openSandbox>>

/** The sandbox processor, on the clock of the marketplace it belongs to. */
export async function openSandbox({ now }: { now(): Date }) {
  const sandbox = await startSandbox({ now })

  async function control(method: string, path: string, body?: unknown): Promise<Json> {
    const response = await fetch(`${sandbox.url}/_sandbox/${path}`, {
      method,
      headers: {
        authorization: `Bearer ${sandbox.token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    assert(response.ok, `${method} ${path}: ${response.status} ${text}`)
    return text === '' ? {} : (JSON.parse(text) as Json)
  }

  return {
    url: sandbox.url,
    token: sandbox.token,
    stop: () => sandbox.stop(),
    control,
    settings: {
      STRIPE_SECRET_KEY: 'sk_test_sandbox',
      STRIPE_API_BASE: sandbox.url,
      STRIPE_SECRETS_ACCOUNT: SECRETS.account,
      STRIPE_SECRETS_CONNECT: SECRETS.connect,
      STRIPE_SECRETS_V2: SECRETS.v2,
      STRIPE_TIMEOUT_MS: 2000,
    } satisfies Partial<Record<keyof Config, string | number>>,
    /** Sets the address of its webhooks. */
    async tell(api: string): Promise<void> {
      for (const kind of ['account', 'connect', 'v2'] as const)
        await control('POST', 'endpoints', {
          kind,
          url: `${api}/processor/${kind}`,
          secret: SECRETS[kind],
        })
    },
    pay: (sessionId: string, card = GOOD_CARD) =>
      control('POST', `sessions/${sessionId}/pay`, { card }),
    state: () => control('GET', 'state'),
    flush: () => control('POST', 'deliveries/flush'),
  }
}
