import type { DataOf } from '../command.ts'
import type { questionAnswer } from '../question-answer.ts'
import { minute } from './text.ts'

export function renderQuestionAnswered(answered: DataOf<typeof questionAnswer>): string[] {
  if ('refusal' in answered) return [answered.refusal]
  const { id, status, worker_id, closes_at } = answered
  return [
    status === 'closed'
      ? `${id} is closed; ${worker_id} is notified`
      : `${id} is answered; ${worker_id} is notified and can write again until ${minute(closes_at!)} UTC`,
  ]
}
