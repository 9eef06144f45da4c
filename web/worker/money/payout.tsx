import { useQuery } from '@tanstack/react-query'
import { CircleAlert, CircleCheck, ExternalLink, Hourglass, Landmark, Lock } from 'lucide-react'
import { useMemo, useState } from 'react'
import { ActionError, QueryResult } from '../query-states.tsx'
import { earningsQuery } from '../queries.ts'
import { useText } from '../text/use-text.tsx'
import { Button, ButtonLink } from '../../shared/ui/button.tsx'
import { Banner, Card } from '../../shared/ui/card.tsx'
import { Page } from '../../shared/ui/page.tsx'
import { Select } from '../../shared/ui/select.tsx'
import { askedFor, PROBLEMS, useConnect, useDashboard } from './connect.ts'
import { countriesIn, likelyCountry } from './countries.ts'
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
  const text = useText()
  const connect = useConnect()
  const countries = useMemo(() => countriesIn(text.language), [text.language])
  const [country, setCountry] = useState(() => likelyCountry())
  const isFirst = account.status === 'not_connected'
  return (
    <Card>
      {isFirst && (
        <Select
          label={text('payout.country')}
          hint={text('payout.countryHint')}
          value={country}
          options={countries}
          onChange={setCountry}
        />
      )}
      <ActionError error={connect.error} words={PROBLEMS} />
      <Button
        isWide
        isPending={connect.isPending}
        onPress={() => connect.mutate(isFirst ? { country } : {})}
      >
        <Landmark size={20} aria-hidden />
        {text(isFirst ? 'payout.connect' : 'payout.continue')}
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
