/**
 * Add a message to an agent's question. After an answer, it needs another one.
 *
 *   called by   the agent that asked it. The same text twice in a row is one message
 *   moves       a question: answered → open, with a new deadline; an open one keeps its deadline
 *   money       none
 *   event       none; operators see it in `ops waiting` and at the desk
 */
import { z } from 'zod'
import { tooManyFiles } from '../files/errors.ts'
import { answerWith, endpoint } from '../kit/endpoint.ts'
import { questionClosed, questionFull, questionNotFound } from './errors.ts'
import { PHOTOS_BODY_MAX_BYTES, takePhotos } from './photos.ts'
import { AgentQuestionWithMessages, QuestionId, viewWithMessages } from './questions.ts'
import { assertTakesMessages, Reply, replyToQuestion } from './reply.ts'

export const replyAsAgent = endpoint({
  method: 'POST',
  path: '/agents/questions/:id/replies',
  name: 'replyToAgentQuestion',
  auth: 'agent',
  scope: 'manage',
  right: 'support',
  access: { object: 'own' },
  summary: 'Add a message to your question',
  description: 'After an answer, the question is open again. A closed question takes no messages.',
  params: z.object({ id: QuestionId }),
  body: Reply,
  bodyMaxBytes: PHOTOS_BODY_MAX_BYTES,
  beforeBody: ({ db, params, agent }) =>
    assertTakesMessages(db, { id: params.id, asker: { kind: 'agent', id: agent.id } }),
  success: { status: 201, body: z.object({ question: AgentQuestionWithMessages }) },
  errors: [questionNotFound, questionClosed, questionFull, tooManyFiles],

  transaction: 'own',
  async handler({ db, agent, params, body, config, now, warnings, recall, once }) {
    const earlier = await recall()
    if (earlier !== undefined) return earlier
    const asker = { kind: 'agent', id: agent.id } as const
    const { photos, text } = body
    const photoIds = await takePhotos(db.reader, { asker, photos, config, now })
    return once(async (tx) => {
      const about = { id: params.id, asker, text, photoIds }
      const question = await replyToQuestion(tx, { ...about, config, now })
      const shown = await viewWithMessages<'agent'>(tx, question, { config, now })
      return answerWith(201, { question: shown }, warnings)
    })
  },
})
