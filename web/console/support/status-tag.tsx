import { CircleCheck, Hourglass, MessageCircleReply } from 'lucide-react'
import { Tag } from '../../shared/ui/card.tsx'
import type { ListedQuestion } from './queries.ts'

const LOOKS = {
  open: { tone: 'warn', Icon: Hourglass, label: 'Waiting for us' },
  answered: { tone: 'good', Icon: MessageCircleReply, label: 'Answered' },
  closed: { tone: 'plain', Icon: CircleCheck, label: 'Closed' },
} as const

export function QuestionStatus({ status }: Pick<ListedQuestion, 'status'>) {
  const { tone, Icon, label } = LOOKS[status]
  return (
    <Tag tone={tone} icon={<Icon size={14} aria-hidden />}>
      {label}
    </Tag>
  )
}
