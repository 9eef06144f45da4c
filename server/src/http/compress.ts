import { promisify } from 'node:util'
import { constants, gzip } from 'node:zlib'

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
  if (body.length < BYTES_MIN || !/\bgzip\b/.test(acceptEncoding ?? ''))
    return { body, headers: vary }
  const bytes = await gzipped(body, { level: constants.Z_DEFAULT_COMPRESSION })
  return { body: bytes, headers: { ...vary, 'content-encoding': 'gzip' } }
}
