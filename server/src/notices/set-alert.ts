/**
 * Get, replace or delete the worker's alert for new tasks.
 *
 *   called by   a worker
 *   moves       nothing
 *   money       none
 *   event       none
 */
import type { Selectable } from 'kysely'
import { z } from 'zod'
import type { Tx } from '../kit/db.ts'
import { endpoint } from '../kit/endpoint.ts'
import { named } from '../kit/named.ts'
import type { Schema } from '../kit/schema.ts'
import { RADIUS_KM, WISHES } from '../workers/profile.ts'
import { nextLook } from './look-for-tasks.ts'

const AS_PROFILE = 'null: the value of your profile'
const AlertView = named(
  'Alert',
  z.object({
    lat: z.number().nullable().describe(AS_PROFILE),
    lng: z.number().nullable(),
    radius_km: z.number().nullable().describe(AS_PROFILE),
    types: WISHES.types.nullable().describe(AS_PROFILE),
    min_pay_cents: z.int().nullable().describe(AS_PROFILE),
    created_at: z.iso.datetime(),
  }),
)

const Wish = z
  .object({
    lat: z.number().min(-90).max(90).nullish(),
    lng: z.number().min(-180).max(180).nullish(),
    radius_km: z.number().min(RADIUS_KM.min).max(RADIUS_KM.max).nullish(),
    types: WISHES.types.nullish(),
    min_pay_cents: WISHES.min_pay_cents.nullish(),
  })
  .refine(({ lat, lng }) => (typeof lat === 'number') === (typeof lng === 'number'), {
    path: ['lat'],
    message: 'must be given together with lng',
  })

export const getAlert = endpoint({
  method: 'GET',
  path: '/worker/alert',
  name: 'getAlert',
  auth: 'worker',
  summary: 'Show your alert for new tasks',
  success: { status: 200, body: z.object({ alert: AlertView.nullable() }) },
  errors: [],

  async handler({ db, worker }) {
    const alert = await db
      .selectFrom('alerts')
      .selectAll()
      .where('worker_id', '=', worker.id)
      .executeTakeFirst()
    return { alert: alert === undefined ? null : viewAlert(alert) }
  },
})

export const setAlert = endpoint({
  method: 'PUT',
  path: '/worker/alert',
  name: 'setAlert',
  auth: 'worker',
  summary: 'Turn on alerts for new tasks',
  description:
    'You are notified of new tasks that your feed would show, as often in 24 hours as ' +
    '`preferences.notify.new_tasks_per_day` allows; if there are several at once, of the best ' +
    'match. Omitted fields use the values of your profile.',
  body: Wish,
  success: { status: 200, body: z.object({ alert: AlertView }) },
  errors: [],

  async handler({ tx, worker, body, now }) {
    return { alert: viewAlert(await keepAlert(tx, { workerId: worker.id, wish: body, now })) }
  },
})

export const deleteAlert = endpoint({
  method: 'DELETE',
  path: '/worker/alert',
  name: 'deleteAlert',
  auth: 'worker',
  summary: 'Turn off alerts for new tasks',
  success: { status: 200, body: z.object({ message: z.string() }) },
  errors: [],

  async handler({ tx, worker }) {
    await tx.deleteFrom('alerts').where('worker_id', '=', worker.id).execute()
    return { message: 'Alerts for new tasks are off' }
  },
})

function keepAlert(
  tx: Tx,
  { workerId, wish, now }: { workerId: string; wish: z.output<typeof Wish>; now: Date },
) {
  const becomes = {
    lat: wish.lat ?? null,
    lng: wish.lng ?? null,
    radius_km: wish.radius_km ?? null,
    types: wish.types ?? null,
    min_pay_cents: wish.min_pay_cents ?? null,
    seen_at: now,
    look_at: nextLook(now),
    updated_at: now,
  }
  return tx
    .insertInto('alerts')
    .values({ worker_id: workerId, ...becomes, created_at: now })
    .onConflict((conflict) => conflict.column('worker_id').doUpdateSet(becomes))
    .returningAll()
    .executeTakeFirstOrThrow()
}

const viewAlert = (alert: Selectable<Schema['alerts']>): z.output<typeof AlertView> => ({
  lat: alert.lat,
  lng: alert.lng,
  radius_km: alert.radius_km,
  types: alert.types as z.output<typeof AlertView>['types'],
  min_pay_cents: alert.min_pay_cents,
  created_at: alert.created_at.toISOString(),
})
