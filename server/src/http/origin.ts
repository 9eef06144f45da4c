/**
 * Does a request come from a page of ours? Browsers name the page's origin in whatever changes something, and no page
 * can forge it. A request without one is refused, and so is `null`, which stands for a page that has none.
 */
import type { IncomingHttpHeaders } from 'node:http'

export function isOwnOrigin(
  { origin, host }: Pick<IncomingHttpHeaders, 'origin' | 'host'>,
  { publicUrl }: { publicUrl: string | undefined },
): boolean {
  const given = URL.parse(origin ?? '')
  // As a browser writes it: nothing before the host, nothing after it.
  if (given === null || given.origin !== origin || !/^https?:$/.test(given.protocol)) return false
  const own = URL.parse(publicUrl ?? '')
  if (own !== null && given.protocol !== own.protocol) return false
  // A proxy may call us by another name than the world does, and the world may know several.
  return given.host === own?.host || given.host === hostOf(given.protocol, host)
}

/** Without the port that the scheme has anyway; undefined when it is not a host and nothing more. */
function hostOf(protocol: string, host: string | undefined): string | undefined {
  const called = URL.parse(`${protocol}//${host ?? ''}`)
  return called?.href === `${called?.origin}/` ? called.host : undefined
}
