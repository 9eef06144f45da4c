/** An active task, by stage: to do, camera, check, sending, in review, closed. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation, useParams, useSearch } from 'wouter'
import { QueryPlaceholder } from '../query-states.tsx'
import { Refusal } from '../../shared/api/client.ts'
import { NotFound } from '../not-found.tsx'
import { isBegun } from '../phone/draft.ts'
import { putInOutbox } from '../phone/outbox.ts'
import { isNewer, type MediaKind } from '../phone/outbox-rules.ts'
import { distanceKm, usePosition } from '../phone/position.ts'
import { type DraftInHand, useDraft } from '../phone/use-draft.ts'
import { sendSoon, useOutbox } from '../phone/use-outbox.ts'
import { useText } from '../text/use-text.tsx'
import { Page } from '../../shared/ui/page.tsx'
import { PHOTOS_MAX, placeOf, titleOf } from './brief-rules.ts'
import { CheckProof } from './check-proof.tsx'
import { OnItsWay } from './on-its-way.tsx'
import { locationOf, proofOf } from './proof-rules.ts'
import { type Work as WorkInHand, workQuery } from './queries.ts'
import { Status } from './status.tsx'
import { ToDo } from './to-do.tsx'
import { Viewfinder } from './viewfinder.tsx'

export function Work() {
  const text = useText()
  const { id } = useParams<{ id: string }>()
  const query = useQuery(workQuery(id))
  const { data, error, dataUpdatedAt } = query
  const hand = useDraft(id)
  const item = useOutbox()?.findLast(({ taskId }) => taskId === id)

  if (data === undefined && error instanceof Refusal && error.status === 404) return <NotFound />
  if (data === undefined || hand === undefined)
    return (
      <Page title={text('active.one')} back="/active" backLabel={text('nav.active')}>
        <QueryPlaceholder query={query} />
      </Page>
    )
  // The outbox item counts until the server's data is newer.
  const isNews = item !== undefined && isNewer(item, dataUpdatedAt)
  if (isNews && item.state !== 'sent')
    return <OnItsWay work={data} item={item} onTakenBack={() => void hand.reread()} />
  const isDone = isNews || !['accepted', 'expired'].includes(data.assignment.status)
  const isLost = data.assignment.status === 'expired' && !isBegun(hand.draft)
  if (isDone || isLost) return <Status work={data} item={isNews ? item : undefined} />
  return <InHand work={data} hand={hand} />
}

type Stage = 'to do' | 'camera' | 'check'

function InHand({ work, hand }: { work: WorkInHand; hand: DraftInHand }) {
  const text = useText()
  const client = useQueryClient()
  const [, go] = useLocation()
  const isFound = useSearch() === 'found'
  const { task } = work
  const { draft } = hand
  const [stage, setStage] = useState<Stage>(
    isFound || draft.files.length > 0 || draft.outcome === 'not_possible' ? 'check' : 'to do',
  )
  const [kind, setKind] = useState<MediaKind>('photo')
  const point = placeOf(task)?.point ?? null
  const where = usePosition(point !== null && stage !== 'to do')
  const away = point === null || where.fix === null ? null : distanceKm(where.fix, point)
  const location = locationOf(task, draft, where.fix)

  const openCamera = (wanted: MediaKind) => {
    setKind(wanted)
    setStage('camera')
  }
  const send = async () => {
    await putInOutbox(draft, proofOf(draft, location, Date.now()))
    await hand.reread()
    sendSoon()
    void client.invalidateQueries({ queryKey: ['work', 'list'] })
    if (isFound) go(`/active/${task.id}`, { replace: true })
  }

  if (stage === 'camera') {
    const photos = draft.files.filter((file) => file.kind === 'photo').length
    return (
      <Viewfinder
        kind={kind}
        guide={titleOf(task)}
        where={where}
        distanceKm={away}
        {...(kind === 'photo'
          ? { count: text('active.camera.count', { count: photos + 1, most: PHOTOS_MAX }) }
          : {})}
        onClose={() => setStage(isBegun(draft) ? 'check' : 'to do')}
        onTaken={async ({ bytes, ...about }) => {
          // There is only one recording, so a new one replaces it.
          if (kind !== 'photo')
            for (const file of draft.files) if (file.kind === kind) hand.remove(file.id)
          await hand.add({ ...about, at: Date.now(), fix: where.fix }, bytes)
          setStage('check')
        }}
      />
    )
  }
  const wantsCheck =
    stage === 'check' && (task.proof_required !== 'text' || draft.outcome !== 'done')
  if (wantsCheck)
    return (
      <CheckProof
        work={work}
        hand={hand}
        where={where}
        distanceKm={away}
        hasLocation={location !== null}
        onCamera={openCamera}
        onBack={() => setStage('to do')}
        onSend={send}
      />
    )
  return (
    <ToDo
      work={work}
      hand={hand}
      hasLocation={location !== null}
      onCamera={openCamera}
      onCheck={() => setStage('check')}
      onSend={send}
    />
  )
}
