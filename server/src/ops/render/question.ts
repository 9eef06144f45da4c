import { plain } from '../../kit/words.ts'
import type { DataOf } from '../command.ts'
import type { question } from '../question.ts'
import { dueIn, facts, minute } from './text.ts'

export function renderQuestion({
  at,
  question: shown,
  worker,
  messages,
}: DataOf<typeof question>): string[] {
  const { id, subject, status, task_id, task_title, due_at, closes_at } = shown
  return [
    ...facts([
      ['question', id],
      ['subject', subject],
      ['status', status + (shown.ended_for === null ? '' : ` (${shown.ended_for})`)],
      ['due', due_at && dueIn(due_at, at)],
      ['closes', closes_at && `${minute(closes_at)} UTC`],
      [
        'worker',
        `${worker.id}, ${worker.status}, reads ${worker.language}: ops worker ${worker.id}`,
      ],
      ['task', task_id && `${task_id} “${task_title}”: ops task ${task_id}`],
    ]),
    '',
    ...messages.flatMap(({ author, operator, created_at, text }) => [
      `${minute(created_at)}  ${author === 'worker' ? 'worker' : `operator ${plain(operator!)}`}`,
      ...text.split('\n').map((line) => `  ${plain(line)}`),
    ]),
    '',
    ...(status === 'closed'
      ? []
      : [`next: ops question answer ${id} TEXT, or ops question close ${id} TEXT`]),
  ]
}
