/** The phone's position, rounded to about a kilometer, which is enough for a list of tasks. */
import { askPosition, NoPosition } from '../phone/ask-position.ts'
import type { TextId } from '../text/use-text.tsx'

export async function askRoughly(): Promise<{ lat: number; lng: number }> {
  const { lat, lng } = await askPosition({ maximumAge: 300_000 })
  return { lat: rounded(lat), lng: rounded(lng) }
}

const rounded = (degrees: number) => Math.round(degrees * 100) / 100

/** Why the position isn't known, and what to do instead. */
export const whyUnknown = (error: unknown): TextId =>
  error instanceof NoPosition && error.isDenied ? 'place.denied' : 'place.unavailable'
