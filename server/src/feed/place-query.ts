import { z } from 'zod'
import { invalidField } from '../kit/errors.ts'

const degrees = (most: number) =>
  z.coerce.number({ error: 'must be a number' }).min(-most).max(most).optional()

/** The place to search around. */
export const PlaceQuery = {
  lat: degrees(90).describe('With lng; overrides the location in your profile'),
  lng: degrees(180),
}

/** `lat` and `lng` must be given together. */
export function assertWhole({ lat, lng }: { lat?: number | undefined; lng?: number | undefined }) {
  if ((lat === undefined) !== (lng === undefined))
    throw invalidField(lat === undefined ? 'lat' : 'lng', 'is required: give lat and lng together')
}
