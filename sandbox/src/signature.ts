/** Signs a delivery: the receiver recomputes the signature from the raw bytes and the endpoint's secret. */
import { createHmac } from 'node:crypto'

export function signatureHeader(secret: string, body: string, atSeconds: number): string {
  const signed = createHmac('sha256', secret).update(`${atSeconds}.${body}`).digest('hex')
  return `t=${atSeconds},v1=${signed}`
}
