/**
 * Show the server settings that the app needs before login.
 *
 *   called by   the app
 *   moves       nothing
 *   money       none
 *   event       none
 */
import { z } from 'zod'
import type { Config } from '../config.ts'
import { endpoint } from '../kit/endpoint.ts'
import { named } from '../kit/named.ts'
import { countryOf, countryOfZone } from '../places/geocode.ts'

/** A static file outside of the API. */
export const MAP_PATH = '/map/streets.pmtiles'

const degrees = (most: number) =>
  z.coerce.number({ error: 'must be a number' }).min(-most).max(most).optional()

const Query = z.object({
  lat: degrees(90).describe('With lng: where you are'),
  lng: degrees(180),
  tz: z.string().max(64).optional().describe('Your time zone, used without lat and lng'),
})

export const showApp = endpoint({
  method: 'GET',
  path: '/worker/app',
  name: 'getAppSettings',
  auth: 'none',
  access: { by: 'anyone' },
  summary: 'Show the app’s settings on this server',
  query: Query,
  success: {
    status: 200,
    body: named(
      'AppSettings',
      z.object({
        push_public_key: z
          .string()
          .nullable()
          .describe(
            'The public key for push subscriptions; null if this server sends no push messages',
          ),
        tiles_url: z
          .string()
          .nullable()
          .describe('The URL of the street map; null if this server has none'),
        payout_countries: z
          .array(z.string())
          .describe('Two-letter codes of the countries in which workers can be paid'),
        country: z
          .string()
          .nullable()
          .describe('The country of your location or time zone, if it is known'),
      }),
    ),
  },
  errors: [],

  handler: async ({ config, query }) => ({
    push_public_key: config.PUSH_PUBLIC_KEY ?? null,
    tiles_url: config.MAP_TILES_FILE === undefined ? null : MAP_PATH,
    payout_countries: countriesIn(config),
    country: likelyCountry(query) ?? null,
  }),
})

const countriesIn = ({ PAYOUT_COUNTRIES }: Pick<Config, 'PAYOUT_COUNTRIES'>) =>
  PAYOUT_COUNTRIES.split(' ')

function likelyCountry({ lat, lng, tz }: z.output<typeof Query>): string | undefined {
  const here = lat === undefined || lng === undefined ? undefined : countryOf({ lat, lng })
  return here ?? (tz === undefined ? undefined : countryOfZone(tz))
}
