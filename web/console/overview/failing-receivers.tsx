import { useQuery } from '@tanstack/react-query'
import { Unplug } from 'lucide-react'
import { Banner } from '../../shared/ui/card.tsx'
import { Ago } from '../../shared/desk/ago.tsx'
import { plural } from '../../shared/desk/figures.ts'
import { deliveriesQuery } from '../webhooks/queries.ts'
import { TextLink } from '../../shared/desk/text-link.tsx'

/** Lists webhook URLs that fail: otherwise an agent keeps waiting for events that we sent long ago. */
export function FailingReceivers() {
  const { data } = useQuery(deliveriesQuery({}))
  const failing = data?.receivers.filter(({ status }) => status !== 'ok') ?? []
  return failing.map(({ url, status, failing_since, waiting }) => (
    <Banner
      key={url}
      tone="bad"
      icon={<Unplug size={18} aria-hidden />}
      title={status === 'disabled' ? 'A webhook is disabled' : 'A webhook is failing'}
      action={
        <div>
          <TextLink href="/webhooks">View deliveries</TextLink>
        </div>
      }
    >
      <span className="font-mono break-all">{url}</span>
      {failing_since !== null && (
        <>
          {' '}
          started failing <Ago at={failing_since} />
        </>
      )}
      . {plural(waiting, 'undelivered event')}.
    </Banner>
  ))
}
