/**
 * Show what an app asks for, before a person decides.
 *
 *   called by   the console
 *   moves       nothing
 *   money       none
 *   event       none
 */
import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { AskedAccess, readAskedAccess, sendBack } from './asked-access.ts'
import { appUnknown, wrongRedirect } from './errors.ts'
import { GRANTABLE } from './metadata.ts'

export const showAskedAccess = endpoint({
  method: 'GET',
  path: '/console/connect',
  name: 'getAccessRequest',
  auth: 'agent',
  scope: 'manage',
  right: 'integration',
  isOfKeys: true,
  summary: 'Show what an app asks for',
  description:
    'For the consent page. The query is that of an OAuth authorization request. Everything about ' +
    'the app is what it says about itself, except the host to which it is answered.',
  query: AskedAccess,
  success: {
    status: 200,
    body: z.object({
      app: z.object({
        name: z.string().describe('What the app calls itself; not verified'),
        redirect_host: z.string().describe('The host that gets the access'),
        registered_at: z.iso.datetime(),
      }),
      scopes: z.array(z.enum(GRANTABLE)),
      deny_url: z.string().describe('Where to send the person who refuses'),
    }),
  },
  errors: [appUnknown, wrongRedirect],

  async handler({ query, shards, config, now }) {
    const { client, scopes } = await readAskedAccess(shards.global.reader, query, { config, now })
    return {
      app: {
        name: client.name,
        redirect_host: new URL(query.redirect_uri).host,
        registered_at: client.created_at.toISOString(),
      },
      scopes: [...scopes],
      deny_url: sendBack(query, { error: 'access_denied' }, config),
    }
  },
})
