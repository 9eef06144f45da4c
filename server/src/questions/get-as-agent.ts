/**
 * Show an agent's question with its messages.
 *
 *   called by   the agent that asked it
 *   moves       nothing
 *   money       none
 *   event       none
 */
import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { questionNotFound } from './errors.ts'
import {
  AgentQuestionWithMessages,
  findQuestion,
  QuestionId,
  viewWithMessages,
} from './questions.ts'

export const getAsAgent = endpoint({
  method: 'GET',
  path: '/agents/questions/:id',
  name: 'getAgentQuestion',
  auth: 'agent',
  scope: 'manage',
  right: 'support',
  access: { object: 'own' },
  summary: 'Show a question with its messages',
  params: z.object({ id: QuestionId }),
  success: { status: 200, body: z.object({ question: AgentQuestionWithMessages }) },
  errors: [questionNotFound],

  async handler({ db, agent, params, config, now }) {
    const asker = { kind: 'agent', id: agent.id } as const
    const question = await findQuestion(db, { id: params.id, asker })
    if (question === undefined) throw questionNotFound()
    return { question: await viewWithMessages<'agent'>(db, question, { config, now }) }
  },
})
