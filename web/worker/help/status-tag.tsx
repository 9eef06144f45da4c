import { CircleCheck, Hourglass, MessageCircleReply } from 'lucide-react'
import { useText } from '../text/use-text.tsx'
import { Tag } from '../../shared/ui/card.tsx'
import type { ListedQuestion } from './queries.ts'

const LOOKS = {
  open: { tone: 'warn', Icon: Hourglass },
  answered: { tone: 'good', Icon: MessageCircleReply },
  closed: { tone: 'plain', Icon: CircleCheck },
} as const

/** The status of a question, in words and with an icon. */
export function StatusTag({ status }: Pick<ListedQuestion, 'status'>) {
  const text = useText()
  const { tone, Icon } = LOOKS[status]
  return (
    <Tag tone={tone} icon={<Icon size={16} aria-hidden />}>
      {text(`question.status_${status}`)}
    </Tag>
  )
}
