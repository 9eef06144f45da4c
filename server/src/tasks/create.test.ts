import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { marketplace } from '../../test/harness.ts'
import { eventually } from '../../test/jobs-child.ts'
import { restrictAgent } from '../agents/restrict.ts'
import { mintId, shardOf } from '../kit/ids.ts'
import { postEntry } from '../ledger/journal.ts'
import { deposit } from '../ledger/movements.ts'
import { createInBatch } from './creations.ts'
import { draftTask } from './draft.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR

const market = await marketplace()
const later = (ms: number) => new Date(market.now().getTime() + ms).toISOString()

describe('POST /tasks', () => {
  test('[1-escrow] [3-create-lock] [4.1-create-201] [4.1-create-body] 201: pending, its budget in escrow', async () => {
    const agent = await market.agent({ balanceCents: 5000 })

    const { status, body } = await agent.post('/tasks', { description: 'Look', budget_cents: 2500 })

    assert.equal(status, 201)
    assert.match(body.task.id, /^task_[0-9a-hjkmnp-tv-z]{26}$/)
    assert.deepEqual(body, {
      task: {
        id: body.task.id,
        agent_id: agent.id,
        type: 'custom',
        status: 'pending',
        status_reason: null,
        description: 'Look',
        budget_cents: 2500,
        urgency: 'standard',
        proof_required: 'text',
        created_at: later(0),
        updated_at: later(0),
        mode: 'live',
        title: null,
        deadline: later(7 * DAY),
        decides_by: null,
        context: {},
        consensus_count: 1,
        consensus_max: null,
        min_confidence: null,
        callback_url: null,
        budget_basis: 'total',
        escrow_cents: 2500,
        worker_pay_cents: 2050,
        skills: [],
        languages: [],
        location: null,
        answer_schema: null,
        criteria: null,
        min_worker_level: 1,
        auto_approve_after: (72 * HOUR) / 1000,
        scheduled_at: null,
        window_minutes: null,
        metadata: null,
        funding: 'wallet',
      },
    })
    assert.equal(await market.balance(agent.id), 2500)
  })

  test('[3-create] creates a pending task by either endpoint', async () => {
    const agent = await market.agent()

    const whole = await agent.post('/tasks', { description: 'Look', budget_cents: 500 })
    const short = await agent.post('/verify', { question: 'Is it open?' })

    assert.deepEqual(
      [whole, short].map(({ status, body }) => [status, body.task.status, body.task.escrow_cents]),
      [
        [201, 'pending', 500],
        [201, 'pending', 500],
      ],
    )
  })

  test('[4.1-context] [4.1-callback-url] [6-callback-url] stores and returns every field', async () => {
    const agent = await market.agent({ balanceCents: 30_000 })
    const sent = {
      description: 'Is the bakery open?',
      budget_cents: 900,
      type: 'verification',
      urgency: 'scheduled',
      proof_required: 'video',
      context: { shop: 'Müller “7”', deep: [{ n: 1.5, none: null }], html: '<b>\\ \n' },
      consensus_count: 3,
      consensus_max: 3,
      min_confidence: 0.9,
      callback_url: 'https://example.com/hook?x=1',
      title: 'Bakery',
      skills: ['german', 'walking'],
      languages: ['de', 'pt-br'],
      location: { address: 'Hauptstraße 1', lat: 52.5, lng: 13.4, radius_m: 200 },
      answer_schema: { type: 'object', properties: { open: { type: 'boolean' } } },
      criteria: [{ id: 'sign', text: 'The sign can be read' }],
      min_worker_level: 2,
      budget_basis: 'per_worker',
      window_minutes: 30,
      metadata: { order: 'A-1' },
    }

    const { status, body } = await agent.post('/tasks', {
      ...sent,
      deadline: '3d',
      auto_approve_after: '12h',
      scheduled_at: later(DAY),
    })

    assert.equal(status, 201)
    assert.deepEqual(body.task, {
      ...sent,
      id: body.task.id,
      agent_id: agent.id,
      status: 'pending',
      status_reason: null,
      created_at: later(0),
      updated_at: later(0),
      mode: 'live',
      deadline: later(3 * DAY),
      decides_by: null,
      auto_approve_after: 43_200,
      scheduled_at: later(DAY),
      escrow_cents: 2700,
      worker_pay_cents: 738,
      funding: 'wallet',
    })
    const detail = await agent.get(`/tasks/${body.task.id}`)
    const {
      assignments: _,
      proofs: __,
      transactions: ___,
      timeline: ____,
      approved_by: _____,
      settlement: ______,
      consensus: _______,
      ...kept
    } = detail.body.task
    assert.deepEqual(kept, body.task)
  })

  test('sends an internal event about the new task', async () => {
    const agent = await market.agent({ balanceCents: 5000 })

    const { body } = await agent.post('/tasks', { description: 'Look', budget_cents: 2500 })

    const told = await market.db.reader
      .selectFrom('outbox')
      .select(['type', 'agent_id'])
      .where('task_id', '=', body.task.id)
      .execute()
    assert.deepEqual(told, [{ type: 'task.created', agent_id: agent.id }])
  })

  test('[4.1-description-max] [8-description] trims the description and counts characters', async () => {
    const agent = await market.agent()
    const emoji = '😀'.repeat(5000)

    const trimmed = await agent.post('/tasks', { description: '\n  Look \t', budget_cents: 1 })
    const longest = await agent.post('/tasks', { description: `  ${emoji}  `, budget_cents: 1 })
    const tooLong = await agent.post('/tasks', { description: `${emoji}a`, budget_cents: 1 })

    assert.equal(trimmed.body.task.description, 'Look')
    assert.equal(longest.status, 201)
    assert.equal(longest.body.task.description, emoji)
    assert.equal(tooLong.status, 400)
    assert.deepEqual(tooLong.body.details, [
      { path: 'description', message: 'must have at most 5000 characters' },
    ])
  })

  test('caps the deadline at 90 days with a warning, also when replayed', async () => {
    const agent = await market.agent({ balanceCents: 5000 })
    const send = () =>
      agent.post(
        '/tasks',
        { description: 'Look', budget_cents: 2500, deadline: '1000d', budgt: 1 },
        { 'idempotency-key': 'far-ahead' },
      )

    const first = await send()
    const again = await send()

    assert.equal(first.status, 201)
    assert.equal(first.body.task.deadline, later(90 * DAY))
    assert.deepEqual(
      first.body.warnings.map(({ code }: { code: string }) => code),
      ['unknown_field', 'deadline_clamped'],
    )
    assert.equal(again.text, first.text)
  })

  test('[4.1-description-required] [4.1-budget-required] [4.1-budget-integer] 400 names each wrong field', async () => {
    const agent = await market.agent({ balanceCents: 2_000_000 })
    const circle = (levels: number): object => (levels === 1 ? {} : { in: circle(levels - 1) })
    const bytes = (count: number) => ({ a: 'x'.repeat(count - 8) })
    const wrong: [path: string, fields: Record<string, unknown>][] = [
      ['description', { description: undefined }],
      ['description', { description: '' }],
      ['description', { description: ' \n ' }],
      ['description', { description: 7 }],
      ['description', { description: null }],
      ['description', { description: 'x'.repeat(5001) }],
      ['budget_cents', { budget_cents: undefined }],
      ['budget_cents', { budget_cents: 0 }],
      ['budget_cents', { budget_cents: -5 }],
      ['budget_cents', { budget_cents: 100_000_001 }],
      ['budget_cents', { budget_cents: 10.5 }],
      ['budget_cents', { budget_cents: '5 dollars' }],
      ['budget_cents', { budget_cents: null }],
      ['budget_cents', { budget_cents: [500] }],
      ['budget_cents', { budget_cents: 1, consensus_count: 2 }],
      ['budget_cents', { budget_cents: 25, consensus_count: 25 }],
      ['type', { type: 'errand' }],
      ['urgency', { urgency: 'asap' }],
      ['proof_required', { proof_required: 'selfie' }],
      ['budget_basis', { budget_basis: 'each' }],
      ['consensus_count', { consensus_count: -1 }],
      ['consensus_count', { consensus_count: 26 }],
      ['consensus_count', { consensus_count: 1.5 }],
      ['consensus_count', { consensus_count: 'three' }],
      ['context', { context: 'here' }],
      ['context', { context: ['here'] }],
      ['context', { context: bytes(16_385) }],
      ['context', { context: { a: 'ü'.repeat(8189) } }],
      ['context', { context: circle(33) }],
      ['metadata', { metadata: circle(33) }],
      ['deadline', { deadline: '0m' }],
      ['deadline', { deadline: '-5m' }],
      ['deadline', { deadline: '5w' }],
      ['deadline', { deadline: 'tomorrow' }],
      ['deadline', { deadline: ' ' }],
      ['deadline', { deadline: 3600 }],
      ['deadline', { deadline: later(0) }],
      ['deadline', { deadline: later(-DAY) }],
      ['scheduled_at', { urgency: 'scheduled', scheduled_at: 'noon' }],
      ['scheduled_at', { urgency: 'scheduled', scheduled_at: later(-2 * HOUR) }],
      ['scheduled_at', { urgency: 'scheduled', scheduled_at: later(90 * DAY) }],
      ['deadline', { urgency: 'scheduled', scheduled_at: later(2 * HOUR), deadline: '2h' }],
      ['window_minutes', { scheduled_at: later(HOUR), window_minutes: -1 }],
      ['auto_approve_after', { auto_approve_after: 59 }],
      ['auto_approve_after', { auto_approve_after: '0m' }],
      ['auto_approve_after', { auto_approve_after: 'never' }],
      ['auto_approve_after', { budget_cents: 2000, auto_approve_after: '25h' }],
      ['auto_approve_after', { budget_cents: 10_000, auto_approve_after: '4d' }],
      ['auto_approve_after', { budget_cents: 10_001, auto_approve_after: '8d' }],
      ['location', { location: ' ' }],
      ['location', { location: { address: 'Berlin' } }],
      ['location.lat', { location: { lat: 91, lng: 0 } }],
      ['location', { location: { lat: 'north', lng: 13 } }],
      ['location', { location: ['Berlin'] }],
      ['skills', { skills: 'german' }],
      ['skills.0', { skills: [''] }],
      ['languages.0', { languages: ['?'] }],
      ['languages', { languages: Array.from({ length: 11 }, () => 'en') }],
      ['skills', { skills: Array.from({ length: 21 }, (_, i) => `skill ${i}`) }],
      ['criteria.0.text', { criteria: [{ id: 'a' }] }],
      [
        'criteria',
        {
          criteria: [
            { id: 'a', text: 'One' },
            { id: 'a', text: 'Two' },
          ],
        },
      ],
      ['answer_schema', { answer_schema: 'boolean' }],
      ['answer_schema', { answer_schema: { type: 'array' } }],
      ['answer_schema.enum', { answer_schema: { enum: ['only one'] } }],
      ['answer_schema', { answer_schema: { type: 'integer', minimum: 5, maximum: 1 } }],
      [
        'answer_schema',
        { answer_schema: { type: 'object', properties: {}, required: ['toString'] } },
      ],
      ['callback_url', { callback_url: 'example.com' }],
      ['callback_url', { callback_url: 'ftp://example.com/' }],
      ['callback_url', { callback_url: 'https://me:secret@example.com/' }],
      ['min_worker_level', { min_worker_level: 6 }],
      ['title', { title: ' ' }],
    ]

    const replies = await Promise.all(
      wrong.map(([, fields]) =>
        agent.post('/tasks', { description: 'Look', budget_cents: 2500, ...fields }),
      ),
    )

    assert.deepEqual(
      replies.map(({ status, body }) => [status, body.code, body.details?.[0]?.path]),
      wrong.map(([path]) => [400, 'invalid_request', path]),
    )
    assert.equal(await market.balance(agent.id), 2_000_000)
    assert.equal((await agent.get('/tasks')).body.total, 0)
  })

  test('400 for a context nested deeper than the stack', async () => {
    const agent = await market.agent()
    const deep = `{"description":"Look","budget_cents":5,"context":{"a":${'['.repeat(90_000)}${']'.repeat(90_000)}}}`

    const { status, body } = await agent.post('/tasks', deep)

    assert.equal(status, 400)
    assert.equal(body.error, 'body must be nested at most 64 deep')
  })

  test('[8-gap-budget-max] [8-gap-consensus-max] accepts every value at its bounds', async () => {
    const agent = await market.agent({ balanceCents: 30_000_000 })
    const nested = (levels: number): object => (levels === 1 ? {} : { in: nested(levels - 1) })
    const right: Record<string, unknown>[] = [
      { description: 'x' },
      { description: 'x'.repeat(5000) },
      { budget_cents: 1 },
      { budget_cents: 1_000_000 },
      { budget_cents: 1_000_000, consensus_count: 25, budget_basis: 'per_worker' },
      { budget_cents: 30, consensus_count: 25 },
      { consensus_count: 25 },
      { context: { a: 'x'.repeat(16_376) } },
      { context: nested(32) },
      { deadline: '1m' },
      { deadline: '90d' },
      { deadline: later(90 * DAY) },
      { deadline: later(1) },
      { scheduled_at: later(-HOUR + 1) },
      { scheduled_at: later(90 * DAY - HOUR) },
      { budget_cents: 2000, auto_approve_after: '24h' },
      { budget_cents: 10_000, auto_approve_after: '3d' },
      { budget_cents: 10_001, auto_approve_after: 604_800 },
      { auto_approve_after: 60 },
      { location: { lat: -90, lng: 180, radius_m: 1 } },
    ]

    const replies = await Promise.all(
      right.map((fields) =>
        agent.post('/tasks', { description: 'Look', budget_cents: 2500, ...fields }),
      ),
    )

    assert.deepEqual(
      replies.map(({ status, body }) => [status, body.details]),
      right.map(() => [201, undefined]),
    )
  })

  test('[4.1-type] [4.1-urgency] [4.1-proof-required] [1-audio] accepts every type, urgency and proof', async () => {
    const agent = await market.agent({ balanceCents: 100_000 })
    const values = {
      type: [
        'verification',
        'voice_proxy',
        'gut_check',
        'field_mission',
        'empathy_escalation',
        'vibe_reader',
        'custom',
      ],
      urgency: ['instant', 'urgent', 'standard', 'flex', 'scheduled'],
      proof_required: ['text', 'photo', 'video', 'audio'],
    }
    const sent = Object.entries(values).flatMap(([field, all]) =>
      all.map((value) => ({ field, value })),
    )

    const replies = await Promise.all(
      sent.map(({ field, value }) =>
        agent.post('/tasks', { description: 'Look', budget_cents: 2500, [field]: value }),
      ),
    )

    assert.deepEqual(
      replies.map(({ body }, i) => body.task?.[sent[i]!.field]),
      sent.map(({ value }) => value),
    )
  })

  test('derives the default deadline from the urgency', async () => {
    const agent = await market.agent({ balanceCents: 100_000 })
    const usual = {
      instant: HOUR,
      urgent: DAY,
      standard: 7 * DAY,
      flex: 30 * DAY,
      scheduled: 30 * DAY,
    }

    const replies = await Promise.all(
      Object.keys(usual).map((urgency) =>
        agent.post('/tasks', { description: 'Look', budget_cents: 2500, urgency }),
      ),
    )

    assert.deepEqual(
      replies.map(({ body }) => body.task.deadline),
      Object.values(usual).map(later),
    )
  })

  test('[4.1-deadline-iso] [4.1-deadline-relative] accepts a duration, or a time in UTC by default', async () => {
    const agent = await market.agent({ balanceCents: 100_000 })
    const inTwoDays = later(2 * DAY).slice(0, 19)
    const written: [string, string][] = [
      ['30m', later(HOUR / 2)],
      ['2h', later(2 * HOUR)],
      ['3d', later(3 * DAY)],
      [`${inTwoDays}Z`, `${inTwoDays}.000Z`],
      [inTwoDays, `${inTwoDays}.000Z`],
      [`${inTwoDays}+02:00`, later(2 * DAY - 2 * HOUR).replace(/\.\d+/, '.000')],
      [inTwoDays.slice(0, 10), `${inTwoDays.slice(0, 10)}T00:00:00.000Z`],
    ]

    const replies = await Promise.all(
      written.map(([deadline]) =>
        agent.post('/tasks', { description: 'Look', budget_cents: 2500, deadline }),
      ),
    )

    assert.deepEqual(
      replies.map(({ body }) => body.task?.deadline),
      written.map(([, deadline]) => deadline),
    )
  })

  test('a scheduled task has a window of an hour and is open at least until its end', async () => {
    const agent = await market.agent({ balanceCents: 100_000 })
    const task = { description: 'Look', budget_cents: 2500, urgency: 'scheduled' }

    const soon = await agent.post('/tasks', { ...task, scheduled_at: later(DAY) })
    const far = await agent.post('/tasks', {
      ...task,
      scheduled_at: later(40 * DAY),
      window_minutes: 90,
    })
    const unscheduled = await agent.post('/tasks', { ...task, window_minutes: 90 })

    assert.deepEqual(
      [soon, far, unscheduled].map(({ body }) => [
        body.task.scheduled_at,
        body.task.window_minutes,
        body.task.deadline,
      ]),
      [
        [later(DAY), 60, later(30 * DAY)],
        [later(40 * DAY), 90, later(40 * DAY + 1.5 * HOUR)],
        [null, null, later(30 * DAY)],
      ],
    )
  })

  test('is approved automatically later for larger budgets, and sooner on request', async () => {
    const agent = await market.agent({ balanceCents: 100_000 })
    const asked: [cents: number, after: string | number | undefined, hours: number][] = [
      [2000, undefined, 24],
      [2001, undefined, 72],
      [10_000, undefined, 72],
      [10_001, undefined, 168],
      [10_001, '12h', 12],
      [10_001, 7200, 2],
    ]

    const replies = await Promise.all(
      asked.map(([budget_cents, auto_approve_after]) =>
        agent.post('/tasks', { description: 'Look', budget_cents, auto_approve_after }),
      ),
    )

    assert.deepEqual(
      replies.map(({ body }) => body.task.auto_approve_after),
      asked.map(([, , hours]) => hours * 3600),
    )
  })

  test('[4.1-consensus-count] [8-consensus] needs one worker by default', async () => {
    const agent = await market.agent()
    const task = { description: 'Look', budget_cents: 500 }

    const [alone, several] = [
      await agent.post('/tasks', task),
      await agent.post('/tasks', { ...task, consensus_count: 5 }),
    ]

    assert.equal(alone.body.task.consensus_count, 1)
    assert.equal(several.body.task.consensus_count, 5)
  })

  test('[1-several-workers] a budget is for the whole task, or by budget_basis for each worker', async () => {
    const agent = await market.agent({ balanceCents: 100_000 })
    const task = { description: 'Look', budget_cents: 2500, consensus_count: 3 }

    const total = await agent.post('/tasks', task)
    const perWorker = await agent.post('/tasks', { ...task, budget_basis: 'per_worker' })

    assert.deepEqual(
      [total, perWorker].map(({ body }) => [
        body.task.budget_cents,
        body.task.escrow_cents,
        body.task.worker_pay_cents,
      ]),
      [
        [2500, 2500, 683],
        [2500, 7500, 2050],
      ],
    )
    assert.equal(await market.balance(agent.id), 90_000)
  })

  test('accepts a place as text, as coordinates, or from the context', async () => {
    const agent = await market.agent({ balanceCents: 100_000 })
    const task = { description: 'Look', budget_cents: 2500 }
    const spot = { lat: 52.5, lng: 13.4 }
    const places: [fields: Record<string, unknown>, location: unknown][] = [
      [{ location: '  Berlin ' }, 'Berlin'],
      [{ location: spot }, spot],
      [{ context: { location: 'Paris' } }, 'Paris'],
      [{ context: { location: { ...spot, floor: 3 } } }, spot],
      [{ context: { location: { city: 'Rome' } } }, null],
      [{ location: 'Berlin', context: { location: 'Paris' } }, 'Berlin'],
    ]

    const replies = await Promise.all(
      places.map(([fields]) => agent.post('/tasks', { ...task, ...fields })),
    )

    assert.deepEqual(
      replies.map(({ body }) => body.task.location),
      places.map(([, location]) => location),
    )
    assert.deepEqual(replies[3]!.body.task.context, { location: { ...spot, floor: 3 } })
    assert.equal(replies[3]!.body.warnings, undefined)
  })

  test('stores each skill once, in lower case', async () => {
    const agent = await market.agent()

    const { body } = await agent.post('/tasks', {
      description: 'Look',
      budget_cents: 500,
      skills: [' German', 'walking', 'german'],
    })

    assert.deepEqual(body.task.skills, ['german', 'walking'])
  })

  test('accepts a typed answer of every kind', async () => {
    const agent = await market.agent({ balanceCents: 100_000 })
    const schemas = [
      { type: 'boolean', description: 'Open?' },
      { enum: ['red', 'green'] },
      { type: 'string', enum: ['red', 'green'] },
      { type: 'integer', enum: [1, 2, 3] },
      { type: 'number', minimum: 0.5, maximum: 9 },
      { type: 'integer' },
      { type: 'string', minLength: 2, maxLength: 80 },
      {
        type: 'object',
        properties: { open: { type: 'boolean' }, queue: { type: 'integer', minimum: 0 } },
        required: ['open'],
      },
    ]

    const replies = await Promise.all(
      schemas.map((answer_schema) =>
        agent.post('/tasks', { description: 'Look', budget_cents: 2500, answer_schema }),
      ),
    )

    assert.deepEqual(
      replies.map(({ body }) => [body.task?.answer_schema, body.warnings]),
      schemas.map((schema) => [schema, undefined]),
    )
  })

  test('warns of fields without effect, at any depth', async () => {
    const agent = await market.agent()

    const { status, body } = await agent.post('/tasks', {
      description: 'Look',
      budget_cents: 500,
      budget: 700,
      status: 'completed',
      location: { lat: 1, lng: 2, floor: 3 },
    })

    assert.equal(status, 201)
    assert.equal(body.task.status, 'pending')
    assert.deepEqual(body.warnings, [
      { code: 'unknown_field', path: 'budget' },
      { code: 'unknown_field', path: 'status' },
      { code: 'unknown_field', path: 'location.floor' },
    ])
  })

  test('401 without a key', async () => {
    const { status, body } = await market.call('POST', '/tasks', {
      body: { description: 'Look', budget_cents: 500 },
    })

    assert.equal(status, 401)
    assert.equal(body.error, 'Missing or invalid API key')
  })
})

