import type { Answer } from './api.ts'

type Notice = Answer<'/worker/notices'>['notices'][number]

/** Where a notice links to, in the inbox and in push notifications. */
export function noticeLink({
  kind,
  task_id,
  question_id = null,
}: {
  kind: Notice['kind'] | 'test'
  task_id: string | null
  question_id?: string | null | undefined
}): string {
  if (kind === 'question_answered')
    return question_id === null ? '/me/questions' : `/me/questions/${question_id}`
  if (kind === 'payout_failed') return '/payout'
  if (kind === 'level_lowered') return '/me/trust'
  if (task_id === null) return kind === 'payout_paid' ? '/payout' : '/inbox'
  switch (kind) {
    case 'new_task':
      return `/task/${task_id}`
    case 'half_time':
    case 'check_in':
    case 'revision_requested':
      return `/active/${task_id}`
    case 'disputed':
    case 'dispute_held':
    case 'decided':
      return `/inbox/${task_id}`
    default:
      return `/earnings/${task_id}`
  }
}
