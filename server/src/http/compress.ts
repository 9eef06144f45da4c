import { promisify } from 'node:util'
import { gzip } from 'node:zlib'

const gzipped = promisify(gzip)
/** A smaller body fits into one packet anyway, so compression gains nothing. */
const BYTES_MIN = 1400

/**
 * Compresses responses for browsers. Only for cookie-authenticated reads: another site's page can't make the browser
 * send these, so nobody can inject text and infer secrets from the compressed size (BREACH).
 */
export async function compress(
  body: string,
  acceptEncoding: string | undefined,
): Promise<{ body: string | Buffer; headers: Record<string, string> }> {
  const vary = { vary: 'accept-encoding' }
  if (body.length < BYTES_MIN || !accepts(acceptEncoding, 'gzip')) return { body, headers: vary }
  return { body: await gzipped(body), headers: { ...vary, 'content-encoding': 'gzip' } }
}

/** Whether `Accept-Encoding` allows an encoding; a weight of 0 means refused. */
export function accepts(header: string | undefined, encoding: string): boolean {
  return (header ?? '').split(',').some((offer) => {
    const [name = '', ...parameters] = offer.split(';').map((part) => part.trim().toLowerCase())
    return name === encoding && !parameters.some((part) => /^q=0(?:\.0*)?$/.test(part))
  })
}
