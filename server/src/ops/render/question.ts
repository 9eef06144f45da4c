import { counted, plain } from '../../kit/words.ts'
import type { DataOf } from '../command.ts'
import type { question } from '../question.ts'
import { dueIn, facts, minute } from './text.ts'

export function renderQuestion({
  at,
  question: shown,
  asker,
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
        asker.kind,
        [
          `${asker.id}, ${asker.status}, reads ${asker.language}`,
          ...(asker.hasEmail ? [] : [', has no confirmed email']),
          `: ops ${asker.kind} ${asker.id}`,
        ].join(''),
      ],
      ['task', task_id && `${task_id} “${task_title}”: ops task ${task_id}`],
    ]),
    '',
    ...messages.flatMap(({ author, operator, created_at, text, photos }) => [
      `${minute(created_at)}  ${author === 'operator' ? `operator ${plain(operator!)}` : author}`,
      ...(photos === 0 ? [] : [`  (${counted(photos, 'photos')}: see the question at the desk)`]),
      ...text.split('\n').map((line) => `  ${plain(line)}`),
    ]),
    '',
    ...(status === 'closed'
      ? []
      : [`next: ops question answer ${id} TEXT, or ops question close ${id} TEXT`]),
  ]
}
