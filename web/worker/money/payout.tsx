import { useQuery } from '@tanstack/react-query'
import { CircleAlert, CircleCheck, ExternalLink, Hourglass, Landmark, Lock } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { ActionError, QueryResult } from '../query-states.tsx'
import { CountryNotice } from '../join/country-notice.tsx'
import { earningsQuery, profileQuery } from '../queries.ts'
import { useText } from '../text/use-text.tsx'
import { Button, ButtonLink } from '../../shared/ui/button.tsx'
import { Banner, Card } from '../../shared/ui/card.tsx'
import { Page } from '../../shared/ui/page.tsx'
import { askedFor, PROBLEMS, useConnect, useDashboard } from './connect.ts'
import { countriesQuery, likelyCountry } from './countries.ts'
import { CountryChoice } from './country-choice.tsx'
import { nextPayoutWords } from './next-payout.ts'
import { type PayoutAccount, payoutAccountQuery } from './queries.ts'

const LOOKS = {
  not_connected: { tone: 'info', icon: Landmark },
  onboarding: { tone: 'warn', icon: CircleAlert },
  pending_verification: { tone: 'info', icon: Hourglass },
  active: { tone: 'good', icon: CircleCheck },
  restricted: { tone: 'warn', icon: CircleAlert },
  rejected: { tone: 'bad', icon: CircleAlert },
  closed: { tone: 'bad', icon: CircleAlert },
} as const

/** Payout settings: how far the setup is, and the next step. */
export function Payout() {
  const text = useText()
  const account = useQuery({ ...payoutAccountQuery, refetchOnMount: 'always' })
  return (
    <Page title={text('payout.title')} back="/earnings" backLabel={text('nav.earnings')}>
      <QueryResult query={account} rows={2}>
        {(answer) => (
          <>
            <State account={answer} />
            <Waiting account={answer} />
            {answer.onboarding_required && <Connect account={answer} />}
            {answer.connected && !['rejected', 'closed'].includes(answer.status) && <Dashboard />}
          </>
        )}
      </QueryResult>
    </Page>
  )
}

function State({ account }: { account: PayoutAccount }) {
  const text = useText()
  const { status } = account
  const { tone, icon: Icon } = LOOKS[status]
  const asked = status === 'not_connected' ? [] : askedFor(account, text)
  return (
    <Banner
      tone={tone}
      icon={<Icon size={24} aria-hidden />}
      title={text(`payout.status_${status}`)}
    >
      {text(`payout.what_${status}`)}
      {account.next_payout_on !== null && (
        <p className="mt-1 font-semibold">{nextPayoutWords(account, text)}</p>
      )}
      {asked.length > 0 && (
        <>
          <p className="mt-2 font-semibold">{text('payout.asked')}</p>
          <ul className="list-disc ps-5">
            {asked.map((one) => (
              <li key={one}>{one}</li>
            ))}
          </ul>
        </>
      )}
    </Banner>
  )
}

/** Working is allowed before payouts are set up; this shows the money that is waiting. */
function Waiting({ account }: { account: PayoutAccount }) {
  const text = useText()
  const { data } = useQuery(earningsQuery('week'))
  if (data === undefined) return null
  const { available_cents, held_cents, in_transit_cents } = data
  const waiting = available_cents + held_cents + in_transit_cents
  if (account.status === 'active' && waiting === 0) return null
  return (
    <Card>
      <p className="text-sm text-muted">
        {text(account.status === 'active' ? 'payout.onItsWay' : 'payout.waits')}
      </p>
      <p className="text-money leading-tight font-bold">{text.money(waiting)}</p>
      {account.status !== 'active' && <p className="text-sm">{text('payout.workBefore')}</p>}
    </Card>
  )
}

function Connect({ account }: { account: PayoutAccount }) {
  return account.status === 'not_connected' ? <FirstConnect /> : <ConnectCard body={{}} />
}

/** The account is opened for a country, which can't be changed later. */
function FirstConnect() {
  const text = useText()
  const profile = useQuery(profileQuery)
  const { lat = null, lng = null } = profile.data?.worker.location ?? {}
  const countries = useQuery({
    ...countriesQuery(lat === null || lng === null ? undefined : { lat, lng }),
    enabled: !profile.isPending,
  })
  const [chosen, setChosen] = useState<string>()
  return (
    <QueryResult query={countries} rows={1}>
      {(known) => {
        const country = chosen ?? likelyCountry(known)
        return (
          <>
            <CountryNotice known={known}>{text('country.payout')}</CountryNotice>
            <ConnectCard body={country === undefined ? undefined : { country }}>
              <CountryChoice known={known} value={country} onChange={setChosen} />
            </ConnectCard>
          </>
        )
      }}
    </QueryResult>
  )
}

function ConnectCard({
  body,
  children,
}: {
  /** Undefined until a country is chosen. */
  body: { country?: string } | undefined
  children?: ReactNode
}) {
  const text = useText()
  const connect = useConnect()
  return (
    <Card>
      {children}
      <ActionError error={connect.error} words={PROBLEMS} />
      <Button
        isWide
        isDisabled={body === undefined}
        isPending={connect.isPending}
        onPress={() => connect.mutate(body ?? {})}
      >
        <Landmark size={20} aria-hidden />
        {text(children === undefined ? 'payout.continue' : 'payout.connect')}
      </Button>
      <p className="flex items-start gap-2 text-sm text-muted">
        <Lock size={18} aria-hidden className="mt-0.5 shrink-0" />
        {text('payout.secret')}
      </p>
    </Card>
  )
}

function Dashboard() {
  const text = useText()
  const dashboard = useDashboard()
  return (
    <div className="flex flex-col gap-3">
      <Button
        look="secondary"
        isWide
        isPending={dashboard.isPending}
        onPress={() => dashboard.mutate()}
      >
        <ExternalLink size={20} aria-hidden />
        {text('payout.dashboard')}
      </Button>
      <p className="text-sm text-muted">{text('payout.dashboardWhat')}</p>
      <ActionError error={dashboard.error} words={PROBLEMS} />
      <ButtonLink look="quiet" href="/earnings">
        {text('payout.toEarnings')}
      </ButtonLink>
    </div>
  )
}
