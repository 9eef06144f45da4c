import { UserRoundX } from 'lucide-react'
import { Button } from '../../shared/ui/button.tsx'
import { Banner } from '../../shared/ui/card.tsx'
import { ActionError } from '../query-states.tsx'
import { useText } from '../text/use-text.tsx'
import { useKeepAccount } from './closing.ts'

/** Above every screen while the account is being closed. */
export function ClosingBanner({ closesAt }: { closesAt: string }) {
  const text = useText()
  const keep = useKeepAccount()
  const isDue = Date.parse(closesAt) <= Date.now()
  return (
    <Banner
      tone="warn"
      icon={<UserRoundX size={20} aria-hidden />}
      action={
        <>
          <ActionError error={keep.error} />
          <div className="flex flex-wrap">
            <Button look="quiet" isPending={keep.isPending} onPress={() => keep.mutate()}>
              {text('closing.keep')}
            </Button>
          </div>
        </>
      }
    >
      {isDue ? text('closing.bannerSoon') : text('closing.banner', { date: text.date(closesAt) })}
    </Banner>
  )
}
