import { z } from 'zod'
import { defineError } from '../kit/errors.ts'
import { DAILY_MAX, OPEN_MAX } from './questions.ts'

export const questionNotFound = defineError(
  404,
  'question_not_found',
  'This question does not exist',
  {},
  {
    who: 'anyone',
    cause: 'The id is wrong, or somebody else asked the question.',
    fix: 'Use an id from `GET /agents/questions` or, as a worker, `GET /worker/questions`.',
  },
)
export const tooManyOpenQuestions = defineError(
  409,
  'too_many_open_questions',
  `You have ${OPEN_MAX} questions without an answer; add to one of them, or close one`,
  {},
  {
    who: 'anyone',
    cause: `At most ${OPEN_MAX} questions of a worker or an agent wait for an answer at a time.`,
    fix: 'Add a message to one of them, close one that you no longer need, or wait for an answer.',
  },
)
export const tooManyQuestions = defineError(
  409,
  'too_many_questions',
  `You can ask ${DAILY_MAX} questions in 24 hours; try again later`,
  { retry_at: z.iso.datetime().describe('When you can ask again') },
  {
    who: 'anyone',
    cause: `A worker or an agent can ask ${DAILY_MAX} questions in 24 hours.`,
    fix: 'Wait until `retry_at`, or add a message to a question that is not closed.',
  },
)
export const questionClosed = defineError(
  409,
  'question_closed',
  'This question is closed; ask a new one',
  {},
  {
    who: 'anyone',
    cause: 'You or an operator closed the question, or its answer is more than two weeks old.',
    fix: 'Ask a new question.',
  },
)
export const questionFull = defineError(
  409,
  'question_full',
  'This question has no room for another message; ask a new one',
  {},
  {
    who: 'anyone',
    cause: 'A question has at most 20 messages, and the last one is ours.',
    fix: 'Wait for our answer, or ask a new question.',
  },
)
