import { MapPin, Timer, X } from 'lucide-react'
import { useMemo, useState } from 'react'
import { TypeTile } from '../art/type-icon.tsx'
import { LoadError } from '../query-states.tsx'
import { LoadMore } from '../load-more.tsx'
import { useText } from '../text/use-text.tsx'
import { ButtonLink, IconButton } from '../../shared/ui/button.tsx'
import { Page } from '../../shared/ui/page.tsx'
import { TaskCard } from '../task-card.tsx'
import { Count } from './count.tsx'
import { FindHead } from './find-head.tsx'
import { MapView, type PlacedCard } from './map-view.tsx'
import { useFeed } from './use-feed.ts'
import { useWishes } from './use-wishes.ts'
import { minutesOf } from './wishes.ts'

/** The tasks of the list on a map. */
export function FindOnMap() {
  const text = useText()
  const [wishes] = useWishes()
  const feed = useFeed(wishes)
  const [chosen, setChosen] = useState<string[]>([])
  const [inSight, setInSight] = useState<string[]>([])
  const placed = useMemo(
    () => (feed.cards ?? []).filter((card): card is PlacedCard => card.near !== null),
    [feed.cards],
  )
  const shown = placed.filter(({ id }) => inSight.includes(id))
  const picked = placed.filter(({ id }) => chosen.includes(id))
  return (
    <Page title={text('find.mapTitle')} isTitleHidden>
      <FindHead shown="map" />
      {feed.cards === undefined && feed.error !== null && (
        <LoadError error={feed.error} onRetry={() => void feed.refetch()} />
      )}
      <MapView cards={placed} chosen={chosen} onChoose={setChosen} onView={setInSight}>
        {picked.length > 0 && <Picked cards={picked} onClose={() => setChosen([])} />}
      </MapView>
      <section className="flex flex-col gap-3" aria-label={text('find.onMap')}>
        <Count count={shown.length} of="in-sight" staleSince={feed.staleSince} />
        <p className="text-sm text-muted">{text('find.roughly')}</p>
        <ul className="flex flex-col gap-3">
          {shown.map((card) => (
            <li key={card.id}>
              <TaskCard task={card} href={`/task/${card.id}?from=map`} />
            </li>
          ))}
        </ul>
        <LoadMore query={feed} />
      </section>
    </Page>
  )
}

/** The tasks of the tapped pin. */
function Picked({ cards, onClose }: { cards: PlacedCard[]; onClose(): void }) {
  const text = useText()
  return (
    <div role="group" aria-label={text('find.picked')} className="flex flex-col items-end gap-1">
      <span className="rounded-full bg-surface shadow-card">
        <IconButton label={text('shell.close')} onPress={onClose}>
          <X aria-hidden />
        </IconButton>
      </span>
      <ul className="flex w-full snap-x gap-2 overflow-x-auto">
        {cards.map((card) => (
          <li key={card.id} className="flex w-full shrink-0 snap-center not-only:w-[88%]">
            <Preview card={card} />
          </li>
        ))}
      </ul>
    </div>
  )
}

/** Shows the facts that decide whether to go there. The task's page has the others. */
function Preview({ card }: { card: PlacedCard }) {
  const text = useText()
  const { whole } = minutesOf(card)
  return (
    <article className="flex min-w-0 flex-1 flex-col gap-2 rounded-card bg-surface p-3 shadow-card">
      <div className="flex items-start gap-3">
        <TypeTile type={card.type} />
        <h2 className="line-clamp-2 min-w-0 flex-1 leading-snug font-bold" dir="auto">
          {card.title}
        </h2>
        <strong className="text-lg leading-tight text-brand">
          {text.money(card.you_earn_cents)}
        </strong>
      </div>
      <div className="mt-auto flex flex-wrap items-center justify-between gap-x-3 gap-y-2">
        <p className="flex flex-wrap gap-x-3 text-sm text-muted">
          <span className="flex items-center gap-1">
            <Timer size={16} aria-hidden className="shrink-0" />
            {text('find.about', { amount: text.duration(whole) })}
          </span>
          {card.distance_km !== null && (
            <span className="flex items-center gap-1">
              <MapPin size={16} aria-hidden className="shrink-0" />
              {text('find.about', { amount: text.distance(Math.max(0.1, card.distance_km)) })}
            </span>
          )}
        </p>
        <ButtonLink href={`/task/${card.id}?from=map`}>{text('find.seeTask')}</ButtonLink>
      </div>
    </article>
  )
}
