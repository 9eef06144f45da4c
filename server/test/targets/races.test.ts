/**
 * Several agents create a task with one phone number at the same time: the cap is never exceeded. TARGET_RACES sets how
 * many numbers there are.
 */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { marketplace } from '../harness.ts'

const RACES = Number(process.env.TARGET_RACES ?? 100)
const CONTROL_RACES = 100
const CONTROLS_MAX = 10
const RIVALS = 4
const CAP = 2
const AT_ONCE = 8

const market = await marketplace({
  clock: 'real',
  shards: 1,
  settings: { TARGET_PHONE_DAY_MAX: CAP },
})
const agents = await Promise.all(
  Array.from({ length: RIVALS }, () =>
    market.agent({ freeTasks: false, balanceCents: 100_000_000 }),
  ),
)

/** How many tasks were created for each number. */
async function race(races: number, prefix: string): Promise<number[]> {
  const created: number[] = []
  let next = 0
  const runner = async () => {
    while (next < races) {
      next += 1
      const number = `${prefix}${String(next).padStart(7, '0')}`
      const statuses = await Promise.all(
        agents.map(async (agent) => {
          const body = { description: 'Ask for the hours', number, budget_cents: 100 }
          return (await agent.post('/call', body)).status
        }),
      )
      assert(
        statuses.every((status) => status === 201 || status === 403),
        statuses.join(),
      )
      created.push(statuses.filter((status) => status === 201).length)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, runner))
  return created
}

describe('races on the cap of a target', () => {
  test(`${RACES} numbers, ${RIVALS} agents at once for each: never more than ${CAP} tasks`, async () => {
    const created = await race(RACES, '+4915')

    console.log(
      `targets: ${RACES} races, ${created.filter((count) => count > CAP).length} over the cap`,
    )
    assert.deepEqual(new Set(created), new Set([CAP]))
    const [row] = await market.asOwner(
      `select max(count)::integer as max, count(*)::integer as targets
         from (select count(*) from target_uses group by target) by_target`,
    )
    assert.deepEqual(row, { max: CAP, targets: RACES })
  })

  test('control: without the locks, the cap is exceeded', async () => {
    const [found] = await market.asOwner(
      `select pg_get_functiondef('targets_reserve'::regproc) as source`,
    )
    const source = found!.source as string
    const unlocked = source.replace(/perform pg_advisory_xact_lock\(.*\);/, 'null;')
    assert.notEqual(unlocked, source)
    await market.asOwner(unlocked)

    const created: number[] = []
    const over = () => created.filter((count) => count > CAP).length
    for (let i = 0; i < CONTROLS_MAX && over() === 0; i += 1)
      created.push(...(await race(CONTROL_RACES, `+4916${i}`)))

    await market.asOwner(source)
    console.log(`targets: control, ${over()} of ${created.length} races over the cap`)
    assert(over() > 0)
  })
})
