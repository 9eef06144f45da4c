import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import pg from 'pg'
import { type Json, marketplace } from '../../test/harness.ts'
import { limitFor } from '../../test/pace.ts'
import { mintId, shardOf } from '../kit/ids.ts'
import { cellsOf, distanceKm, type Point } from '../places/cells.ts'

const DAY_MS = 86_400_000
const NOON_MS = DAY_MS / 2
const market = await marketplace()
/** Each test has its own place, so that other tests don't affect its order and counts. */
const PLACES = {
  berlin: { label: 'Berlin', lat: 52.52, lng: 13.4, radius_km: 10 },
  lagos: { label: 'Lagos', lat: 6.45, lng: 3.4, radius_km: 10 },
  lima: { label: 'Lima', lat: -12.05, lng: -77.04, radius_km: 10 },
  oslo: { label: 'Oslo', lat: 59.91, lng: 10.75, radius_km: 10 },
  osaka: { label: 'Osaka', lat: 34.69, lng: 135.5, radius_km: 30 },
  perth: { label: 'Perth', lat: -31.95, lng: 115.86, radius_km: 10 },
  quito: { label: 'Quito', lat: -0.18, lng: -78.47, radius_km: 10 },
  cairo: { label: 'Cairo', lat: 30.04, lng: 31.24, radius_km: 10 },
  hanoi: { label: 'Hanoi', lat: 21.03, lng: 105.85, radius_km: 10 },
  dakar: { label: 'Dakar', lat: 14.69, lng: -17.44, radius_km: 10 },
}
// It is about noon in Lagos: a card says if its task can be done only at night.
market.advance(DAY_MS + NOON_MS - (market.now().getTime() % DAY_MS))
const agent = await market.agent({ balanceCents: 100_000_000, freeTasks: false })

