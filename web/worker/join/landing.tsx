import { useMutation, useQuery } from '@tanstack/react-query'
import { LocateFixed, MapPin } from 'lucide-react'
import type { ReactNode } from 'react'
import { Redirect } from 'wouter'
import { FairArt } from '../art/fair.tsx'
import { MoneyFirstArt } from '../art/money-first.tsx'
import { NoTasksArt } from '../art/no-tasks.tsx'
import { WithPhoneArt } from '../art/with-phone.tsx'
import { QueryPlaceholder } from '../query-states.tsx'
import { api } from '../api.ts'
import { useSession } from '../session.tsx'
import { useText } from '../text/use-text.tsx'
import { COMMISSION_SHARE } from '../../shared/commission.ts'
import { Button, ButtonLink } from '../../shared/ui/button.tsx'
import { Banner } from '../../shared/ui/card.tsx'
import { Page, WayOn } from '../../shared/ui/page.tsx'
import { Empty } from '../../shared/ui/states.tsx'
import { TaskCard } from '../task-card.tsx'
import { countriesQuery } from '../money/countries.ts'
import { CountryNotice } from './country-notice.tsx'
import { LegalLinks } from './legal-links.tsx'
import { askRoughly, whyUnknown } from './position.ts'

const SHOWN = 3

/** For strangers: real tasks with their pay. The position is requested only if they ask for nearby tasks. */
export function Landing() {
  const text = useText()
  const { worker, waiting } = useSession()
  const near = useMutation({ mutationFn: askRoughly })
  if (worker) return <Redirect to="/" replace />
  return (
    <Page
      title={text('hello.title')}
      isTitleHidden
      footer={
        <WayOn
          beside={
            <ButtonLink href="/login" look="secondary">
              {text('hello.logIn')}
            </ButtonLink>
          }
        >
          <ButtonLink href={waiting ? '/check-mail' : '/join'} isWide>
            {text(waiting ? 'hello.confirmEmail' : 'hello.join')}
          </ButtonLink>
        </WayOn>
      }
    >
      <Hero />
      <section className="flex flex-col gap-3">
        <div className="flex min-h-12 flex-wrap items-center justify-between gap-3">
          <h2 className="text-title font-bold">
            {text(near.data ? 'hello.openNear' : 'hello.openNow')}
          </h2>
          {!near.data && (
            <div className="shrink-0">
              <Button look="secondary" isPending={near.isPending} onPress={() => near.mutate()}>
                <LocateFixed size={20} aria-hidden />
                {text('hello.nearMe')}
              </Button>
            </div>
          )}
        </div>
        {near.error && (
          <Banner tone="warn" icon={<MapPin size={20} aria-hidden />} isAlert>
            {text(whyUnknown(near.error))}
          </Banner>
        )}
        <OpenTasks place={near.data} />
      </section>
      <HowItWorks />
      <LegalLinks />
    </Page>
  )
}

function Hero() {
  const text = useText()
  return (
    <div className="flex flex-col gap-3 pt-4">
      <div className="flex items-center gap-2">
        <img src="/icon.svg" alt="" width={32} height={32} />
        <span className="text-lg font-bold">{text('app.name')}</span>
      </div>
      <p aria-hidden className="text-money leading-tight font-bold text-balance">
        {text('hello.title')}
      </p>
      <p className="text-title text-muted">{text('hello.promise')}</p>
    </div>
  )
}

function OpenTasks({ place }: { place: { lat: number; lng: number } | undefined }) {
  const text = useText()
  const query = useQuery({
    queryKey: ['preview', place ?? null],
    queryFn: ({ signal }) =>
      api.get('/worker/preview', { signal, ...(place ? { query: place } : {}) }),
    placeholderData: (before) => before,
  })
  const countries = useQuery({ ...countriesQuery(place), placeholderData: (before) => before })
  const { data, error } = query
  // Both at once, so that the notice doesn't move the tasks.
  if (error || data === undefined || (countries.isPending && countries.failureCount === 0))
    return <QueryPlaceholder query={query} rows={SHOWN} />
  return (
    <>
      <CountryNotice known={countries.data}>{text('country.look')}</CountryNotice>
      {data.tasks.length === 0 ? (
        <Empty picture={<NoTasksArt />} title={text('hello.emptyTitle')}>
          {text(place ? 'hello.emptyNear' : 'hello.empty')}
        </Empty>
      ) : (
        <ul className="flex flex-col gap-3">
          {data.tasks.slice(0, SHOWN).map((task) => (
            <li key={task.id}>
              <TaskCard task={task} href="/join" />
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

function HowItWorks() {
  const text = useText()
  return (
    <section className="flex flex-col gap-3">
      <h2 className="text-title font-bold">{text('hello.howTitle')}</h2>
      <ol className="flex flex-col gap-5 rounded-card bg-surface p-4 shadow-card">
        <Step picture={<MoneyFirstArt size={STEP} />} title={text('hello.moneyTitle')}>
          {text('hello.moneyBody', { share: text.percent(COMMISSION_SHARE) })}
        </Step>
        <Step picture={<WithPhoneArt size={STEP} />} title={text('hello.workTitle')}>
          {text('hello.workBody')}
        </Step>
        <Step picture={<FairArt size={STEP} />} title={text('hello.fairTitle')}>
          {text('hello.fairBody')}
        </Step>
      </ol>
    </section>
  )
}

const STEP = 'w-26 max-w-[40vw]'

function Step({
  picture,
  title,
  children,
}: {
  picture: ReactNode
  title: string
  children: ReactNode
}) {
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2">
      {picture}
      <p className="flex min-w-0 flex-1 basis-44 flex-col gap-0.5">
        <strong>{title}</strong>
        <span className="text-muted">{children}</span>
      </p>
    </li>
  )
}
