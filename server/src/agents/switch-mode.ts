/**
 * Switch a person's console session to the live agent or its test twin. A session of a key keeps the mode of its key.
 *
 *   called by   a person in the console
 *   moves       nothing
 *   money       none
 *   event       none
 */
import { z } from 'zod'
import { answerWith, endpoint } from '../kit/endpoint.ts'
import { ConsoleSessionView } from './begin-console-session.ts'
import { personRequired } from './errors.ts'
import { callingPerson, viewSelf } from './people.ts'

export const switchMode = endpoint({
  method: 'PATCH',
  path: '/console/session',
  name: 'updateConsoleSession',
  auth: 'agent',
  scope: 'any',
  access: { person: 'required' },
  at: 'global',
  readOnlyMode: 'served',
  summary: 'Switch your console session between live and test mode',
  body: z.object({ mode: z.enum(['live', 'test']) }),
  success: { status: 200, body: ConsoleSessionView },
  errors: [personRequired],

  transaction: 'own',
  async handler({ agent, body: { mode }, shards, warnings, once }) {
    const person = callingPerson(agent)
    // Before the transaction: the agent may be in another schema, whose connection it would wait for.
    const shown = await shards
      .at(person.agentId)
      .reader.selectFrom('agents')
      .select(['id', 'name', 'mode'])
      .where((where) =>
        where.or([where('id', '=', person.agentId), where('twin_id', '=', person.agentId)]),
      )
      .where('mode', '=', mode)
      .executeTakeFirstOrThrow()
    const { tokenHash, expiresAt } = agent.session!
    return once(async (tx) => {
      await tx
        .updateTable('console_sessions')
        .set({ agent_id: shown.id })
        .where('token_hash', '=', tokenHash)
        .where('person_id', '=', person.id)
        .execute()
      const result = {
        agent: shown,
        person: viewSelf(person, mode),
        expires_at: expiresAt.toISOString(),
      }
      return answerWith(200, result, warnings)
    })
  },
})
