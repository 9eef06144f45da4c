/** The server's street map, for MapLibre. */
import { addProtocol } from 'maplibre-gl'
import { Protocol } from 'pmtiles'
import type { Streets } from './map-style.ts'
import { openArchive } from './street-archive.ts'
import { placesIn, tileOf } from './street-places.ts'

let protocol: Protocol | undefined

/** undefined if there are none or they can't be loaded; the world map works without them. */
export async function openStreets(address: string): Promise<Streets | undefined> {
  const tiles = openArchive(address)
  try {
    const { maxZoom } = await tiles.getHeader()
    const metadata = (await tiles.getMetadata()) as {
      vector_layers?: { id: string }[]
      attribution?: string
    }
    if (protocol === undefined) {
      protocol = new Protocol()
      addProtocol('pmtiles', protocol.tile)
    }
    protocol.add(tiles)
    return {
      layers: (metadata.vector_layers ?? []).map(({ id }) => id),
      attribution: withoutMarkup(metadata.attribution ?? ''),
      async covers(point, zoom) {
        const z = Math.min(maxZoom, Math.floor(zoom))
        const [x, y] = tileOf(point, z).map(Math.floor)
        return (await tiles.getZxy(z, x!, y!)) !== undefined
      },
      places: () => placesIn(tiles),
    }
  } catch {
    return undefined
  }
}

/** The attribution is HTML from the tiles' author, so only its text is shown. */
const withoutMarkup = (html: string) =>
  new DOMParser().parseFromString(html, 'text/html').body.textContent.trim()
