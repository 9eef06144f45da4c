/** Sessions of an operator: the device, how it signed in, and when it was last used. */
import { MonitorSmartphone } from 'lucide-react'
import { Ago } from '../../shared/desk/ago.tsx'
import { Button } from '../../shared/ui/button.tsx'
import { Tag } from '../../shared/ui/card.tsx'
import type { Answer } from '../api.ts'

export type DeskSession = Answer<'/sessions'>['sessions'][number]

const WAYS: Record<DeskSession['how'], string> = {
  passkey: 'passkey',
  oidc: 'company account',
  link: 'development link',
}

export function Sessions({
  sessions,
  isPending = false,
  onEnd,
}: {
  sessions: DeskSession[]
  isPending?: boolean
  /** Ends one that isn't the session of this page. */
  onEnd?(session: DeskSession): void
}) {
  return (
    <ul className="flex flex-col divide-y divide-border">
      {sessions.map((session) => (
        <li
          key={session.id}
          className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-3 first:pt-0 last:pb-0"
        >
          <span className="flex min-w-0 flex-1 basis-60 items-start gap-3">
            <MonitorSmartphone size={20} aria-hidden className="mt-0.5 shrink-0 text-muted" />
            <span className="flex min-w-0 flex-col">
              <span className="flex flex-wrap items-center gap-2 font-medium">
                {session.device}
                {session.is_own && <Tag tone="good">This browser</Tag>}
              </span>
              <span className="text-sm text-muted">
                Last used <Ago at={session.seen_at} /> · signed in <Ago at={session.created_at} />{' '}
                with a {WAYS[session.how]}
              </span>
            </span>
          </span>
          {onEnd !== undefined && !session.is_own && (
            <Button look="secondary" isPending={isPending} onPress={() => onEnd(session)}>
              End session
              <span className="sr-only">of {session.device}</span>
            </Button>
          )}
        </li>
      ))}
    </ul>
  )
}
