/**
 * Show the server settings that the app needs before login.
 *
 *   called by   the app
 *   moves       nothing
 *   money       none
 *   event       none
 */
import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { named } from '../kit/named.ts'

/** A static file outside of the API. */
export const MAP_PATH = '/map/streets.pmtiles'

export const showApp = endpoint({
  method: 'GET',
  path: '/worker/app',
  name: 'getAppSettings',
  auth: 'none',
  access: { by: 'anyone' },
  summary: 'Show the app’s settings on this server',
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
      }),
    ),
  },
  errors: [],

  handler: async ({ config }) => ({
    push_public_key: config.PUSH_PUBLIC_KEY ?? null,
    tiles_url: config.MAP_TILES_FILE === undefined ? null : MAP_PATH,
  }),
})
