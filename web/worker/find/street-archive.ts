/**
 * The server's street map: one large file, read with range requests. Pieces that were viewed once are available
 * offline.
 */
import { FetchSource, PMTiles, type RangeResponse, type Source } from 'pmtiles'
import { STREETS } from '../offline-db.ts'

const PIECES_MAX = 500

/** Pieces are cached by byte range; the ETag tells which version of the file they belong to. */
class CachedPieces implements Source {
  readonly #source: FetchSource
  readonly #address: string

  constructor(address: string) {
    this.#address = address
    this.#source = new FetchSource(address)
  }

  getKey = () => 'streets'

  getBytes = async (
    offset: number,
    length: number,
    signal?: AbortSignal,
    etag?: string,
  ): Promise<RangeResponse> => {
    const name = `${this.#address}?piece=${offset}-${length}`
    try {
      const piece = await this.#source.getBytes(offset, length, signal, etag)
      void cachePiece(name, piece)
      return piece
    } catch (error) {
      const cached = signal?.aborted ? undefined : await cachedPiece(name)
      if (cached === undefined) throw error
      return cached
    }
  }
}

async function cachePiece(name: string, { data, etag }: RangeResponse): Promise<void> {
  try {
    const cache = await caches.open(STREETS)
    await cache.put(name, new Response(data.slice(0), etag ? { headers: { etag } } : {}))
    const names = await cache.keys()
    for (const old of names.slice(0, Math.max(0, names.length - PIECES_MAX)))
      await cache.delete(old)
  } catch {
    // Only a cache.
  }
}

async function cachedPiece(name: string): Promise<RangeResponse | undefined> {
  const cached = await caches.match(name, { cacheName: STREETS }).catch(() => undefined)
  if (cached === undefined) return undefined
  const etag = cached.headers.get('etag')
  return { data: await cached.arrayBuffer(), ...(etag === null ? {} : { etag }) }
}

const archives = new Map<string, PMTiles>()

/** One reader for all screens, since it remembers the directory. */
export function openArchive(address: string): PMTiles {
  const url = new URL(address, location.href).href
  const archive = archives.get(url) ?? new PMTiles(new CachedPieces(url))
  archives.set(url, archive)
  return archive
}
