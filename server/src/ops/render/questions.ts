import { ageOf, counted } from '../../kit/words.ts'
import type { DataOf } from '../command.ts'
import type { questions } from '../questions.ts'
import { dueIn } from './text.ts'

export const renderQuestions = ({ at, waiting }: DataOf<typeof questions>): string[] =>
  waiting.length === 0
    ? ['No questions need an answer.']
    : [
        `${counted(waiting.length, 'questions')} to answer, nearest deadline first`,
        ...waiting.flatMap((row) => [
          '',
          `${row.id}, ${row.subject}, ${counted(row.message_count, 'messages')}`,
          `  due:    ${dueIn(row.due_at!, at)}`,
          `  waits:  ${ageOf(at.getTime() - row.waits_since!.getTime())}`,
          row.worker_id === '' ? `  agent:  ${row.agent_id}` : `  worker: ${row.worker_id}`,
          ...(row.task_id === null ? [] : [`  task:   ${row.task_id}`]),
          `  next:   ops question ${row.id}`,
        ]),
      ]