describe('GET /worker/feed', () => {
  test('shows open tasks that match skills and place [1-worker-feed] [4.5-feed]', async () => {
    const worker = await market.worker({ skills: ['photography'], location: PLACES.berlin })
    const near = await post({ location: spot(PLACES.berlin, 2) })
    const skilled = await post({ location: 'Main Street 5, Berlin', skills: ['Photography'] })
    await post({ location: spot(PLACES.berlin, 30) })
    await post({ location: spot(PLACES.berlin, 1), skills: ['photography', 'drone'] })
    await post({ location: spot(PLACES.berlin, 1), languages: ['fi'] })

    const shown = await idsOf(worker, '?sort=new')

    assert.deepEqual(located(shown, [near, skilled]), [skilled, near])
    assert.deepEqual(
      shown.filter((id) => ![near, skilled].includes(id)),
      [],
    )
  })

  test('a card has what a worker needs to decide, and not the exact place', async () => {
    const worker = await market.worker({ location: PLACES.lagos, languages: ['en', 'fr'] })
    const at = spot(PLACES.lagos, 3)
    const { body } = await agent.post('/tasks', {
      description: 'Is the bakery open? Look at the door.',
      type: 'verification',
      budget_cents: 1000,
      proof_required: 'photo',
      consensus_count: 3,
      deadline: '90m',
      languages: ['fr'],
      location: { address: '12 Secret Lane', ...at },
      context: { location: 'Secret Lane, third door', note: 'kept until acceptance' },
    })
    await market.events()

    const { text, body: feed } = await worker.get('/worker/feed')

    const [card] = feed.tasks as Json[]
    assert.deepEqual(card, {
      id: body.task.id,
      agent_id: agent.id,
      status: 'pending',
      type: 'verification',
      title: 'Is the bakery open?',
      description: 'Is the bakery open? Look at the door.',
      urgency: 'standard',
      proof_required: 'photo',
      budget_cents: 1000,
      you_earn_cents: 273,
      est_minutes: 15,
      created_at: body.task.created_at,
      deadline: body.task.deadline,
      distance_km: card!.distance_km,
      area: 'Lagos',
      near: card!.near,
      languages: ['fr'],
      risks: [],
      slots: { needed: 3, free: 3 },
      auto_approve_after: 86_400,
      agent: {
        id: agent.id,
        name: agent.name,
        verdicts: 0,
        disputes: 0,
        approval_rate: null,
        overturn_rate: null,
        median_review_s: null,
      },
      match: {
        score: card!.match.score,
        reasons: [`${card!.distance_km} km away`, 'Ends soon'],
        because: [{ code: 'near', distance_km: card!.distance_km }, { code: 'ends_soon' }],
      },
    })
    assert(Math.abs(card!.distance_km - 3) <= 0.2)
    assert(card!.match.score > 0 && card!.match.score < 1)
    for (const axis of ['lat', 'lng'] as const) {
      assert.equal(Number(card!.near[axis].toFixed(2)), card!.near[axis])
      assert(Math.abs(card!.near[axis] - at[axis]) <= 0.0061)
    }
    for (const secret of ['Secret', 'kept until', String(at.lat), String(at.lng)])
      assert(!text.includes(secret), secret)
  })

  test('a task without a place has no distance', async () => {
    const worker = await market.worker()
    const id = await post({ title: 'Anywhere' })

    const { body } = await worker.get('/worker/feed?sort=new&limit=1')

    assert.deepEqual([body.tasks[0].id, body.tasks[0].near], [id, null])
    await withdraw([id])
  })

  test('a task one level above is shown locked and last, one two levels above is hidden', async () => {
    const worker = await market.worker({ location: PLACES.lima })
    const cheap = await post({ location: spot(PLACES.lima, 9), budget_cents: 100 })
    const dear = await post({ location: spot(PLACES.lima, 0.1), budget_cents: 5001 })
    await post({ location: spot(PLACES.lima, 0.1), budget_cents: 20_001 })
    await post({ location: spot(PLACES.lima, 0.1), min_worker_level: 3 })

    const { body } = await worker.get('/worker/feed')

    const cards = (body.tasks as Json[]).map(({ id, locked }) => [id, locked])
    assert.deepEqual(cards, [
      [cheap, undefined],
      [dear, { required_level: 2 }],
    ])
    const veteran = await market.worker({ location: PLACES.lima, approvals: 25 })
    assert.equal((await idsOf(veteran)).length, 4)
  })

  test('preferences of the profile apply unless the query overrides them', async () => {
    const wishes = { types: ['gut_check'], min_pay_cents: 800, color: 'blue' }
    const worker = await market.worker({ location: PLACES.oslo, preferences: wishes })
    const at = { location: spot(PLACES.oslo, 1) }
    const wished = await post({ ...at, type: 'gut_check', budget_cents: 1000 })
    const cheap = await post({ ...at, type: 'gut_check', budget_cents: 900 })
    const other = await post({ ...at, type: 'custom', budget_cents: 1000 })
    const far = await post({ location: { lat: 59.91, lng: 11.1 }, type: 'gut_check' })

    assert.deepEqual(await idsOf(worker, '?sort=new'), [wished])
    assert.deepEqual(await idsOf(worker, '?sort=new&min_pay_cents=1'), [cheap, wished])
    assert.deepEqual(await idsOf(worker, '?sort=new&type=custom'), [other])
    assert.deepEqual(await idsOf(worker, '?sort=new&radius_km=25'), [far, wished])
    assert.deepEqual(await idsOf(worker, `?sort=new&lat=59.91&lng=11.10&radius_km=3`), [far])
  })

  test('hides tasks of muted agents and tasks that the worker had before', async () => {
    const other = await market.agent({ balanceCents: 10_000, freeTasks: false })
    const worker = await market.worker({
      location: PLACES.perth,
      preferences: { muted_agents: [other.id] },
    })
    const at = { location: spot(PLACES.perth, 1), budget_cents: 500, consensus_count: 2 }
    await post(at, other)
    const before = await post(at)
    const free = await post(at)
    await insertAssignment(before, worker.id)

    assert.deepEqual(await idsOf(worker), [free])
    const stranger = await market.worker({ location: PLACES.perth })
    assert.equal((await idsOf(stranger)).length, 3)
  })

  test('does not filter by distance if the task or the worker has no coordinates', async () => {
    const remote = await post({ description: 'Remote one' })
    const unknown = await post({ location: 'Someplace nobody knows' })
    const placed = await post({ location: spot(PLACES.quito, 1) })
    const nomad = await market.worker()
    const resident = await market.worker({ location: { ...PLACES.quito, radius_km: 1.5 } })
    const vague = await market.worker({ location: { label: 'Nowhere', radius_km: 10 } as never })

    for (const worker of [nomad, vague])
      assert.deepEqual(
        located(await idsOf(worker, '?sort=new&limit=100'), [remote, unknown, placed]),
        [placed, unknown, remote],
      )
    const near = await resident.get('/worker/feed?sort=nearest&limit=100')
    const cards = (near.body.tasks as Json[]).map(({ id, distance_km, area }) => [
      id,
      typeof distance_km,
      area,
    ])
    assert.deepEqual(cards.slice(0, 3), [
      [placed, 'number', 'Quito'],
      [unknown, 'object', null],
      [remote, 'object', null],
    ])
    assert.deepEqual(
      await idsOf(nomad, '?sort=nearest&limit=3'),
      await idsOf(nomad, '?sort=new&limit=3'),
    )
    await withdraw([remote, unknown])
  })

  test('a full, ended or overdue task is hidden at once', async () => {
    const worker = await market.worker({ location: PLACES.cairo })
    const at = { location: spot(PLACES.cairo, 1) }
    const full = await post(at)
    const gone = await post(at)
    const late = await post({ ...at, deadline: '30m' })
    const stays = await post(at)
    assert.equal((await idsOf(worker)).length, 4)

    const accepted = await (await market.worker()).post(`/worker/tasks/${full}/accept`)
    assert.equal(accepted.status, 200, accepted.text)
    await agent.post(`/tasks/${gone}/cancel`)
    market.advance(31 * 60_000)

    assert.deepEqual(await idsOf(worker), [stays])
    assert(!(await idsOf(worker)).includes(late))
  })

  test('a card shows a taken slot at once', async () => {
    const worker = await market.worker({ location: PLACES.cairo })
    const id = await post({ location: spot(PLACES.cairo, 1), consensus_count: 3 })

    await (await market.worker()).post(`/worker/tasks/${id}/accept`)

    const { body } = await worker.get('/worker/feed')
    const card = (body.tasks as Json[]).find((task) => task.id === id)!
    assert.deepEqual([card.status, card.slots], ['in_progress', { needed: 3, free: 2 }])
    await withdraw([id])
  })

  test('a row without a card is shown like any other', async () => {
    const worker = await market.worker({ location: PLACES.cairo, skills: ['tasting'] })
    const at = { location: spot(PLACES.cairo, 1), skills: ['tasting'], languages: [] }
    const ids = [await post(at), await post({ ...at, title: 'Second', consensus_count: 2 })]
    const before = await worker.get('/worker/feed')

    // As release 0.1.0 writes them.
    await market.asOwner('delete from open_cards where task_id = any($1)', [ids])
    const after = await worker.get('/worker/feed')

    assert(ids.every((id) => idsIn(after.body).includes(id)))
    assert.deepEqual(after.body, before.body)
    await withdraw(ids)
  })

  for (const sort of ['new', 'pay', 'nearest', 'match'])
    test(`offset skips tasks by ${sort}, and a cursor takes precedence`, async () => {
      const worker = await market.worker({ location: PLACES.hanoi })
      const posted = Array.from({ length: 7 }, (_, i) =>
        post({ location: spot(PLACES.hanoi, 0.3 + i * 0.2), budget_cents: 400 + i * 10 }),
      )
      const ids = await Promise.all(posted)
      const whole = await idsOf(worker, `?sort=${sort}`)

      const page = await worker.get(`/worker/feed?sort=${sort}&limit=3&offset=2`)
      const { next_cursor } = page.body
      const next = await worker.get(
        `/worker/feed?sort=${sort}&limit=3&offset=1&cursor=${next_cursor}`,
      )
      const past = await worker.get(`/worker/feed?sort=${sort}&offset=10000`)

      assert.deepEqual(whole.toSorted(), ids.toSorted())
      assert.deepEqual([page.body.limit, page.body.offset], [3, 2])
      assert.deepEqual(idsIn(page.body), whole.slice(2, 5))
      assert.deepEqual([next.body.offset, next.body.next_cursor], [0, null])
      assert.deepEqual(idsIn(next.body), whole.slice(5, 7))
      assert.deepEqual(past.body, { tasks: [], limit: 50, offset: 10_000, next_cursor: null })
      await withdraw(ids)
    })

  for (const offset of ['-1', '10001', 'many', '1.5'])
    test(`400 for offset ${offset}`, async () => {
      const worker = await market.worker()

      const { status, body } = await worker.get(`/worker/feed?offset=${offset}`)

      assert.deepEqual([status, body.details[0].path], [400, 'offset'])
    })

  for (const sort of ['new', 'pay', 'nearest', 'match'] as const)
    test(`pages by ${sort} neither repeat nor skip while tasks come and go`, async () => {
      const worker = await market.worker({ location: PLACES.hanoi })
      const ids = await Promise.all(
        Array.from({ length: 23 }, (_, i) =>
          post({
            location: spot(PLACES.hanoi, 0.3 + ((i * 7) % 23) * 0.4),
            budget_cents: 300 + ((i * 11) % 6) * 100,
            ...(i % 5 === 0 ? { min_worker_level: 2 } : {}),
          }),
        ),
      )
      const { body: all } = await worker.get(`/worker/feed?sort=${sort}&limit=100`)
      const cards = all.tasks as Json[]
      const whole = idsIn(all)
      assert.deepEqual(whole.toSorted(), ids.toSorted())
      assert.deepEqual(idsIn({ tasks: cards.toSorted(CARD_ORDERS[sort]) }), whole)

      const seen: string[] = []
      const taken = new Set<string>()
      let cursor: string | null = null
      do {
        const suffix: string = cursor === null ? '' : `&cursor=${cursor}`
        const { body } = await worker.get(`/worker/feed?sort=${sort}&limit=4${suffix}`)
        seen.push(...(body.tasks as Json[]).map(({ id }) => id))
        cursor = body.next_cursor
        // Remove one task that was shown and one that was not, and add one that ranks first in every sort order.
        const rest = whole.filter((id) => !seen.includes(id) && !taken.has(id))
        for (const id of [seen.at(-2)!, rest[1]]) if (id) taken.add(id)
        await withdraw([...taken])
        ids.push(await post({ location: spot(PLACES.hanoi, 0.1), budget_cents: 5000 }))
        market.advance(60_000)
      } while (cursor !== null)

      assert.equal(new Set(seen).size, seen.length, 'none is shown twice')
      const old = seen.filter((id) => whole.includes(id))
      const left = whole.filter((id) => seen.includes(id) || !taken.has(id))
      assert.deepEqual(old, left, 'none is left out, and the order is that of the whole')
      await withdraw(ids)
    })

  test('the best match pays well, is near, fits the skills and is likely to be approved', async () => {
    const worker = await market.worker({ skills: ['tasting'], location: PLACES.dakar })
    const at = (km: number) => ({ location: spot(PLACES.dakar, km), type: 'custom' })
    const plain = await post({ ...at(3), budget_cents: 1000 })
    const close = await post({ ...at(0.3), budget_cents: 1000 })
    const skilled = await post({ ...at(0.3), budget_cents: 1000, skills: ['tasting'] })
    const rich = await post({ ...at(0.3), budget_cents: 4000 })

    const { body } = await worker.get('/worker/feed')

    const cards = body.tasks as Json[]
    assert.deepEqual(
      cards.map(({ id }) => id),
      [rich, skilled, close, plain],
    )
    assert.deepEqual(cards[0]!.match.reasons, [
      `${Math.round(cards[0]!.distance_km * 1000)} m away`,
      'Pays well for the time it takes',
    ])
    assert.equal(cards[1]!.match.reasons[0], 'Matches your skill: tasting')
  })

  test('says that the worker has done such tasks before', async () => {
    const at = { location: spot(PLACES.osaka, 1), type: 'vibe_reader', consensus_count: 2 }
    const worker = await market.worker({ location: PLACES.osaka, approvals: 2 })
    const done = await Promise.all([post(at), post(at)])
    await post(at)
    for (const id of done) await insertAssignment(id, worker.id, 'approved')

    const { body } = await worker.get('/worker/feed')

    assert.deepEqual(
      (body.tasks as Json[]).map(({ match }) => match.reasons[0]),
      ['You’ve done 2 like this'],
    )
  })

  test('a page has 50 tasks by default, at most 100', async () => {
    const worker = await market.worker({
      location: { label: 'Sea', lat: 40, lng: -40, radius_km: 5 },
    })
    const at = { location: spot({ lat: 40, lng: -40 }, 1), budget_cents: 100 }
    const ids = await Promise.all(Array.from({ length: 104 }, () => create(at)))
    await market.events()

    assert.equal((await idsOf(worker)).length, 50)
    assert.equal((await idsOf(worker, '?limit=7')).length, 7)
    assert.equal((await idsOf(worker, '?limit=5000')).length, 100)
    await withdraw(ids)
  })

  test('400 for an invalid place or order, and for a cursor of another order', async () => {
    const worker = await market.worker({ location: PLACES.berlin })
    await Promise.all([1, 2, 3].map(() => post({ location: spot(PLACES.berlin, 1) })))
    const { body } = await worker.get('/worker/feed?sort=new&limit=1')
    const cursor = body.next_cursor as string
    const garbage = Buffer.from('{"sort":"new","id":"x"}').toString('base64url')

    for (const [path, field] of [
      [`?sort=pay&cursor=${cursor}`, 'cursor'],
      [`?cursor=${cursor}`, 'cursor'],
      [`?sort=new&cursor=${garbage}`, 'cursor'],
      ['?sort=new&cursor=%00', 'cursor'],
      ['?lat=52', 'lng'],
      ['?lng=13', 'lat'],
      ['?lat=91&lng=13', 'lat'],
      ['?lat=x&lng=13', 'lat'],
      ['?radius_km=0', 'radius_km'],
      ['?sort=best', 'sort'],
      ['?type=other', 'type'],
      ['?limit=0', 'limit'],
      ['?min_pay_cents=-1', 'min_pay_cents'],
    ]) {
      const refused = await worker.get(`/worker/feed${path}`)
      assert.equal(refused.status, 400, path)
      assert.equal(refused.body.details[0].path, field, path)
    }
    assert.equal((await worker.get(`/worker/feed?sort=new&cursor=${cursor}`)).status, 200)
  })

  test('401 without a worker’s token', async () => {
    assert.equal((await market.call('GET', '/worker/feed')).status, 401)
    assert.equal((await agent.get('/worker/feed')).status, 401)
  })

  test('a task is in the feed within a second of its creation', async () => {
    const running = await marketplace({ roles: ['api', 'jobs'], clock: 'real' })
    const someone = await running.agent({ balanceCents: 10_000 })
    const worker = await running.worker({ location: PLACES.berlin })
    await worker.get('/worker/feed')

    const { body } = await someone.post('/tasks', {
      description: 'Look',
      budget_cents: 500,
      location: 'Berlin',
    })
    const createdAt = performance.now()
    let shown: string[] = []
    while (shown.length === 0 && performance.now() - createdAt < 30_000)
      shown = ((await worker.get('/worker/feed')).body.tasks as Json[]).map(({ id }) => id)
    const ms = performance.now() - createdAt

    assert.deepEqual(shown, [body.task.id])
    assert(ms < (await limitFor(running, 1000)), `${ms} ms`)
  })
})

