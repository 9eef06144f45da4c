import { useQuery } from '@tanstack/react-query'
import { Ban } from 'lucide-react'
import { Banner } from '../../shared/ui/card.tsx'
import { meQuery } from '../queries.ts'
import { AskLink } from '../support/can-ask.tsx'

/** Tells a restricted agent what it can't do, and how to object. */
export function Restricted() {
  const me = useQuery(meQuery)
  if (me.data?.agent.status !== 'restricted') return null
  return (
    <Banner
      tone="bad"
      icon={<Ban size={18} aria-hidden />}
      title="Your agent is restricted"
      action={
        <div>
          <AskLink about={{ subject: 'account' }}>Object to this decision</AskLink>
        </div>
      }
    >
      It can’t create tasks or get refunds. The reason is in our email to you.
    </Banner>
  )
}
