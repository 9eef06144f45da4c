/** Finds earlier copies of a photo, identical or slightly edited, among all photos ever sent. */
import { sql } from 'kysely'
import type { Reader } from '../kit/db.ts'

/** Of 64 bits. Edited copies differ by 0 to 6, other pictures by 23 or more. */
export const DISTANCE_MAX = 10
const FOUND_MAX = 5
/** At least one of the hash's four quarters differs by at most a quarter of the whole distance. */
const QUARTER_DISTANCE = Math.floor(DISTANCE_MAX / 4)

export interface Lookalike {
  file_id: string
  created_at: Date
  is_same_file: boolean
  distance: number
}

export interface Photo {
  sha256: string
  /** 16 hex digits. If undefined, only identical files are found. */
  dhash: string | undefined
  /** Ignores this worker's photos of this task: a worker may send one twice, for example after a revision. */
  except: { taskId: string; workerId: string }
}

/** Returns the most similar photos first. */
export async function findLookalikes(db: Reader, photo: Photo): Promise<Lookalike[]> {
  const { rows } = await lookalikes(photo).execute(db)
  return rows
}

export function lookalikes({ sha256, dhash, except }: Photo) {
  const others = sql`not (task_id = ${except.taskId} and worker_id = ${except.workerId})`
  const same = sql`
    (select file_id, created_at, true as is_same_file, 0 as distance
       from photo_hashes where sha256 = ${sha256} and ${others} limit ${FOUND_MAX})`
  if (dhash === undefined) return sql<Lookalike>`${same}`
  const [q0, q1, q2, q3] = [12, 8, 4, 0].map((from) =>
    valuesNear(Number.parseInt(dhash.slice(from, from + 4), 16)),
  )
  // `or` combines the four indexes, so each row is checked only once.
  return sql<Lookalike>`
    with alike as (
      select file_id, created_at, sha256 = ${sha256} as is_same_file,
             bit_count((dhash # ('x' || ${dhash}::text)::bit(64)::bigint)::bit(64))::integer as distance
        from photo_hashes
       where ((dhash & 65535) = any(${q0}::bigint[])
              or ((dhash >> 16) & 65535) = any(${q1}::bigint[])
              or ((dhash >> 32) & 65535) = any(${q2}::bigint[])
              or ((dhash >> 48) & 65535) = any(${q3}::bigint[]))
         and ${others}
    )
    select file_id, created_at, is_same_file, distance from (
      ${same}
      union all
      select * from alike where distance <= ${DISTANCE_MAX} and not is_same_file
    ) found
    order by is_same_file desc, distance, created_at
    limit ${FOUND_MAX}`
}

/** All 137 16-bit values that differ from this one in at most two bits. */
export function valuesNear(value: number): number[] {
  const bits = Array.from({ length: 16 }, (_, i) => 1 << i)
  const near = new Set([value])
  let edge = [value]
  for (let step = 0; step < QUARTER_DISTANCE; step += 1) {
    edge = edge.flatMap((from) => bits.map((bit) => from ^ bit))
    for (const one of edge) near.add(one)
  }
  return [...near]
}
