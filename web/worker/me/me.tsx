import { useMutation, useQuery } from '@tanstack/react-query'
import {
  Bell,
  ChevronRight,
  Download,
  Eye,
  Languages,
  LogOut,
  MonitorSmartphone,
  Moon,
  ShieldCheck,
  SlidersHorizontal,
  Trophy,
  Wallet,
} from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Link } from 'wouter'
import { ActionError, QueryPlaceholder } from '../query-states.tsx'
import { useInstall } from '../install.ts'
import { profileQuery } from '../queries.ts'
import { useSession } from '../session.tsx'
import { keepLanguage, type Language, LANGUAGES } from '../text/languages.ts'
import { useText } from '../text/use-text.tsx'
import { chooseTheme, chosenTheme, THEMES } from '../../shared/theme.ts'
import { Button } from '../../shared/ui/button.tsx'
import { Banner, Card } from '../../shared/ui/card.tsx'
import { BigChoice, Segmented } from '../../shared/ui/choice.tsx'
import { Page } from '../../shared/ui/page.tsx'
import { Sheet } from '../../shared/ui/sheet.tsx'
import { Badges } from './badges.tsx'
import { Figures, Person } from './person.tsx'

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

const Rows = ({ children }: { children: ReactNode }) => (
  <ul className="flex flex-col divide-y divide-border rounded-card bg-surface shadow-card">
    {children}
  </ul>
)

const ROW = 'flex min-h-14 w-full items-center gap-3 rounded-card px-4 py-2'

function RowLink({ href, icon, children }: { href: string; icon: ReactNode; children: ReactNode }) {
  return (
    <li>
      <Link href={href} className={ROW}>
        <span className="text-brand">{icon}</span>
        <span className="min-w-0 flex-1 hyphens-auto wrap-anywhere">{children}</span>
        <ChevronRight size={20} aria-hidden className="text-muted rtl:-scale-x-100" />
      </Link>
    </li>
  )
}

function Looks() {
  const text = useText()
  const [theme, setTheme] = useState(chosenTheme)
  const [isChoosing, setIsChoosing] = useState(false)
  const languages = Object.entries(LANGUAGES).filter(([tag]) => tag !== 'en-XA')
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
      <div className="flex flex-wrap items-center justify-between gap-2">
        <span className="flex items-center gap-3">
          <Languages size={20} aria-hidden className="text-brand" />
          {text('me.language')}
        </span>
        <Button look="secondary" onPress={() => setIsChoosing(true)}>
          {LANGUAGES[text.language].name}
        </Button>
      </div>
      <Sheet
        title={text('me.language')}
        closeLabel={text('shell.close')}
        isOpen={isChoosing}
        onClose={() => setIsChoosing(false)}
      >
        <BigChoice
          label={text('me.languageHint')}
          value={text.language}
          options={languages.map(([value, { name }]) => ({
            value: value as Language,
            label: <span lang={value}>{name}</span>,
          }))}
          onChange={(language) => {
            keepLanguage(language)
            location.reload()
          }}
        />
      </Sheet>
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