describe('paying for a task', () => {
  test('[8-free-tasks] uses the three free tasks first, and pays the fourth from the wallet', async () => {
    const agent = await market.agent({ balanceCents: 1000 })
    const task = { description: 'Look', budget_cents: 600 }

    const replies = []
    for (let i = 0; i < 4; i += 1) replies.push(await agent.post('/tasks', task))

    assert.deepEqual(
      replies.map(({ body }) => body.task.funding),
      ['free', 'free', 'free', 'wallet'],
    )
    assert.deepEqual(
      replies.map(({ body }) => [body.task.escrow_cents, body.task.worker_pay_cents]),
      replies.map(() => [600, 492]),
    )
    const { body: wallet } = await agent.get('/wallet')
    assert.equal(wallet.balance_cents, 400)
    assert.equal(wallet.free_tasks_remaining, 0)
  })

  test('uses each free task once if ten are created at the same time, and replays the same fundings', async () => {
    const agent = await market.agent({ balanceCents: 10_000 })
    const create = () =>
      Promise.all(
        Array.from({ length: 10 }, (_, i) =>
          agent.post(
            '/tasks',
            { description: 'Look', budget_cents: 500 },
            { 'idempotency-key': `at-once-${i}` },
          ),
        ),
      )

    const created = await create()
    const replayed = await create()

    const fundings = created.map(({ body }) => body.task.funding as string).sort()
    assert.deepEqual(fundings, [...Array(3).fill('free'), ...Array(7).fill('wallet')])
    assert.deepEqual(
      replayed.map(({ body }) => body),
      created.map(({ body }) => body),
    )
    const { body: wallet } = await agent.get('/wallet')
    assert.equal(wallet.free_tasks_remaining, 0)
    assert.equal(wallet.balance_cents, 6500)
  })

  test('pays up to 2000 cents as a free task, and more from the wallet', async () => {
    const agent = await market.agent({ balanceCents: 10_000 })

    const [least, most, above, perWorker] = [
      await agent.post('/tasks', { description: 'Look', budget_cents: 1 }),
      await agent.post('/tasks', { description: 'Look', budget_cents: 2000 }),
      await agent.post('/tasks', { description: 'Look', budget_cents: 2001 }),
      await agent.post('/tasks', {
        description: 'Look',
        budget_cents: 1001,
        consensus_count: 2,
        budget_basis: 'per_worker',
      }),
    ]

    assert.deepEqual(
      [least, most, above, perWorker].map(({ body }) => body.task.funding),
      ['free', 'free', 'wallet', 'wallet'],
    )
    const { body: wallet } = await agent.get('/wallet')
    assert.equal(wallet.balance_cents, 10_000 - 2001 - 2002)
    assert.equal(wallet.free_tasks_remaining, 1)
  })

  test('[7-402] [7-402-balance] [7-402-deposit-url] 402 with the balance; no money moves', async () => {
    const agent = await market.agent({ balanceCents: 2499, freeTasks: false })

    const { status, body } = await agent.post('/tasks', { description: 'Look', budget_cents: 2500 })

    assert.equal(status, 402)
    assert.match(body.request_id, /^req_/)
    assert.deepEqual(body, {
      error: 'Insufficient funds',
      code: 'insufficient_funds',
      request_id: body.request_id,
      balance_cents: 2499,
      deposit_url: '/api/v1/wallet/deposit',
      required_cents: 2500,
      hint: 'POST to deposit_url to add money, lower the budget, or use your test key: play money is free',
      doc_url: body.doc_url,
    })
    assert.match(body.doc_url, /\/docs\/errors\/insufficient_funds$/)
    const { body: wallet } = await agent.get('/wallet')
    assert.equal(wallet.balance_cents, 2499)
    assert.equal((await agent.get('/tasks')).body.total, 0)
  })

  test('402 with free tasks left says how many, and their largest budget, also when replayed', async () => {
    const agent = await market.agent({ balanceCents: 100 })
    const send = (headers = {}) =>
      agent.post('/tasks', { description: 'Look', budget_cents: 2500 }, headers)

    const { status, body } = await send()
    const kept = await send({ 'idempotency-key': 'too-big-for-free' })
    const again = await send({ 'idempotency-key': 'too-big-for-free' })

    assert.equal(status, 402)
    assert.deepEqual(body, {
      error: 'Insufficient funds',
      code: 'insufficient_funds',
      request_id: body.request_id,
      balance_cents: 100,
      free_tasks_remaining: 3,
      free_task_max_cents: 2000,
      deposit_url: '/api/v1/wallet/deposit',
      required_cents: 2500,
      hint: body.hint,
      doc_url: body.doc_url,
    })
    assert.match(body.hint, /free tasks left for budgets of up to 2000 cents/)
    assert.equal(kept.body.free_tasks_remaining, 3)
    assert.equal(again.text, kept.text)
    assert.equal((await agent.get('/wallet')).body.free_tasks_remaining, 3)
  })

  test('allows up to a million dollars for each of 25 workers; 402 and not 400 without funds', async () => {
    const rich = await market.agent({ balanceCents: 2_600_000_000 })
    const poor = await market.agent({ balanceCents: 100 })
    const task = { description: 'Look', budget_cents: 100_000_000 }

    const refused = await poor.post('/tasks', task)
    const one = await rich.post('/tasks', task)
    const each = await rich.post('/tasks', {
      ...task,
      budget_basis: 'per_worker',
      consensus_count: 25,
    })
    const cancelled = await rich.post(`/tasks/${each.body.task.id}/cancel`)

    assert.deepEqual([refused.status, refused.body.required_cents], [402, 100_000_000])
    assert.equal(one.status, 201)
    assert.equal(each.status, 201, each.text)
    assert.equal(each.body.task.escrow_cents, 2_500_000_000)
    assert.equal(each.body.task.worker_pay_cents, 82_000_000)
    assert.equal(cancelled.status, 200, cancelled.text)
    assert.equal(await market.balance(rich.id), 2_500_000_000)
  })

  test('pays out a task of a million dollars to the cent', async () => {
    const agent = await market.agent({ balanceCents: 100_000_000 })
    const task = await market.taskIn(agent, 'completed', { budget_cents: 100_000_000 })

    const { body } = await agent.get(`/tasks/${task.id}`)

    assert.equal(body.task.settlement.gross_cents, 100_000_000)
    assert.equal(await market.payable(task.workers[0]!.id), 82_000_000)
  })

  test('402 for a small task if no free task is left and the wallet is empty', async () => {
    const agent = await market.agent({ freeTasks: false })

    const { status, body } = await agent.post('/tasks', { description: 'Look', budget_cents: 1 })

    assert.equal(status, 402)
    assert.equal(body.balance_cents, 0)
    assert.equal(body.required_cents, 1)
  })

  test('402 for a large task does not stop a smaller one, afterwards or concurrently', async () => {
    const agent = await market.agent({ balanceCents: 5000 })

    const big = await agent.post('/tasks', { description: 'Big', budget_cents: 5001 })
    const small = await agent.post('/tasks', { description: 'Small', budget_cents: 2500 })
    const [bigger, smaller] = await Promise.all([
      agent.post('/tasks', { description: 'Bigger', budget_cents: 2600 }),
      agent.post('/tasks', { description: 'Smaller', budget_cents: 2400 }),
    ])

    assert.deepEqual(
      [big, small, bigger, smaller].map(({ status }) => status),
      [402, 201, 402, 201],
    )
    assert.equal(await market.balance(agent.id), 100)
  })

  test('two concurrent requests with money for one: one is created, one is 402', async () => {
    const agent = await market.agent({ balanceCents: 2500 })
    const task = { description: 'Look', budget_cents: 2500 }

    const replies = await Promise.all([agent.post('/tasks', task), agent.post('/tasks', task)])

    assert.deepEqual(new Set(replies.map(({ status }) => status)), new Set([201, 402]))
    assert.equal(await market.balance(agent.id), 0)
  })

  test('403 for a restricted agent; no money moves', async () => {
    const agent = await market.agent({ balanceCents: 5000 })
    await market.asOwner(`update agents set status = 'restricted' where id = $1`, [agent.id])

    const { status, body } = await agent.post('/tasks', { description: 'Look', budget_cents: 500 })

    assert.equal(status, 403)
    assert.equal(body.code, 'agent_restricted')
    const { body: wallet } = await agent.get('/wallet')
    assert.equal(wallet.balance_cents, 5000)
    assert.equal(wallet.free_tasks_remaining, 3)
    assert.equal((await agent.get('/tasks')).body.total, 0)
  })

  test('403 for an agent that is restricted while the creation waits for its wallet', async () => {
    const agent = await market.agent({ balanceCents: 5000 })

    const { creation } = await market.at(agent.id).transaction(async (tx) => {
      // Any ledger entry locks the wallet until its transaction ends.
      const book = { mode: 'live' as const, shard: shardOf(agent.id), agentId: agent.id }
      await postEntry(tx, deposit({ ...book, depositId: 'slow', amountCents: 1 }), {
        now: market.now(),
      })
      const waiting = agent.post('/tasks', { description: 'Look', budget_cents: 500 })
      const waits = `select from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`
      await eventually('the creation waits', 30_000, async () =>
        (await market.asOwner(waits)).length > 0 ? true : undefined,
      )
      await restrictAgent(tx, { agentId: agent.id, why: 'chargeback', now: market.now() })
      // Wrapped in an object so the promise isn't awaited here: the creation can't finish before this transaction.
      return { creation: waiting }
    })

    const { status, body } = await creation
    assert.equal(status, 403, JSON.stringify(body))
    assert.equal(await market.balance(agent.id), 5001)
  })

  test('a test key spends test money in its own book; the live one is untouched', async () => {
    const agent = await market.agent({ balanceCents: 5000 })

    const { status, body } = await agent.test.post('/tasks', {
      description: 'Look',
      budget_cents: 2500,
    })

    assert.equal(status, 201)
    assert.equal(body.task.mode, 'test')
    assert.equal(body.task.funding, 'wallet')
    assert.notEqual(body.task.agent_id, agent.id)
    assert.equal(await market.balance(body.task.agent_id), 97_500)
    assert.equal(await market.balance(agent.id), 5000)
    assert.equal((await agent.get('/tasks')).body.total, 0)
    assert.equal((await agent.get(`/tasks/${body.task.id}`)).status, 404)
    const lines = await market.db.reader
      .selectFrom('transfers')
      .select('mode')
      .where('task_id', '=', body.task.id)
      .execute()
    assert.deepEqual(lines, [{ mode: 'test' }])
  })
})

