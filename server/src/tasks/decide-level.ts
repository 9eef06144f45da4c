import type { Config } from '../config.ts'
import type { Shards } from '../kit/db.ts'
import type { Warn } from '../kit/endpoint.ts'
import { geocode } from '../places/geocode.ts'
import { levelFor, readCrowd } from '../workers/crowd.ts'
import { type Draft, sharesOf } from './draft.ts'
import { usualLevel } from './matching.ts'

/**
 * Decides the level that the task's share requires, and warns if too few workers are eligible. Test tasks are done by
 * scripts, so they use the default level and get no warning.
 */
export async function decideLevel(
  draft: Draft,
  {
    shards,
    config,
    now,
    warn,
  }: {
    shards: Shards
    config: Pick<Config, 'LEVEL_WORKERS_MIN' | 'ELIGIBLE_WARNING'>
    now: Date
    warn: Warn
  },
): Promise<number> {
  const usual = usualLevel(draft)
  if (draft.mode === 'test') return usual
  const { skills, languages, location } = draft
  const point = typeof location === 'string' ? geocode(location) : (location ?? undefined)
  const asks =
    Math.max(usual, draft.min_worker_level) > 1 ||
    skills.length > 0 ||
    languages.length > 0 ||
    point !== undefined
  if (!asks) return usual
  // Without the worker snapshot, fall back to the default level and skip the warning.
  const crowd = await readCrowd(shards, now).catch(() => undefined)
  if (crowd === undefined) return usual
  const shareLevel = levelFor(usual, crowd, config.LEVEL_WORKERS_MIN)
  const level = Math.max(shareLevel, draft.min_worker_level)
  const workers = sharesOf(draft)
  const tooFew =
    config.ELIGIBLE_WARNING === 'on'
      ? crowd.tooFewFor({ level, skills, languages, place: point, workers })
      : undefined
  if (tooFew !== undefined)
    warn({
      code: 'no_eligible_workers',
      path: pathOf({ point, skills, languages, level }),
      message:
        `${tooFew === 0 ? 'Fewer than 5' : `About ${tooFew}`} workers can take this task now ` +
        `(${demandsOf({ point, skills, languages, level })}). ` +
        'It stays open until its deadline; lower the requirements to reach more workers',
      eligible_workers: tooFew,
    })
  return shareLevel
}

interface Asked {
  point: unknown
  skills: string[]
  languages: string[]
  level: number
}

/** The path of the field that the agent should change first. */
function pathOf({ point, skills, languages, level }: Asked): string {
  if (skills.length > 0) return 'skills'
  if (languages.length > 0) return 'languages'
  if (level > 1) return 'min_worker_level'
  return point === undefined ? 'consensus_count' : 'location'
}

const demandsOf = ({ point, skills, languages, level }: Asked): string =>
  [
    ...(level > 1 ? [`level ${level} or higher`] : []),
    ...(skills.length > 0 ? [`skills ${skills.join(', ')}`] : []),
    ...(languages.length > 0 ? [`languages ${languages.join(', ')}`] : []),
    ...(point === undefined ? [] : ['within reach of the location']),
  ].join('; ')
