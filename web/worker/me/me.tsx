import { useMutation, useQuery } from '@tanstack/react-query'
import {
  Bell,
  Download,
  Eye,
  KeyRound,
  LifeBuoy,
  LogOut,
  MonitorSmartphone,
  Moon,
  ShieldCheck,
  SlidersHorizontal,
  Trophy,
  Wallet,
} from 'lucide-react'
import { useState } from 'react'
import { ActionError, QueryPlaceholder } from '../query-states.tsx'
import { useInstall } from '../install.ts'
import { profileQuery } from '../queries.ts'
import { useSession } from '../session.tsx'
import { useText } from '../text/use-text.tsx'
import { chooseTheme, chosenTheme, THEMES } from '../../shared/theme.ts'
import { Button } from '../../shared/ui/button.tsx'
import { Banner, Card } from '../../shared/ui/card.tsx'
import { Segmented } from '../../shared/ui/choice.tsx'
import { Page } from '../../shared/ui/page.tsx'
import { Sheet } from '../../shared/ui/sheet.tsx'
import { Badges } from './badges.tsx'
import { LanguageChoice } from './language-choice.tsx'
import { Figures, Person } from './person.tsx'
import { RowLink, Rows } from './rows.tsx'

export function Me() {
  const text = useText()
  const { worker } = useSession()
  const install = useInstall()
  return (
    <Page title={text('me.title')}>
      <Standing />
      <Rows>
        <RowLink href="/me/profile" icon={<SlidersHorizontal size={20} aria-hidden />}>
          {text('me.profile')}
        </RowLink>
        <RowLink href="/me/trust" icon={<ShieldCheck size={20} aria-hidden />}>
          {text('me.trust')}
        </RowLink>
        <RowLink href="/me/notify" icon={<Bell size={20} aria-hidden />}>
          {text('me.notify')}
        </RowLink>
        <RowLink href="/payout" icon={<Wallet size={20} aria-hidden />}>
          {text('me.payout')}
        </RowLink>
        <RowLink href="/me/account" icon={<KeyRound size={20} aria-hidden />}>
          {text('me.account')}
        </RowLink>
        <RowLink href="/me/help" icon={<LifeBuoy size={20} aria-hidden />}>
          {text('help.title')}
        </RowLink>
        <RowLink href="/board" icon={<Trophy size={20} aria-hidden />}>
          {text('me.board')}
        </RowLink>
        <RowLink href={`/u/${worker?.id ?? ''}`} icon={<Eye size={20} aria-hidden />}>
          {text('me.public')}
        </RowLink>
      </Rows>
      {install && (
        <Banner
          tone="good"
          icon={<Download size={20} aria-hidden />}
          title={text('install.title')}
          action={<Button onPress={() => void install()}>{text('install.do')}</Button>}
        >
          {text('install.why')}
        </Banner>
      )}
      <Looks />
      <Leaving />
    </Page>
  )
}

function Standing() {
  const query = useQuery(profileQuery)
  if (query.data === undefined) return <QueryPlaceholder query={query} rows={1} />
  const { name, email, level, standing_score, stats, badges } = query.data.worker
  return (
    <Card>
      <Person name={name}>
        <span className="truncate text-sm text-muted rtl:text-right" dir="auto">
          {email}
        </span>
      </Person>
      <Figures level={level} trust={standing_score} done={stats.completed} />
      <Badges badges={badges} />
    </Card>
  )
}

function Looks() {
  const text = useText()
  const [theme, setTheme] = useState(chosenTheme)
  return (
    <Card>
      <div className="flex flex-wrap items-center justify-between gap-2">
        <span className="flex items-center gap-3">
          <Moon size={20} aria-hidden className="text-brand" />
          {text('me.theme')}
        </span>
        <Segmented
          label={text('me.theme')}
          value={theme}
          options={THEMES.map((value) => ({ value, label: text(`me.theme.${value}`) }))}
          onChange={(chosen) => {
            chooseTheme(chosen)
            setTheme(chosen)
          }}
        />
      </div>
      <LanguageChoice />
    </Card>
  )
}

function Leaving() {
  const text = useText()
  const { logOut } = useSession()
  const [asking, setAsking] = useState<'here' | 'everywhere'>()
  const leave = useMutation({
    mutationFn: () => logOut({ isEverywhere: asking === 'everywhere' }),
  })
  const ask = (where: 'here' | 'everywhere') => {
    leave.reset()
    setAsking(where)
  }
  return (
    <div className="flex flex-col gap-2">
      <Button look="secondary" isWide onPress={() => ask('here')}>
        <LogOut size={20} aria-hidden className="rtl:-scale-x-100" />
        {text('me.logOut')}
      </Button>
      <Button look="quiet" isWide onPress={() => ask('everywhere')}>
        <MonitorSmartphone size={20} aria-hidden />
        {text('me.logOutEverywhere')}
      </Button>
      <Sheet
        title={text(asking === 'everywhere' ? 'me.logOutEverywhere' : 'me.logOut')}
        closeLabel={text('shell.close')}
        isOpen={asking !== undefined}
        onClose={() => setAsking(undefined)}
        footer={
          <>
            <Button look="danger" isPending={leave.isPending} onPress={() => leave.mutate()}>
              {text(asking === 'everywhere' ? 'me.logOutEverywhere' : 'me.logOut')}
            </Button>
            <Button look="secondary" onPress={() => setAsking(undefined)}>
              {text('me.stay')}
            </Button>
          </>
        }
      >
        <p>{text(asking === 'everywhere' ? 'me.logOutEverywhereBody' : 'me.logOutBody')}</p>
        <ActionError error={leave.error} />
      </Sheet>
    </div>
  )
}
