/**
 * Ask the operators a question, about anything or about one of the agent's tasks.
 *
 *   called by   an agent. The same question again without photos, while the first waits for its answer, returns
 *               the first
 *   moves       a question: (none) → open
 *   money       none
 *   event       none; operators see it in `ops waiting` and at the desk
 */
import { z } from 'zod'
import { liveModeOnly } from '../agents/errors.ts'
import { tooManyFiles } from '../files/errors.ts'
import type { Tx } from '../kit/db.ts'
import { answerWith, endpoint } from '../kit/endpoint.ts'
import { titleOf } from '../kit/words.ts'
import { taskNotFound } from '../tasks/errors.ts'
import { findTask } from '../tasks/queries.ts'
import { TaskId } from '../tasks/view.ts'
import { askQuestion, QuestionText } from './ask.ts'
import { tooManyOpenQuestions, tooManyQuestions } from './errors.ts'
import { Photos, PHOTOS_BODY_MAX_BYTES, takePhotos } from './photos.ts'
import { AgentQuestionWithMessages, AgentSubject, viewWithMessages } from './questions.ts'

export const askAsAgent = endpoint({
  method: 'POST',
  path: '/agents/questions',
  name: 'createAgentQuestion',
  auth: 'agent',
  scope: 'manage',
  right: 'support',
  access: { mode: 'live' },
  summary: 'Ask a person',
  description:
    'An operator reads it and answers by `due_at`. The answer is in the question, in the console, ' +
    'and in an email to your confirmed address. Test mode has nobody to ask.',
  body: z.object({
    subject: AgentSubject,
    text: QuestionText,
    task_id: TaskId.nullish().describe('One of your tasks'),
    photos: Photos,
  }),
  bodyMaxBytes: PHOTOS_BODY_MAX_BYTES,
  success: { status: 201, body: z.object({ question: AgentQuestionWithMessages }) },
  errors: [liveModeOnly, taskNotFound, tooManyOpenQuestions, tooManyQuestions, tooManyFiles],

  transaction: 'own',
  async handler({ db, agent, body, config, now, warnings, recall, once }) {
    const earlier = await recall()
    if (earlier !== undefined) return earlier
    const { subject, text, task_id: taskId, photos } = body
    const asker = { kind: 'agent', id: agent.id } as const
    const photoIds = await takePhotos(db.reader, { asker, photos, config, now })
    return once(async (tx) => {
      const about = taskId ? await titledTask(tx, { taskId, agentId: agent.id }) : null
      await lockAgent(tx, agent.id)
      const question = await askQuestion(tx, { asker, subject, text, photoIds, about, config, now })
      const shown = await viewWithMessages<'agent'>(tx, question, { config, now })
      return answerWith(201, { question: shown }, warnings)
    })
  },
})

async function titledTask(
  tx: Tx,
  own: { taskId: string; agentId: string },
): Promise<{ id: string; title: string }> {
  const { id, title, description } = await findTask(tx, own)
  return { id, title: title ?? titleOf(description) }
}

/** Serializes concurrent questions of one agent, so that they can't exceed the bounds together. */
const lockAgent = (tx: Tx, id: string) =>
  tx.selectFrom('agents').select('id').where('id', '=', id).forNoKeyUpdate().executeTakeFirst()
