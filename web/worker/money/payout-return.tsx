import { useMutation, useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { api } from '../api.ts'
import { ActionError } from '../query-states.tsx'
import { useSession } from '../session.tsx'
import { type Text, useText } from '../text/use-text.tsx'
import { Button, ButtonLink } from '../../shared/ui/button.tsx'
import { Banner, Card } from '../../shared/ui/card.tsx'
import { Page } from '../../shared/ui/page.tsx'
import { Skeleton } from '../../shared/ui/states.tsx'
import { type Step, Timeline } from '../../shared/ui/timeline.tsx'
import { askedFor, PROBLEMS, useConnect } from './connect.ts'
import { type PayoutAccount, payoutAccountQuery } from './queries.ts'

const ASK_AGAIN_MS = 1500
/** How long to assume that the processor's webhook is still on its way. */
const PATIENCE_MS = 12_000

/** Shown after returning from the processor's pages. */
export function PayoutReturn() {
  const text = useText()
  const { worker } = useSession()
  return (
    <Page title={text('return.title')}>
      {worker === undefined && <Skeleton label={text('shell.loading')} rows={1} />}
      {worker === null && <Stranger />}
      {worker !== undefined && worker !== null && <Progress />}
    </Page>
  )
}

/** Not logged in: the processor's pages may have been opened on another device. */
function Stranger() {
  const text = useText()
  return (
    <>
      <p>{text('return.stranger')}</p>
      <ButtonLink href={`/login?next=${encodeURIComponent('/payout')}`}>
        {text('shell.logIn')}
      </ButtonLink>
    </>
  )
}

function Progress() {
  const text = useText()
  const isPatient = usePatience()
  const { mutate: ask } = useMutation({
    mutationFn: () => api.post('/worker/stripe/refresh'),
  })
  const hasAsked = useRef(false)
  useEffect(() => {
    if (hasAsked.current) return
    hasAsked.current = true
    ask()
  }, [ask])
  const { data } = useQuery({
    ...payoutAccountQuery,
    refetchInterval: ({ state }) => (state.data?.status === 'active' ? false : ASK_AGAIN_MS),
    refetchOnMount: 'always',
  })
  const isUnfinished = data !== undefined && data.onboarding_required && !isPatient

  return (
    <>
      <Card>
        <Timeline label={text('return.steps')} steps={stepsOf(data, { isUnfinished, text })} />
      </Card>
      {isUnfinished ? <GoOn account={data} /> : <Next isActive={data?.status === 'active'} />}
    </>
  )
}

function stepsOf(
  account: PayoutAccount | undefined,
  { isUnfinished, text }: { isUnfinished: boolean; text: Text },
): Step[] {
  const isActive = account?.status === 'active'
  const isRefused = account?.status === 'rejected' || account?.status === 'closed'
  return [
    {
      id: 'answered',
      title: text(isUnfinished ? 'return.unfinished' : 'return.answered'),
      state: isUnfinished ? 'now' : 'done',
    },
    {
      id: 'checked',
      title: text(
        isActive ? 'return.checked' : isRefused ? 'payout.status_rejected' : 'return.checking',
      ),
      state: isActive ? 'done' : isUnfinished ? 'next' : 'now',
      ...(isActive || isUnfinished || isRefused ? {} : { children: text('return.checkingHow') }),
    },
    {
      id: 'paid',
      title: text(isActive ? 'return.ready' : 'return.readyNext'),
      state: isActive ? 'done' : 'next',
    },
  ]
}

function GoOn({ account }: { account: PayoutAccount }) {
  const text = useText()
  const connect = useConnect()
  const asked = askedFor(account, text)
  return (
    <>
      {asked.length > 0 && (
        <Banner tone="warn" title={text('payout.asked')}>
          <ul className="list-disc ps-5">
            {asked.map((one) => (
              <li key={one}>{one}</li>
            ))}
          </ul>
        </Banner>
      )}
      <ActionError error={connect.error} words={PROBLEMS} />
      <Button isWide isPending={connect.isPending} onPress={() => connect.mutate({})}>
        {text('payout.continue')}
      </Button>
      <ButtonLink look="secondary" href="/">
        {text('earnings.find')}
      </ButtonLink>
    </>
  )
}

function Next({ isActive }: { isActive: boolean }) {
  const text = useText()
  return (
    <>
      <p role="status" className={isActive ? 'sr-only' : 'text-muted'}>
        {text(isActive ? 'return.ready' : 'return.leave')}
      </p>
      <ButtonLink href={isActive ? '/payout' : '/'}>
        {text(isActive ? 'payout.toPayout' : 'earnings.find')}
      </ButtonLink>
      <ButtonLink look="secondary" href="/earnings">
        {text('payout.toEarnings')}
      </ButtonLink>
    </>
  )
}

function usePatience(): boolean {
  const [isPatient, setIsPatient] = useState(true)
  useEffect(() => {
    const timer = setTimeout(() => setIsPatient(false), PATIENCE_MS)
    return () => clearTimeout(timer)
  }, [])
  return isPatient
}
