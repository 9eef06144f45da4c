/**
 * List the agent's questions, newest first.
 *
 *   called by   an agent
 *   moves       nothing
 *   money       none
 *   event       none
 */
import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { QuestionsQuery, readQuestions } from './list.ts'
import { AgentQuestionView } from './questions.ts'
import { readServiceTime, ServiceTime } from './service-time.ts'

export const listAsAgent = endpoint({
  method: 'GET',
  path: '/agents/questions',
  name: 'listAgentQuestions',
  auth: 'agent',
  scope: 'manage',
  right: 'support',
  summary: 'List your questions to our team',
  query: QuestionsQuery,
  success: {
    status: 200,
    body: z.object({
      questions: z.array(AgentQuestionView),
      next_cursor: z.string().nullable(),
      service_time: ServiceTime,
    }),
  },
  errors: [],

  async handler({ db, shards, agent, query, config }) {
    const asker = { kind: 'agent', id: agent.id } as const
    const page = await readQuestions<'agent'>(db, { asker, ...query })
    return { ...page, service_time: await readServiceTime(shards.global.reader, asker, config) }
  },
})
