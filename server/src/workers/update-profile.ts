/**
 * Change the worker's name, skills, languages, app language, place or preferences. Omitted fields stay unchanged.
 *
 *   called by   a worker
 *   moves       nothing
 *   money       none
 *   event       none
 */
import { z } from 'zod'
import type { Config } from '../config.ts'
import type { Tx } from '../kit/db.ts'
import { endpoint } from '../kit/endpoint.ts'
import { invalidField } from '../kit/errors.ts'
import { geocode } from '../places/geocode.ts'
import { LanguageTag, Skill } from './abilities.ts'
import {
  judgedOf,
  type Location,
  payoutStatusOf,
  ProfileView,
  RADIUS_KM,
  viewProfile,
  WISHES,
} from './profile.ts'
import type { Worker } from './queries.ts'
import { Adult, AppLanguage } from './view.ts'

const PREFERENCES_BYTES_MAX = 16_384
/** Each byte of the preferences can be a JSON escape of 6 bytes. */
const BODY_MAX_BYTES = 131_072

/** Also accepts a comma-separated string: `photography, driving`. */
const words = (word: z.ZodType<string>) =>
  z.preprocess(
    (value) => (typeof value === 'string' ? splitWords(value) : value),
    z
      .array(word)
      .max(50)
      .transform((list) => [...new Set(list)]),
  )
const splitWords = (text: string) =>
  text
    .split(/[,;\n،、]/)
    .map((word) => word.trim())
    .filter((word) => word !== '')
const Skills = words(Skill)
const Languages = words(LanguageTag)

const NOT_A_PLACE = 'must be a place name, or an object with lat and lng'
const Label = z.string().trim().min(1).max(200)
const Place = z.union(
  [
    Label,
    z
      .object({
        label: Label.optional(),
        lat: z.number().min(-90).max(90).nullish(),
        lng: z.number().min(-180).max(180).nullish(),
        radius_km: z.number().min(RADIUS_KM.min).max(RADIUS_KM.max).optional(),
      })
      .refine(
        ({ label, lat, lng }) =>
          typeof lat === 'number' || typeof lng === 'number'
            ? typeof lat === 'number' && typeof lng === 'number'
            : label !== undefined,
        NOT_A_PLACE,
      ),
  ],
  { error: NOT_A_PLACE },
)
type Place = z.output<typeof Place>

const Changes = z.object({
  name: z.string().trim().min(1).max(100).optional(),
  skills: Skills.optional().describe('Stored in lower case, without duplicates'),
  languages: Languages.optional().describe('The languages that you speak'),
  app_language: AppLanguage.optional().describe('The language of the app and of our emails'),
  adult: Adult,
  location: Place.nullable()
    .optional()
    .describe(
      `A place name, or {label?, lat, lng, radius_km?}; radius_km is ${RADIUS_KM.min} to ` +
        `${RADIUS_KM.max}, ${RADIUS_KM.default} by default. null removes the location`,
    ),
  preferences: z
    .looseObject({
      types: WISHES.types.nullish(),
      min_pay_cents: WISHES.min_pay_cents.nullish(),
      notify: WISHES.notify.nullish(),
      muted_agents: WISHES.muted_agents.nullish(),
      leaderboard: WISHES.leaderboard.nullish(),
    })
    .optional()
    .describe('Omitted keys stay unchanged; null removes a key'),
})

export const updateProfile = endpoint({
  method: 'PUT',
  path: '/worker/profile',
  name: 'updateProfile',
  auth: 'worker',
  summary: 'Update your profile',
  body: Changes,
  bodyMaxBytes: BODY_MAX_BYTES,
  success: { status: 200, body: z.object({ worker: ProfileView }) },
  errors: [],

  async handler({ tx, worker, body, config, now }) {
    const changed = await changeProfile(tx, { workerId: worker.id, changes: body, config, now })
    const judged = await judgedOf(tx, worker.id, { config, now })
    const payoutStatus = await payoutStatusOf(tx, worker.id)
    return { worker: viewProfile(changed, { judged, payoutStatus, now }) }
  },
})

export async function changeProfile(
  tx: Tx,
  {
    workerId,
    changes,
    config,
    now,
  }: {
    workerId: string
    changes: z.output<typeof Changes>
    config: Pick<Config, 'TERMS_VERSION'>
    now: Date
  },
): Promise<Worker> {
  const { name, skills, languages, app_language, location, preferences, adult } = changes
  const before = await tx
    .selectFrom('workers')
    .select(['preferences', 'adult_confirmed_at'])
    .where('id', '=', workerId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()
  return tx
    .updateTable('workers')
    .set({
      ...(name === undefined ? {} : { name }),
      ...(skills === undefined ? {} : { skills }),
      ...(languages === undefined ? {} : { languages }),
      ...(app_language === undefined ? {} : { app_language }),
      ...(location === undefined
        ? {}
        : { location: location && JSON.stringify(resolvePlace(location)) }),
      ...(preferences === undefined
        ? {}
        : { preferences: JSON.stringify(mergePreferences(before.preferences, preferences)) }),
      // The first confirmation counts.
      ...(adult && before.adult_confirmed_at === null
        ? { adult_confirmed_at: now, terms_version: config.TERMS_VERSION }
        : {}),
      updated_at: now,
    })
    .where('id', '=', workerId)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Keeps given coordinates. A name alone is geocoded, or stored as written if it is unknown. */
function resolvePlace(place: Place): Location {
  const {
    label,
    lat,
    lng,
    radius_km = RADIUS_KM.default,
  } = typeof place === 'string' ? { label: place } : place
  if (typeof lat === 'number' && typeof lng === 'number')
    return { label: label ?? `${lat.toFixed(2)}, ${lng.toFixed(2)}`, lat, lng, radius_km }
  const written = label ?? ''
  return { label: written, ...geocode(written), radius_km }
}

function mergePreferences(before: unknown, changes: Record<string, unknown>) {
  const merged = Object.fromEntries(
    Object.entries({ ...(before as object), ...changes }).filter(([, value]) => value !== null),
  )
  if (Buffer.byteLength(JSON.stringify(merged)) > PREFERENCES_BYTES_MAX)
    throw invalidField('preferences', 'must be at most 16 KB')
  return merged
}
