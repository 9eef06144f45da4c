import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Bell } from 'lucide-react'
import { NoTasksArt } from '../art/no-tasks.tsx'
import { problemOf } from '../problems.ts'
import { profileQuery } from '../queries.ts'
import { useText } from '../text/use-text.tsx'
import { Button, ButtonLink } from '../../shared/ui/button.tsx'
import { Banner } from '../../shared/ui/card.tsx'
import { Empty } from '../../shared/ui/states.tsx'
import { keepAlert } from './alert.ts'
import { usePosition } from './position.ts'
import { useWishes } from './use-wishes.ts'
import { alertOf, isNarrowed, NO_WISHES, RADIUS_KM } from './wishes.ts'

/** Why no task matches, and what to do about it. */
export function NothingFound() {
  const text = useText()
  const [wishes, change] = useWishes()
  const { data: profile } = useQuery(profileQuery)
  const radius = wishes.radiusKm ?? profile?.worker.location?.radius_km ?? RADIUS_KM.usual
  const wider = Math.min(RADIUS_KM.max, radius * 2)
  const hasPlace = typeof profile?.worker.location?.lat === 'number'
  return (
    <Empty
      picture={<NoTasksArt />}
      title={text('find.noneTitle')}
      actions={
        <>
          <NotifyMe />
          {isNarrowed(wishes) ? (
            <Button look="secondary" isWide onPress={() => change(NO_WISHES)}>
              {text('find.clear')}
            </Button>
          ) : hasPlace && wider > radius ? (
            <Button look="secondary" isWide onPress={() => change({ radiusKm: wider })}>
              {text('find.widen', { distance: text.distance(wider) })}
            </Button>
          ) : (
            <ButtonLink look="secondary" isWide href="/me/profile">
              {text('find.toProfile')}
            </ButtonLink>
          )}
        </>
      }
    >
      {text(
        isNarrowed(wishes) ? 'find.noneOfFilters' : hasPlace ? 'find.noneNear' : 'find.noneYet',
      )}
    </Empty>
  )
}

function NotifyMe() {
  const text = useText()
  const client = useQueryClient()
  const [wishes] = useWishes()
  const { position } = usePosition()
  const notify = useMutation({ mutationFn: () => keepAlert(client, alertOf(wishes, position)) })
  if (notify.isSuccess)
    return (
      <Banner
        tone="good"
        icon={<Bell size={20} aria-hidden />}
        action={
          <ButtonLink href="/me/notify" look="quiet">
            {text('find.notificationSettings')}
          </ButtonLink>
        }
      >
        {text('find.willNotify')}
      </Banner>
    )
  return (
    <>
      <Button isWide isPending={notify.isPending} onPress={() => notify.mutate()}>
        {text('find.notifyMe')}
      </Button>
      {notify.isError && (
        <p role="alert" className="text-sm font-semibold text-danger">
          {problemOf(notify.error, text)}
        </p>
      )}
    </>
  )
}
