/**
 * Close an agent's question: the answer is enough, or the agent no longer needs one.
 *
 *   called by   the agent that asked it. Closing it again changes nothing
 *   moves       a question: open or answered → closed
 *   money       none
 *   event       none
 */
import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { closeQuestion } from './close.ts'
import { questionNotFound } from './errors.ts'
import { AgentQuestionWithMessages, QuestionId, viewWithMessages } from './questions.ts'

export const closeAsAgent = endpoint({
  method: 'POST',
  path: '/agents/questions/:id/close',
  name: 'closeAgentQuestion',
  auth: 'agent',
  scope: 'manage',
  right: 'support',
  access: { object: 'own' },
  summary: 'Close your question',
  params: z.object({ id: QuestionId }),
  success: { status: 200, body: z.object({ question: AgentQuestionWithMessages }) },
  errors: [questionNotFound],

  async handler({ tx, agent, params, config, now }) {
    const asker = { kind: 'agent', id: agent.id } as const
    const question = await closeQuestion(tx, { id: params.id, asker, now })
    return { question: await viewWithMessages<'agent'>(tx, question, { config, now }) }
  },
})
