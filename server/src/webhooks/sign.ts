import { createHmac, createSecretKey, type KeyObject } from 'node:crypto'
import { readSecret } from '../kit/secrets.ts'

/** Signs a body as Standard Webhooks demands, under every secret that is valid: any of them proves that it is ours. */
export type Sign = (message: { id: string; body: string; at: Date }) => Record<string, string>

export interface KeptSecrets {
  webhook_secret: string
  webhook_secret_old: string | null
  webhook_secret_old_until: Date | null
}

export function signer(
  { webhook_secret, webhook_secret_old, webhook_secret_old_until }: KeptSecrets,
  { keys, agentId }: { keys: readonly string[]; agentId: string },
): Sign {
  const current = keyOf(readSecret(webhook_secret, { keys, owner: agentId }))
  const old = oldKey()

  /** One that can't be opened any more must not keep the current one from signing. */
  function oldKey(): KeyObject | undefined {
    if (webhook_secret_old === null) return undefined
    try {
      return keyOf(readSecret(webhook_secret_old, { keys, owner: agentId }))
    } catch {
      return undefined
    }
  }

  return ({ id, body, at }) => {
    const seconds = String(Math.floor(at.getTime() / 1000))
    const content = `${id}.${seconds}.${body}`
    const isOldValid = old !== undefined && at < (webhook_secret_old_until ?? at)
    return {
      'webhook-id': id,
      'webhook-timestamp': seconds,
      'webhook-signature': isOldValid
        ? `${signature(content, current)} ${signature(content, old)}`
        : signature(content, current),
    }
  }
}

// Five times as fast as signing with the bytes themselves.
const keyOf = (secret: string) =>
  createSecretKey(Buffer.from(secret.replace(/^whsec_/, ''), 'base64'))

const signature = (content: string, key: KeyObject) =>
  `v1,${createHmac('sha256', key).update(content).digest('base64')}`
