import { Ban, CheckCheck, CircleDashed, Clock, Eye, TriangleAlert, User } from 'lucide-react'
import type { ReactNode } from 'react'
import { Tag } from '../shared/ui/card.tsx'
import { type Status, STATUSES } from './words.ts'

const ICONS: Record<Status, ReactNode> = {
  pending: <CircleDashed size={14} aria-hidden />,
  in_progress: <User size={14} aria-hidden />,
  proof_submitted: <Eye size={14} aria-hidden />,
  completed: <CheckCheck size={14} aria-hidden />,
  disputed: <TriangleAlert size={14} aria-hidden />,
  expired: <Clock size={14} aria-hidden />,
  cancelled: <Ban size={14} aria-hidden />,
}

export function StatusTag({ status }: { status: Status }) {
  const { label, tone } = STATUSES[status]
  return (
    <Tag icon={ICONS[status]} tone={tone}>
      {label}
    </Tag>
  )
}
