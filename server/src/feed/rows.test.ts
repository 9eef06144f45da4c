import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { marketplace } from '../../test/harness.ts'
import { mintId } from '../kit/ids.ts'
import { blurred, cellsOf, distanceKm } from '../places/cells.ts'
import { skillKey } from './ability-keys.ts'
import { bestPaid, LAST_ID, nearest, newest, type Row } from './rows.ts'
import { anybody, type Seeker } from './seeker.ts'

const market = await marketplace()
const [poster, muted] = [await market.agent(), await market.agent()]
const now = market.now()
// Off the grid of blurred places, so that two places are never equally far.
const middle = { lat: 48.850_37, lng: 2.350_71 }
const tasks = Array.from({ length: 2500 }, randomTask)
const hidden = new Set(tasks.filter(() => Math.random() < 0.02).map(({ task_id }) => task_id))
await insertTasks()

/** One radius for each resolution of cells, and everywhere. */
const RADII_KM = [4, 25, 120, undefined]

type Task = ReturnType<typeof randomTask>
type Sort = 'new' | 'pay' | 'nearest'

const olderFirst = (a: Task, b: Task) => (a.task_id < b.task_id ? -1 : 1)

/** The sort orders in memory. */
const ORDERS: Record<Sort, (a: Task, b: Task) => number> = {
  new: (a, b) => olderFirst(b, a),
  pay: (a, b) => b.pay_cents - a.pay_cents || olderFirst(b, a),
  nearest(a, b) {
    if (a.distance_km === null && b.distance_km === null) return olderFirst(b, a)
    return (a.distance_km ?? Infinity) - (b.distance_km ?? Infinity) || olderFirst(a, b)
  },
}

/** Reads the page after a row. */
const PAGES: Record<Sort, (seeker: Seeker, limit: number, last?: Row) => Promise<Row[]>> = {
  new: (seeker, limit, last) =>
    newest(market.db, seeker, { from: '', before: last?.task_id ?? LAST_ID, limit }),
  pay: (seeker, limit, last) =>
    bestPaid(market.db, seeker, {
      cents: last?.pay_cents ?? Number.MAX_SAFE_INTEGER,
      id: last?.task_id ?? LAST_ID,
      limit,
    }),
  nearest: (seeker, limit, last) =>
    nearest(market.db, seeker, {
      km: last === undefined ? -1 : last.distance_km,
      id: last?.task_id ?? '',
      limit,
    }),
}

describe('the pages of the feed equal a sort in memory', () => {
  for (const radiusKm of RADII_KM)
    for (const sort of ['new', 'pay', 'nearest'] as const) {
      if (sort === 'nearest' && radiusKm === undefined) continue
      test(`by ${sort}, ${radiusKm === undefined ? 'everywhere' : `within ${radiusKm} km`}`, async () => {
        for (const types of [null, ['custom', 'gut_check'] satisfies Task['type'][]]) {
          const seeker = { ...seekerWithin(radiusKm), types, payMin: pick([0, 3, 8]) }
          const expected = idsOf(tasks.filter((task) => suits(task, seeker)).sort(ORDERS[sort]))
          assert(expected.length > 20, `${expected.length} tasks`)

          for (const limit of [17, 5000])
            assert.deepEqual(await readAll(sort, seeker, limit), expected, `${limit} per page`)
        }
      })
    }

  test('by new, in a range of ids', async () => {
    const ids = idsOf(tasks).sort()
    const [from, before] = [ids[800]!, ids[1600]!]
    for (const radiusKm of RADII_KM) {
      const seeker = seekerWithin(radiusKm)

      const rows = await newest(market.db, seeker, { from, before, limit: 5000 })

      const expected = tasks
        .filter((task) => suits(task, seeker) && task.task_id >= from && task.task_id < before)
        .sort(ORDERS.new)
      assert.deepEqual(idsOf(rows), idsOf(expected))
    }
  })
})

function seekerWithin(radiusKm: number | undefined): Seeker {
  return {
    ...anybody(radiusKm === undefined ? undefined : { ...middle, radiusKm }, now),
    hidden: [...hidden],
    levelShown: 2,
    skills: ['driving', 'tasting'],
    muted: [muted.id],
  }
}

function suits(task: Task, { place, levelShown, skills, types, payMin }: Seeker): boolean {
  return (
    (place === undefined || task.distance_km === null || task.distance_km <= place.radiusKm) &&
    task.level_needed <= levelShown &&
    task.skills.every((skill) => skills.includes(skill)) &&
    (types === null || types.includes(task.type)) &&
    task.pay_cents >= payMin &&
    task.agent_id !== muted.id &&
    task.deadline > now &&
    !hidden.has(task.task_id)
  )
}

async function readAll(sort: Sort, seeker: Seeker, limit: number): Promise<string[]> {
  const found: Row[] = []
  for (;;) {
    const page = await PAGES[sort](seeker, limit, found.at(-1))
    found.push(...page)
    if (page.length < limit) return idsOf(found)
  }
}

/** Most tasks are near the middle, and many have the same pay or place. */
function randomTask() {
  const km = 150 * Math.random() ** 4
  const angle = Math.random() * 2 * Math.PI
  const point = blurred({
    lat: middle.lat + (km / 111.2) * Math.cos(angle),
    lng: middle.lng + (km / 73.2) * Math.sin(angle),
  })
  const isPlaced = Math.random() < 0.9
  return {
    task_id: mintId('task', new Date(now.getTime() - Math.random() * 1e9), 7),
    agent_id: pick([poster.id, poster.id, poster.id, muted.id]),
    type: pick(['custom', 'gut_check', 'verification'] as const),
    pay_cents: Math.floor(Math.random() * 20),
    level_needed: pick([1, 1, 1, 2, 3]),
    skills: pick([[], [], ['driving'], ['driving', 'tasting'], ['drone']]),
    deadline: new Date(now.getTime() + pick([1, 2, 3, -1]) * 3_600_000),
    lat: isPlaced ? point.lat : null,
    lng: isPlaced ? point.lng : null,
    ...(isPlaced ? cellsOf(point) : { cell5: '0', cell6: '0', cell7: '0' }),
    distance_km: isPlaced ? distanceKm(middle, point) : null,
  }
}

async function insertTasks(): Promise<void> {
  const rows = tasks.map((task) => ({
    ...task,
    skill_keys: `{${task.skills.map(skillKey).join()}}`,
  }))
  await market.asOwner(
    `insert into open_tasks (task_id, agent_id, type, pay_cents, level_needed, skill_keys, deadline, lat, lng, cell5,
                             cell6, cell7, paid_chance)
       select task_id, agent_id, type, pay_cents, level_needed, skill_keys::integer[], deadline, lat, lng, cell5, cell6,
              cell7, 1
         from json_to_recordset($1::json) r(task_id text, agent_id text, type task_type, pay_cents bigint,
           level_needed smallint, skill_keys text, deadline timestamptz, lat float8, lng float8, cell5 bigint,
           cell6 bigint, cell7 bigint)`,
    [JSON.stringify(rows)],
  )
}

function idsOf(rows: { task_id: string }[]): string[] {
  return rows.map(({ task_id }) => task_id)
}

function pick<T>(values: readonly T[]): T {
  return values[Math.floor(Math.random() * values.length)]!
}
