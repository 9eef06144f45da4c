/**
 * Show a few tasks to visitors who have not signed up, near a place or anywhere.
 *
 *   called by   anyone: the start page of the app
 *   moves       nothing
 *   money       none
 *   event       none
 */
import { z } from 'zod'
import type { Db } from '../kit/db.ts'
import { endpoint } from '../kit/endpoint.ts'
import { named } from '../kit/named.ts'
import { Card, readCards, viewOutline } from './card.ts'
import { assertWhole, PlaceQuery } from './place-query.ts'
import { LAST_ID, nearest } from './rows.ts'
import { anybody } from './seeker.ts'

const SHOWN_MAX = 6
/** Reads more than it shows, because some may be taken before their cards are read. */
const CHOSEN_MAX = 12
const RADIUS_KM = 25

/** Excludes the description and the map position, because this endpoint is public. */
const Outline = named(
  'FeedPreview',
  Card.pick({
    id: true,
    type: true,
    title: true,
    you_earn_cents: true,
    est_minutes: true,
    proof_required: true,
    distance_km: true,
    area: true,
    deadline: true,
  }).extend({ agent: Card.shape.agent.pick({ name: true }) }),
)

export const preview = endpoint({
  method: 'GET',
  path: '/worker/preview',
  name: 'getFeedPreview',
  auth: 'none',
  access: { by: 'anyone' },
  summary: 'Preview some tasks before joining',
  description:
    `Returns up to ${SHOWN_MAX} tasks that a new worker could take: the nearest within ` +
    `${RADIUS_KM} km, then tasks that can be done from anywhere, newest first; without a ` +
    'location only the latter.',
  query: z.object({
    lat: PlaceQuery.lat.describe('With lng: the location to search near'),
    lng: PlaceQuery.lng,
  }),
  success: { status: 200, body: z.object({ tasks: z.array(Outline) }) },
  errors: [],

  transaction: 'own',
  async handler({ db, query, now }) {
    assertWhole(query)
    const tasks = await previewTasks(db, { ...query, now })
    return { status: 200, body: JSON.stringify({ tasks }), isReplay: false }
  },
})

async function previewTasks(
  db: Db,
  { lat, lng, now }: { lat?: number | undefined; lng?: number | undefined; now: Date },
): Promise<z.output<typeof Outline>[]> {
  const place =
    lat === undefined || lng === undefined ? undefined : { lat, lng, radiusKm: RADIUS_KM }
  const seeker = anybody(place, now)
  const after = place === undefined ? { km: null, id: LAST_ID } : { km: -1, id: '' }
  const rows = await nearest(db, seeker, { ...after, limit: CHOSEN_MAX })
  const cards = await readCards(db, rows, seeker)
  return cards
    .slice(0, SHOWN_MAX)
    .map(({ card, row }) => ({ ...viewOutline(card, row), agent: { name: card.agent_name } }))
}
