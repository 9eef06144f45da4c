import { Clock, ListChecks, type LucideIcon, MapPin, Undo2 } from 'lucide-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { AcceptedArt } from '../art/accepted.tsx'
import { placeOf } from '../active/brief-rules.ts'
import type { Work } from '../active/queries.ts'
import { profileQuery } from '../queries.ts'
import { useText } from '../text/use-text.tsx'
import { Button } from '../../shared/ui/button.tsx'
import { Card } from '../../shared/ui/card.tsx'
import { useMoment } from './use-moment.ts'

const SOON = { weekday: 'short', hour: 'numeric', minute: 'numeric' } as const

/** Above the first task a worker has accepted: how long they have, where to go, and that they can still hand it back. */
export function FirstAcceptance({ work: { task, assignment } }: { work: Work }) {
  const text = useText()
  const client = useQueryClient()
  // Only if the phone knows it already: a card that comes later would push the steps down.
  const stats = client.getQueryData(profileQuery.queryKey)?.worker.stats
  const isFirst = stats !== undefined && stats.completed + stats.disputed === 0
  const isShown = useMoment('accepted', isFirst)
  const [isClosed, setIsClosed] = useState(false)
  if (!isShown || isClosed) return null
  const place = placeOf(task)?.label ?? null
  return (
    <Card>
      <div role="status" className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <AcceptedArt />
        <h2 className="min-w-0 flex-1 basis-32 text-lg font-bold">
          {text('moments.accepted.title')}
        </h2>
      </div>
      <ul className="flex flex-col gap-2">
        <Line icon={Clock}>
          {text('moments.accepted.time', { when: text.date(assignment.expires_at, SOON) })}
        </Line>
        <Line icon={place === null ? ListChecks : MapPin}>
          {place === null
            ? text('moments.accepted.steps')
            : text('moments.accepted.place', { place })}
        </Line>
        <Line icon={Undo2}>{text('find.handBack')}</Line>
      </ul>
      <Button look="secondary" onPress={() => setIsClosed(true)}>
        {text('moments.accepted.done')}
      </Button>
    </Card>
  )
}

function Line({ icon: Icon, children }: { icon: LucideIcon; children: string }) {
  return (
    <li className="flex gap-3">
      <Icon size={20} aria-hidden className="mt-0.5 shrink-0 text-brand" />
      <span className="min-w-0 flex-1 wrap-anywhere">{children}</span>
    </li>
  )
}
