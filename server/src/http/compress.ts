import { promisify } from 'node:util'
import { gzip } from 'node:zlib'

const gzipped = promisify(gzip)
/** Less than a packet holds: nothing would be won. */
const BYTES_MIN = 1400

/**
 * What a worker's phone reads, smaller. Only for reads by cookie: another site's page can't make a browser
 * send these, so that nobody learns from the size of an answer what stands beside words of their own.
 */
export async function compress(
  body: string,
  acceptEncoding: string | undefined,
): Promise<{ body: string | Buffer; headers: Record<string, string> }> {
  const vary = { vary: 'accept-encoding' }
  if (body.length < BYTES_MIN || !accepts(acceptEncoding, 'gzip')) return { body, headers: vary }
  return { body: await gzipped(body), headers: { ...vary, 'content-encoding': 'gzip' } }
}

/** Whether the header `Accept-Encoding` names it; what has the weight 0 there is refused. */
export function accepts(header: string | undefined, encoding: string): boolean {
  return (header ?? '').split(',').some((offer) => {
    const [name = '', ...parameters] = offer.split(';').map((part) => part.trim().toLowerCase())
    return name === encoding && !parameters.some((part) => /^q=0(?:\.0*)?$/.test(part))
  })
}
