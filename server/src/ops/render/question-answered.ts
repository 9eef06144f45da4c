import { askerOf } from '../../questions/asker.ts'
import type { DataOf } from '../command.ts'
import type { questionAnswer } from '../question-answer.ts'
import { minute } from './text.ts'

export function renderQuestionAnswered(answered: DataOf<typeof questionAnswer>): string[] {
  if ('refusal' in answered) return [answered.refusal]
  const { id, status, closes_at } = answered
  const { id: askerId } = askerOf(answered)
  return [
    status === 'closed'
      ? `${id} is closed; ${askerId} is notified`
      : `${id} is answered; ${askerId} is notified and can write again until ${minute(closes_at!)} UTC`,
  ]
}
