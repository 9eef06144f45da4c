/**
 * Show who is logged in to the console in this browser. The console requests it first.
 *
 *   called by   the console
 *   moves       nothing
 *   money       none
 *   event       none
 */
import { endpoint } from '../kit/endpoint.ts'
import { ConsoleSessionView } from './begin-console-session.ts'
import { viewSelf } from './people.ts'

export const showConsoleSession = endpoint({
  method: 'GET',
  path: '/console/session',
  name: 'getConsoleSession',
  auth: 'agent',
  scope: 'any',
  summary: 'Show who is logged in to the console',
  success: { status: 200, body: ConsoleSessionView },
  errors: [],

  async handler({ db, agent }) {
    const shown = await db
      .selectFrom('agents')
      .select(['id', 'name', 'mode'])
      .where('id', '=', agent.id)
      .executeTakeFirstOrThrow()
    return {
      agent: shown,
      ...(agent.person ? { person: viewSelf(agent.person, agent.mode) } : {}),
      expires_at: agent.session?.expiresAt.toISOString() ?? null,
    }
  },
})
