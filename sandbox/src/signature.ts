/** How a delivery is signed: the receiver recomputes it from the raw bytes and the secret of the endpoint. */
import { createHmac } from 'node:crypto'

export function signatureHeader(secret: string, body: string, atSeconds: number): string {
  const signed = createHmac('sha256', secret).update(`${atSeconds}.${body}`).digest('hex')
  return `t=${atSeconds},v1=${signed}`
}
