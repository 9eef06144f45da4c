/** Practice with the camera and the quality check. Unpaid, and nothing leaves the phone. */
import { Camera, CircleCheck } from 'lucide-react'
import { useEffect, useState } from 'react'
import { dropMedia, keepMedia } from '../phone/draft-store.ts'
import type { DraftFile } from '../phone/draft.ts'
import { usePosition } from '../phone/position.ts'
import { useText } from '../text/use-text.tsx'
import { Button, ButtonLink } from '../../shared/ui/button.tsx'
import { Banner, Card } from '../../shared/ui/card.tsx'
import { Page, WayOn } from '../../shared/ui/page.tsx'
import { notePractised } from '../practised.ts'
import { Taken } from './check-proof.tsx'
import { Viewfinder } from './viewfinder.tsx'

export function Practice() {
  const text = useText()
  const [isShooting, setIsShooting] = useState(false)
  const [photo, setPhoto] = useState<DraftFile>()
  const where = usePosition(isShooting)
  // The photo is stored only while it is shown.
  useEffect(() => {
    if (photo === undefined) return
    return () => void dropMedia(photo.id)
  }, [photo])

  if (isShooting)
    return (
      <Viewfinder
        kind="photo"
        guide={text('active.practice.guide')}
        where={where}
        distanceKm={null}
        onClose={() => setIsShooting(false)}
        onTaken={async ({ bytes, ...about }) => {
          const id = crypto.randomUUID()
          await keepMedia(id, bytes)
          setPhoto({ ...about, id, bytes: bytes.byteLength, at: Date.now(), fix: where.fix })
          setIsShooting(false)
          notePractised()
        }}
      />
    )
  return (
    <Page
      title={text('active.practice.title')}
      back="/"
      backLabel={text('nav.find')}
      footer={
        photo === undefined ? (
          <Button isWide onPress={() => setIsShooting(true)}>
            <Camera size={20} aria-hidden />
            {text('active.openCamera')}
          </Button>
        ) : (
          <WayOn
            beside={
              <Button look="secondary" onPress={() => setIsShooting(true)}>
                {text('active.practice.again')}
              </Button>
            }
          >
            <ButtonLink isWide href="/">
              {text('active.practice.done')}
            </ButtonLink>
          </WayOn>
        )
      }
    >
      <Banner>{text('active.practice.local')}</Banner>
      {photo === undefined ? (
        <Card>
          <p>{text('active.practice.body')}</p>
        </Card>
      ) : (
        <>
          <Taken
            file={photo}
            label={text('active.practice.photo')}
            onRemove={() => setPhoto(undefined)}
          />
          <Banner tone="good" icon={<CircleCheck size={20} aria-hidden />}>
            {text('active.practice.well')}
          </Banner>
        </>
      )}
    </Page>
  )
}
