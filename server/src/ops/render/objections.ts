import { ageOf, counted, plain } from '../../kit/words.ts'
import type { DataOf } from '../command.ts'
import type { objections } from '../objections.ts'
import { minute } from './text.ts'

export const renderObjections = ({ at, waiting }: DataOf<typeof objections>): string[] =>
  waiting.length === 0
    ? ['No objections need a reply.']
    : [
        `${counted(waiting.length, 'objections')} to reply to. Without a reply, the worker is reinstated.`,
        ...waiting.flatMap((row) => [
          '',
          `${row.worker_id} (${row.id}), ${row.kind} by ${plain(row.decided_by)} on ${minute(row.decided_at)}`,
          `  reason:    ${plain(row.reason)}`,
          ...(row.task_ids.length === 0 ? [] : [`  based on:  ${row.task_ids.join(', ')}`]),
          `  objection: ${plain(row.objection ?? '')}`,
          `  reply by:  ${minute(row.reply_due_at!)} UTC, in ${ageOf(row.reply_due_at!.getTime() - at.getTime())}`,
          `  next:      ops objection ${row.worker_id} uphold | reinstate NOTE`,
        ]),
      ]