describe('the order of a large feed', async () => {
  const crowd = await marketplace()
  const nobody = await crowd.agent()
  const middles = [
    { lat: 52.52, lng: 13.4 },
    { lat: -17.5, lng: 179.98 },
    { lat: 64.5, lng: -179.9 },
    { lat: 89.7, lng: 20 },
  ]
  const points = await fill()

  test('by distance is exact, page after page, also at the date line and the pole', async () => {
    for (const middle of middles) {
      const inReach = points
        .map(({ id, ...point }) => ({ id, km: distanceKm(middle, point) }))
        .filter(({ km }) => km <= 120)
        .sort((a, b) => a.km - b.km || (a.id < b.id ? -1 : 1))
      assert(inReach.length > 300)

      const found: string[] = []
      let last = { distance_km: -1, task_id: '' }
      for (;;) {
        const page = await nearest(crowd.server.db.shards.feed.call, middle, {
          after: last,
          limit: 97,
          radiusKm: 120,
        })
        found.push(...page.map(({ task_id }) => task_id))
        if (page.length < 97) break
        last = page.at(-1)!
      }

      assert.deepEqual(found.toSorted(), inReach.map(({ id }) => id).toSorted())
      // Points at the pole are equally far, apart from rounding errors.
      const kmOf = new Map(inReach.map(({ id, km }) => [id, km]))
      for (const [i, { km }] of inReach.entries())
        assert(Math.abs(kmOf.get(found[i]!)! - km) < 1e-6)
    }
  })

  test('is read from an index in every order, and no further than necessary', async () => {
    const owner = new pg.Client({ connectionString: crowd.url })
    await owner.connect()
    const plans: string[] = []
    owner.on('notice', ({ message }) => plans.push(message ?? ''))
    await owner.query(`set search_path = ${crowd.server.db.shards.feed.schema.name}, public;
      load 'auto_explain'; set auto_explain.log_min_duration = 0;
      set auto_explain.log_analyze = on; set auto_explain.log_timing = off;
      set auto_explain.log_nested_statements = on; set client_min_messages = log;`)
    const call = async (_: string, text: string, values: unknown[]) =>
      (await owner.query(text, values)).rows
    try {
      const [berlin] = middles
      await nearest(call as never, berlin!, {
        after: { distance_km: -1, task_id: '' },
        limit: 21,
        radiusKm: 30,
      })
      const byDistance = plans.splice(0).join('\n')
      assert.match(byDistance, /Index Scan using open_tasks_near .*rows=21/)
      assert.match(byDistance, /Order By: \(point\(lng, northing\) <-> /)
      assert.doesNotMatch(byDistance, /Seq Scan|Bitmap/)

      // The plan must hold whatever table statistics the planner has.
      const cells = Object.values(cellsOf(berlin!))
      for (const learn of ['select 1', 'analyze open_tasks', 'vacuum analyze open_tasks']) {
        await owner.query(learn)
        for (const [i, name] of ['newest', 'best_paid'].entries())
          for (const [j, resolution] of [5, 6, 7].entries()) {
            plans.length = 0
            await owner.query(
              `select * from feed_${name}($1, $2, '{t}', '{t}', $3, 'task_~', 21, 52.52, 13.4, 30, now(),
                                         5::smallint, '{}', null, 0, '{}', '{}')`,
              [resolution, [cells[j]], i === 0 ? '' : 1e9],
            )
            const plan = plans.join('\n')
            const read = [...plan.matchAll(/Scan using (open_tasks_\w+).*actual rows=(\d+)/g)]
            const index = `open_tasks_${i === 0 ? 'new' : 'pay'}${resolution}`
            assert.deepEqual(
              read.map(([, used]) => used),
              [index, index],
              learn,
            )
            // In a cell with thousands of tasks it reads two pages to find the bound, then the rows up to it.
            for (const [, , rows] of read) assert(Number(rows) <= 43, `${rows} rows of ${index}`)
            assert.doesNotMatch(plan, /Seq Scan|Bitmap/)
          }
      }
    } finally {
      await owner.end()
    }
  })

  async function fill(): Promise<(Point & { id: string })[]> {
    const rows = middles.flatMap((middle) =>
      Array.from({ length: 3000 }, () => {
        const point = spot(middle, 200 * Math.random() ** 2)
        const id = mintId('task', new Date(crowd.now().getTime() - Math.random() * 1e9), 7)
        return { id, ...point, ...cellsOf(point), pay: Math.ceil(Math.random() * 3000) }
      }),
    )
    await crowd.asOwner(
      `insert into open_tasks (task_id, agent_id, type, pay_cents, level_needed, skill_keys, deadline, lat, lng,
                               cell5,
                               cell6, cell7, paid_chance)
         select id, $2, 'custom', pay, 1, '{}', now() + interval '1 day', lat, lng, cell5, cell6, cell7, 1
           from json_to_recordset($1::json) r(id text, pay bigint, lat float8, lng float8, cell5 bigint, cell6 bigint,
                                              cell7 bigint)`,
      [JSON.stringify(rows), nobody.id],
    )
    return rows
  }

  function nearest(
    call: typeof crowd.db.call,
    middle: Point,
    {
      after,
      limit,
      radiusKm,
    }: { after: { distance_km: number; task_id: string }; limit: number; radiusKm: number },
  ) {
    return call<{ distance_km: number; task_id: string }>(
      'test_nearest',
      `select * from feed_nearest($1, $2, '', $3, $4, $5, $6, $7, 5::smallint, '{}', null, 0, '{}', '{}')`,
      [after.distance_km, after.task_id, limit, middle.lat, middle.lng, radiusKm, crowd.now()],
    )
  }
})

const newerFirst = (a: Json, b: Json) => (a.id < b.id ? 1 : -1)

/** The sort orders as comparisons of cards. By distance, which cards round, equal ones stay where they are. */
const CARD_ORDERS = {
  new: newerFirst,
  pay: (a: Json, b: Json) => b.you_earn_cents - a.you_earn_cents || newerFirst(a, b),
  nearest: (a: Json, b: Json) => a.distance_km - b.distance_km,
  match: (a: Json, b: Json) =>
    Number('locked' in a) - Number('locked' in b) ||
    b.match.score - a.match.score ||
    newerFirst(a, b),
}

/** Creates a task that is in the feed. */
async function post(fields: Record<string, unknown>, by = agent): Promise<string> {
  const id = await create(fields, by)
  await market.events()
  return id
}

async function create(fields: Record<string, unknown>, by = agent): Promise<string> {
  const { status, body, text } = await by.post('/tasks', {
    description: 'Look',
    budget_cents: 1000,
    deadline: '3d',
    ...fields,
  })
  assert.equal(status, 201, text)
  return body.task.id
}

async function idsOf(
  worker: Awaited<ReturnType<typeof market.worker>>,
  query = '',
): Promise<string[]> {
  const { status, body, text } = await worker.get(`/worker/feed${query}`)
  assert.equal(status, 200, text)
  return idsIn(body)
}

const idsIn = (body: Json): string[] => (body.tasks as Json[]).map(({ id }) => id)

const located = (shown: string[], ids: string[]) => shown.filter((id) => ids.includes(id))

async function withdraw(ids: string[]): Promise<void> {
  for (const id of ids) await agent.post(`/tasks/${id}/cancel`)
  await market.events()
}

/** A point `km` kilometers away, in a random direction. */
function spot({ lat, lng }: Point, km: number): Point {
  const angle = Math.random() * 2 * Math.PI
  const north = lat + (km / 111.2) * Math.cos(angle)
  const east = lng + ((km / 111.2) * Math.sin(angle)) / Math.cos((lat * Math.PI) / 180)
  return { lat: Math.min(90, north), lng: ((((east + 180) % 360) + 360) % 360) - 180 }
}

async function insertAssignment(
  taskId: string,
  workerId: string,
  status = 'released',
): Promise<void> {
  const at = market.now()
  await market.asOwner(
    `insert into assignments (id, task_id, agent_id, worker_id, status, pay_cents, deadline, accepted_at, expires_at,
                              ended_at)
       select $1, id, agent_id, $3, $4::assignment_status, 1, deadline, $5, $5, $5 from tasks where id = $2`,
    [mintId('asg', at, shardOf(taskId)), taskId, workerId, status, at],
  )
}
