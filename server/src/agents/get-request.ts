/**
 * Show one request that was rejected or failed: what was sent, and the response.
 *
 *   called by   an agent
 *   moves       nothing
 *   money       none
 *   event       none
 */
import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { idOf } from '../kit/ids.ts'
import { named } from '../kit/named.ts'
import { requestNotFound } from './errors.ts'
import { keptRequests, RequestView, viewRequest } from './list-requests.ts'

const body = z.string().nullable()

export const getRequest = endpoint({
  method: 'GET',
  path: '/requests/:id',
  name: 'getRequest',
  auth: 'agent',
  scope: 'read',
  right: 'integration',
  access: { object: 'own' },
  summary: 'Show a refused or failed request',
  description:
    'Finds it by the `request_id` of its error. Bodies are text of at most 8 kB; keys, tokens ' +
    'and passwords are removed, and data URLs are cut.',
  params: z.object({ id: idOf('req', 'a request') }),
  success: {
    status: 200,
    body: z.object({
      request: named(
        'LoggedRequestDetail',
        RequestView.extend({
          request_body: body,
          response_body: body,
          user_agent: z.string().nullable(),
        }),
      ),
    }),
  },
  errors: [requestNotFound],

  async handler({ db, agent, params, now }) {
    const row = await keptRequests(db, agent, now)
      .select(['id', 'created_at', 'method', 'path', 'status', 'code', 'ms', 'key_id'])
      .select(['request_body', 'response_body', 'user_agent'])
      .where('id', '=', params.id)
      .executeTakeFirst()
    if (row === undefined) throw requestNotFound()
    const { request_body, response_body, user_agent, ...shown } = row
    return { request: { ...viewRequest(shown), request_body, response_body, user_agent } }
  },
})