describe('POST /tasks with a maximum number of workers', () => {
  test('locks a share for every worker who may be asked', async () => {
    const agent = await market.agent({ balanceCents: 5000, freeTasks: false })
    const growth = { consensus_count: 2, consensus_max: 5, min_confidence: 0.9 }

    const { body } = await agent.post('/tasks', {
      description: 'Look',
      budget_cents: 1000,
      budget_basis: 'per_worker',
      ...growth,
    })

    assert.equal(body.task.escrow_cents, 5000)
    assert.equal(body.task.worker_pay_cents, 820)
  })

  test('400 for one of the two fields alone, and for a maximum below the minimum', async () => {
    const agent = await market.agent()
    const cases = [
      [{ consensus_max: 3 }, 'min_confidence'],
      [{ min_confidence: 0.9 }, 'consensus_max'],
      [{ consensus_count: 3, consensus_max: 2, min_confidence: 0.9 }, 'consensus_max'],
    ] as const
    for (const [fields, path] of cases) {
      const { status, body } = await agent.post('/tasks', {
        description: 'Look',
        budget_cents: 500,
        ...fields,
      })
      assert.deepEqual([status, body.details[0].path], [400, path])
    }
  })
})

describe('POST /tasks with an Idempotency-Key', () => {
  test('the first response is replayed long after its deadline', async () => {
    const agent = await market.agent({ balanceCents: 5000 })
    const deadline = new Date(market.now().getTime() + 3_600_000).toISOString()
    const body = { description: 'Look', budget_cents: 500, deadline }
    const key = { 'idempotency-key': 'order-in-time' }
    const first = await agent.post('/tasks', body, key)

    market.advance(2 * 3_600_000)
    const again = await agent.post('/tasks', body, key)
    const anew = await agent.post('/tasks', body, { 'idempotency-key': 'order-too-late' })

    assert.equal(again.text, first.text)
    assert.equal(again.headers.get('idempotency-replayed'), 'true')
    assert.equal(anew.status, 400)
  })

  const task = { description: 'Look', budget_cents: 2500, colour: 'red' }

  test('a repetition gets the same response byte for byte and creates nothing', async () => {
    const agent = await market.agent({ balanceCents: 10_000 })
    const key = { 'idempotency-key': 'order-1' }
    const reordered = Object.fromEntries(Object.entries(task).reverse())

    const first = await agent.post('/tasks', task, key)
    market.advance(6 * DAY)
    const second = await agent.post('/tasks', reordered, key)

    assert.equal(first.status, 201)
    assert.equal(first.headers.get('idempotency-replayed'), null)
    assert.equal(second.status, 201)
    assert.equal(second.headers.get('idempotency-replayed'), 'true')
    assert.equal(second.text, first.text)
    assert.equal(await market.balance(agent.id), 7500)
  })

  test('the key expires after seven days', async () => {
    const agent = await market.agent({ balanceCents: 10_000 })
    const key = { 'idempotency-key': 'order-1' }

    const first = await agent.post('/tasks', task, key)
    market.advance(7 * DAY)
    const second = await agent.post('/tasks', task, key)

    assert.equal(second.status, 201)
    assert.notEqual(second.body.task.id, first.body.task.id)
    assert.equal(await market.balance(agent.id), 5000)
  })

  test('two agents may use the same key', async () => {
    const [one, other] = [await market.agent(), await market.agent()]
    const key = { 'idempotency-key': 'order-1' }
    const small = { description: 'Look', budget_cents: 500 }

    const replies = await Promise.all([
      one.post('/tasks', small, key),
      other.post('/tasks', small, key),
    ])

    assert.deepEqual(
      replies.map(({ status, body }) => [status, body.task.agent_id]),
      [
        [201, one.id],
        [201, other.id],
      ],
    )
  })

  test('422 for another request under the same key; no money moves', async () => {
    const agent = await market.agent({ balanceCents: 10_000 })
    const key = { 'idempotency-key': 'order-1' }
    await agent.post('/tasks', task, key)

    const other = await agent.post('/tasks', { ...task, budget_cents: 2600 }, key)

    assert.equal(other.status, 422)
    assert.equal(other.body.code, 'idempotency_mismatch')
    assert.equal(await market.balance(agent.id), 7500)
  })

  test('sixteen concurrent requests create one task and get equal responses', async () => {
    const agent = await market.agent({ balanceCents: 10_000 })
    const key = { 'idempotency-key': 'order-1' }

    const replies = await Promise.all(
      Array.from({ length: 16 }, () => agent.post('/tasks', task, key)),
    )

    assert.deepEqual(
      replies.map(({ status }) => status),
      replies.map(() => 201),
    )
    assert.equal(new Set(replies.map(({ text }) => text)).size, 1)
    assert.equal(
      replies.filter(({ headers }) => headers.get('idempotency-replayed') === null).length,
      1,
    )
    assert.equal(await market.balance(agent.id), 7500)
  })

  test('two different concurrent requests under one key: one is created, one is 422', async () => {
    const agent = await market.agent({ balanceCents: 10_000 })
    const key = { 'idempotency-key': 'order-1' }

    const replies = await Promise.all([
      agent.post('/tasks', task, key),
      agent.post('/tasks', { ...task, description: 'Listen' }, key),
    ])

    assert.deepEqual(new Set(replies.map(({ status }) => status)), new Set([201, 422]))
    assert.equal(await market.balance(agent.id), 7500)
  })

  test('a stored 402 is replayed even if there is money by now; a new key creates', async () => {
    const agent = await market.agent({ balanceCents: 100 })

    const refused = await agent.post('/tasks', task, { 'idempotency-key': 'order-1' })
    await market.fund(agent.id, 9900)
    const repeated = await agent.post('/tasks', task, { 'idempotency-key': 'order-1' })
    const anew = await agent.post('/tasks', task, { 'idempotency-key': 'order-2' })

    assert.deepEqual(
      [refused, repeated, anew].map(({ status }) => status),
      [402, 402, 201],
    )
    assert.equal(repeated.text, refused.text)
    assert.equal(repeated.headers.get('idempotency-replayed'), 'true')
    assert.equal(await market.balance(agent.id), 7500)
  })

  test('400 and 403 are not stored: the corrected request with the same key creates', async () => {
    const agent = await market.agent({ balanceCents: 10_000 })
    const key = { 'idempotency-key': 'order-1' }

    const invalid = await agent.post('/tasks', { ...task, budget_cents: 0 }, key)
    await market.asOwner(`update agents set status = 'restricted' where id = $1`, [agent.id])
    const restricted = await agent.post('/tasks', task, key)
    await market.asOwner(`update agents set status = 'active' where id = $1`, [agent.id])
    const created = await agent.post('/tasks', task, key)

    assert.deepEqual(
      [invalid, restricted, created].map(({ status }) => status),
      [400, 403, 201],
    )
    assert.equal(await market.balance(agent.id), 7500)
  })
})

