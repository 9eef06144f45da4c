import { useQuery } from '@tanstack/react-query'
import { useParams } from 'wouter'
import { NoProfileArt } from '../art/no-profile.tsx'
import { QueryPlaceholder } from '../query-states.tsx'
import { Refusal } from '../../shared/api/client.ts'
import { api } from '../api.ts'
import { useSession } from '../session.tsx'
import { useText } from '../text/use-text.tsx'
import { ButtonLink } from '../../shared/ui/button.tsx'
import { Banner, Card } from '../../shared/ui/card.tsx'
import { Page } from '../../shared/ui/page.tsx'
import { Empty } from '../../shared/ui/states.tsx'
import { Badges } from './badges.tsx'
import { Figures, Person } from './person.tsx'

/** A worker's public profile: what they have done, without contact details or location. */
export function PublicProfile() {
  const text = useText()
  const { worker: me } = useSession()
  const { id = '' } = useParams()
  const query = useQuery({
    queryKey: ['public', id],
    queryFn: ({ signal }) => api.get('/worker/{id}/public', { params: { id }, signal }),
  })
  const back = me ? { back: '/me', backLabel: text('me.title') } : {}
  const isNobody = query.error instanceof Refusal && query.error.status < 500
  if (query.data === undefined)
    return (
      <Page title={text('public.title')} {...back}>
        {isNobody ? (
          <Empty
            picture={<NoProfileArt />}
            title={text('public.nobody')}
            actions={<ButtonLink href="/">{text('shell.toFind')}</ButtonLink>}
          >
            {text('public.nobodyBody')}
          </Empty>
        ) : (
          <QueryPlaceholder query={query} rows={1} />
        )}
      </Page>
    )
  const { name, level, standing_score, completed, badges, member_since } = query.data.worker
  return (
    <Page title={text('public.title')} name={name} {...back}>
      {me?.id === id && <Banner tone="info">{text('public.isYou')}</Banner>}
      <Card>
        <Person name={name}>
          <span className="text-sm text-muted">
            {text('public.since', {
              date: text.date(member_since, { month: 'long', year: 'numeric' }),
            })}
          </span>
        </Person>
        <Figures level={level} trust={standing_score} done={completed} />
      </Card>
      {badges.length > 0 && (
        <Card>
          <h2 className="text-title font-bold">{text('public.badges')}</h2>
          <Badges badges={badges} />
        </Card>
      )}
      {me === null && (
        <ButtonLink href="/hello" look="secondary">
          {text('public.hello')}
        </ButtonLink>
      )}
    </Page>
  )
}
