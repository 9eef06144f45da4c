import { z } from 'zod'
import { invalidField } from '../kit/errors.ts'

const degrees = (most: number) =>
  z.coerce.number({ error: 'must be a number' }).min(-most).max(most).optional()

/** Where somebody looks for tasks. */
export const PlaceQuery = {
  lat: degrees(90).describe('With lng: instead of the place in your profile'),
  lng: degrees(180),
}

/** Half a place is none. */
export function assertWhole({ lat, lng }: { lat?: number | undefined; lng?: number | undefined }) {
  if ((lat === undefined) !== (lng === undefined))
    throw invalidField(lat === undefined ? 'lat' : 'lng', 'is required with the other')
}
