/**
 * `/.well-known/security.txt` (RFC 9116): where to report a vulnerability.
 *
 * The RFC requires an expiry date less than a year ahead. The file is rendered from the settings on each request, so
 * the date moves with the calendar and never lies in the past.
 */
import type { FastifyInstance } from 'fastify'
import type { Config } from '../config.ts'
import { publicUrl } from '../kit/public-url.ts'

const PATH = '/.well-known/security.txt'
const VALID_MONTHS = 6

type Settings = Pick<
  Config,
  'HOST' | 'PORT' | 'PUBLIC_URL' | 'SECURITY_CONTACT' | 'SECURITY_POLICY_URL'
>

export function serveSecurityTxt(server: FastifyInstance, config: Settings): void {
  server.get(PATH, { config: { label: PATH, access: 'anyone' } }, (request, reply) =>
    reply
      .headers({ 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'max-age=86400' })
      .send(renderSecurityTxt(config, request.now)),
  )
}

export function renderSecurityTxt(config: Settings, now: Date): string {
  const lines = [
    `Contact: ${config.SECURITY_CONTACT}`,
    `Expires: ${expiry(now)}`,
    'Preferred-Languages: en',
    `Canonical: ${publicUrl(config)}${PATH}`,
    ...(config.SECURITY_POLICY_URL ? [`Policy: ${config.SECURITY_POLICY_URL}`] : []),
  ]
  return `${lines.join('\n')}\n`
}

/** The first of a month, so all processes return the same text. */
function expiry(now: Date): string {
  const at = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1 + VALID_MONTHS, 1)
  return new Date(at).toISOString().replace('.000Z', 'Z')
}
