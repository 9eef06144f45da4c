/**
 * Checks whether a request comes from one of our pages. Browsers send the page's origin with every state-changing
 * request, and no page can forge it. A missing origin is refused, and so is `null`, which stands for an opaque origin.
 */
import type { IncomingHttpHeaders } from 'node:http'

export function isOwnOrigin(
  { origin, host }: Pick<IncomingHttpHeaders, 'origin' | 'host'>,
  { publicUrl }: { publicUrl: string | undefined },
): boolean {
  const given = URL.parse(origin ?? '')
  // Must be exactly what a browser sends: no credentials, path or query.
  if (given === null || given.origin !== origin || !/^https?:$/.test(given.protocol)) return false
  const own = URL.parse(publicUrl ?? '')
  if (own !== null && given.protocol !== own.protocol) return false
  // A proxy may use another host name than the public one, and there may be several public ones.
  return given.host === own?.host || given.host === hostOf(given.protocol, host)
}

/** Drops the scheme's default port; undefined if the header is more than a host. */
function hostOf(protocol: string, host: string | undefined): string | undefined {
  const called = URL.parse(`${protocol}//${host ?? ''}`)
  return called?.href === `${called?.origin}/` ? called.host : undefined
}