describe('a creation whose response was lost', () => {
  const creationOf = (
    agentId: string,
    { budget_cents, claim }: { budget_cents: number; claim?: string },
  ) => ({
    taskId: mintId('task', market.now(), shardOf(agentId)),
    keyId: 'key',
    draft: draftTask(
      { description: 'Look', budget_cents },
      { agent: { id: agentId, mode: 'live' }, now: market.now(), warn: () => {} },
    ),
    claim:
      claim === undefined
        ? undefined
        : { principal: agentId, keyHash: `hash of ${claim}`, fingerprint: 'print' },
    mayBeFree: budget_cents <= market.server.config.FREE_TASK_MAX_CENTS,
    render: (funding: string) => JSON.stringify({ funding }),
  })

  test('retried with the same id takes the money once', async () => {
    const agent = await market.agent({ balanceCents: 10_000 })
    const creation = creationOf(agent.id, { budget_cents: 2500 })
    const { config } = market.server
    const db = market.at(agent.id)

    const first = await createInBatch(db, config, creation)
    const second = await createInBatch(db, config, creation)

    assert.deepEqual(
      [first, second].map(({ outcome, funding }) => [outcome, funding]),
      [
        ['created', 'wallet'],
        ['created', 'wallet'],
      ],
    )
    assert.equal(await market.balance(agent.id), 7500)
    assert.equal((await agent.get('/tasks')).body.total, 1)
    const told = await market.db.reader
      .selectFrom('outbox')
      .select('type')
      .where('task_id', '=', creation.taskId)
      .execute()
    assert.deepEqual(told, [{ type: 'task.created' }])
  })

  test('retried after the money was spent is still the created task', async () => {
    const agent = await market.agent({ balanceCents: 2500 })
    const creation = creationOf(agent.id, { budget_cents: 2500 })
    const { config } = market.server
    const db = market.at(agent.id)

    await createInBatch(db, config, creation)
    const second = await createInBatch(db, config, creation)

    assert.equal(second.outcome, 'created')
    assert.equal(await market.balance(agent.id), 0)
  })

  test('retried as a free task uses one free task, even the last', async () => {
    const agent = await market.agent({ balanceCents: 10_000 })
    const { config } = market.server
    const db = market.at(agent.id)
    const [first, second, third] = [1, 2, 3].map(() => creationOf(agent.id, { budget_cents: 500 }))

    const outcomes = []
    for (const creation of [first!, first!, second!, third!, third!])
      outcomes.push(await createInBatch(db, config, creation))

    assert.deepEqual(
      outcomes.map(({ outcome, funding }) => [outcome, funding]),
      outcomes.map(() => ['created', 'free']),
    )
    const { body: wallet } = await agent.get('/wallet')
    assert.equal(wallet.free_tasks_remaining, 0)
    assert.equal(wallet.balance_cents, 10_000)
    assert.equal((await agent.get('/tasks')).body.total, 3)
  })

  test('retried with its Idempotency-Key gets the stored response', async () => {
    const agent = await market.agent({ balanceCents: 10_000 })
    const creation = creationOf(agent.id, { budget_cents: 2500, claim: 'order-1' })
    const { config } = market.server
    const db = market.at(agent.id)

    await createInBatch(db, config, creation)
    const second = await createInBatch(db, config, creation)

    assert.equal(second.outcome, 'replayed')
    assert.equal(second.status, 201)
    assert.equal(second.answer, '{"funding":"wallet"}')
    assert.equal(await market.balance(agent.id), 7500)
  })

  test('retried twice concurrently is one task', async () => {
    const agent = await market.agent({ balanceCents: 10_000 })
    const creation = creationOf(agent.id, { budget_cents: 2500 })
    const { config } = market.server
    const db = market.at(agent.id)

    const outcomes = await Promise.all([
      createInBatch(db, config, creation),
      createInBatch(db, config, creation),
    ])

    assert.deepEqual(
      outcomes.map(({ outcome }) => outcome),
      ['created', 'created'],
    )
    assert.equal(await market.balance(agent.id), 7500)
    assert.equal((await agent.get('/tasks')).body.total, 1)
  })
})
