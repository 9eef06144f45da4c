import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { ActionError, QueryPlaceholder } from '../query-states.tsx'
import { type Answer, api } from '../api.ts'
import { profileQuery } from '../queries.ts'
import { useText } from '../text/use-text.tsx'
import { Button, ButtonLink } from '../../shared/ui/button.tsx'
import { Card } from '../../shared/ui/card.tsx'
import { Page, WayOn } from '../../shared/ui/page.tsx'
import { NOWHERE, PlaceChoice, placeToSend, type WorkPlace } from './place.tsx'
import { Skills } from './skills.tsx'

/** Two questions before the first tasks; both can be skipped. */
export function Setup() {
  const text = useText()
  const query = useQuery(profileQuery)
  if (query.data !== undefined) return <Questions profile={query.data.worker} />
  return (
    <Page title={text('setup.title')}>
      <QueryPlaceholder query={query} rows={2} />
    </Page>
  )
}

type Profile = Answer<'/worker/profile'>['worker']

function Questions({ profile }: { profile: Profile }) {
  const text = useText()
  const client = useQueryClient()
  const [, navigate] = useLocation()
  const [skills, setSkills] = useState(profile.skills)
  const [place, setPlace] = useState<WorkPlace>(() => placeOf(profile) ?? NOWHERE)
  const save = useMutation({
    mutationFn: () =>
      api.put('/worker/profile', { body: { skills, location: placeToSend(place) } }),
    async onSuccess(answer) {
      client.setQueryData(profileQuery.queryKey, answer)
      void client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'profile' })
      if (isKnown(answer.worker)) navigate('/', { replace: true })
    },
  })
  const isLost = save.data !== undefined && !isKnown(save.data.worker)
  return (
    <Page
      title={text('setup.title')}
      footer={
        <>
          <ActionError error={save.error} />
          <WayOn
            beside={
              <ButtonLink href="/" look="secondary">
                {text('setup.skip')}
              </ButtonLink>
            }
          >
            <Button isWide isPending={save.isPending} onPress={() => save.mutate()}>
              {text('setup.save')}
            </Button>
          </WayOn>
        </>
      }
    >
      <p className="text-muted">{text('setup.why')}</p>
      <Card>
        <Skills label={text('setup.skills')} value={skills} onChange={setSkills} />
      </Card>
      <Card>
        <h2 className="text-title font-bold">{text('setup.where')}</h2>
        <PlaceChoice
          value={place}
          onChange={(changed) => {
            setPlace(changed)
            save.reset()
          }}
          problem={isLost ? text('place.unknown') : undefined}
        />
      </Card>
    </Page>
  )
}

export function placeOf({ location }: Pick<Profile, 'location'>): WorkPlace | undefined {
  if (location === null) return undefined
  const { label, lat, lng, radius_km } = location
  return { label, radius_km, ...(lat === null || lng === null ? {} : { lat, lng }) }
}

/** A place without coordinates couldn't be looked up, so no task is near it. */
export const isKnown = ({ location }: Pick<Profile, 'location'>) =>
  location === null || location.lat !== null
