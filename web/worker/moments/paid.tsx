/** The moment a task is paid: the amount counts up, and a bar shows what it adds to the week. */
import { useQuery } from '@tanstack/react-query'
import { Share2 } from 'lucide-react'
import { earningsQuery } from '../queries.ts'
import { useText } from '../text/use-text.tsx'
import { Button } from '../../shared/ui/button.tsx'
import { Card } from '../../shared/ui/card.tsx'
import { CountUp } from './count-up.tsx'
import { useMoment } from './use-moment.ts'
import { weekShareOf } from './week-share.ts'

const RECENT_MS = 7 * 86_400_000

/** Older payments are history, also on a new phone. */
export const isRecent = (at: string | null): at is string =>
  at !== null && Date.now() - Date.parse(at) < RECENT_MS

export function usePaidMoment(taskId: string, at: string | null): boolean {
  return useMoment(`paid:${taskId}`, isRecent(at))
}

/** On a receipt. */
export function PaidNow({ taskId, cents, at }: { taskId: string; cents: number; at: string }) {
  const isShown = usePaidMoment(taskId, at)
  if (!isShown || cents <= 0) return null
  return (
    <div className="print:hidden">
      <Card>
        <p className="text-money font-bold text-brand">
          <CountUp cents={cents} isMoving />
        </p>
        <PaidWeek cents={cents} at={at} />
      </Card>
    </div>
  )
}

/** Its height is reserved while the sum is loading, so that nothing moves. */
export function PaidWeek({ cents, at }: { cents: number; at: string }) {
  const text = useText()
  const { data, isFetchedAfterMount } = useQuery({
    ...earningsQuery('week'),
    refetchOnMount: 'always',
  })
  const share = isFetchedAfterMount && data !== undefined ? weekShareOf(data, cents, at) : null
  const money = text.money(cents)
  return (
    <div className="flex min-h-9 flex-col gap-2">
      <p role="status">
        {share !== null &&
          (share.isFirst
            ? text('moments.paid.first', { money })
            : text('moments.paid.week', { money, week: text.money(share.weekCents) }))}
      </p>
      {share !== null && !share.isFirst && <Bar share={share.share} />}
    </div>
  )
}

/** The week so far, and this payment at its end. The sentence above says the same. */
function Bar({ share }: { share: number }) {
  return (
    <div
      aria-hidden
      className="flex h-3 animate-appear overflow-hidden rounded-full bg-brand-soft outline-1 outline-control"
    >
      <span className="grow" />
      <span
        className="rounded-full bg-brand"
        style={{ width: `max(0.75rem, ${(share * 100).toFixed(1)}%)` }}
      />
    </div>
  )
}

/** Tells others what was earned, and nothing about the task, the agent or the place. */
export function ShareButton({ cents }: { cents: number }) {
  const text = useText()
  if (!('share' in navigator)) return null
  const share = () =>
    navigator
      .share({
        text: text('moments.paid.message', { money: text.money(cents) }),
        url: location.origin,
      })
      // The person closed the phone's menu.
      .catch(() => undefined)
  return (
    <Button look="quiet" onPress={() => void share()}>
      <Share2 size={20} aria-hidden />
      {text('moments.paid.share')}
    </Button>
  )
}
