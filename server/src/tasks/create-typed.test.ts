import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { marketplace } from '../../test/harness.ts'

const market = await marketplace()

describe('the shorthands', () => {
  const EACH = [
    {
      path: '/verify',
      type: 'verification',
      budget_cents: 500,
      proof_required: 'photo',
      urgency: 'standard',
      own: { question: 'Is it open?', location: 'Main Street 1, Springfield' },
      description: 'Is it open?',
      answer_schema: { type: 'boolean' },
    },
    {
      path: '/call',
      type: 'voice_proxy',
      budget_cents: 1000,
      proof_required: 'text',
      urgency: 'standard',
      own: { number: '+14155552671', script: 'Hello, do you have a table?' },
      description: 'Say: Hello, do you have a table?',
      answer_schema: null,
    },
    {
      path: '/gut-check',
      type: 'gut_check',
      budget_cents: 300,
      proof_required: 'text',
      urgency: 'standard',
      own: { content: 'A slogan', question: 'Is it funny?', scale: '1-10' },
      description: 'Is it funny?\n\nA slogan\n\nAnswer with a whole number on the scale 1-10.',
      answer_schema: { type: 'integer', minimum: 1, maximum: 10 },
    },
    {
      path: '/field',
      type: 'field_mission',
      budget_cents: 1500,
      proof_required: 'photo',
      urgency: 'standard',
      own: { mission: 'Count the chairs', location: 'Town hall', checklist: ['Go in', 'Count'] },
      description: 'Count the chairs\n\n- Go in\n- Count',
      answer_schema: null,
    },
    {
      path: '/escalate',
      type: 'empathy_escalation',
      budget_cents: 2000,
      proof_required: 'text',
      urgency: 'urgent',
      own: {
        situation: 'A customer is angry',
        person: { name: 'Kim', contact: 'kim@example.com', channel: 'email' },
        goal: 'Calm them',
        tone: 'warm',
      },
      description: 'A customer is angry\n\nGoal: Calm them\n\nTone: warm',
      answer_schema: null,
    },
    {
      path: '/vibe',
      type: 'vibe_reader',
      budget_cents: 800,
      proof_required: 'text',
      urgency: 'standard',
      own: {
        location: 'Café Nord',
        url: 'https://example.com/menu',
        content: 'The menu',
        question: 'Would you stay?',
        scale: '0-5',
      },
      description: [
        'Would you stay?',
        'Page: https://example.com/menu',
        'The menu',
        'Answer with a whole number on the scale 0-5.',
      ].join('\n\n'),
      answer_schema: { type: 'integer', minimum: 0, maximum: 5 },
    },
  ]

  test('[1-shorthands] [4.2-verify] [4.2-call] [4.2-gut-check] have their type and budget', async () => {
    const agent = await market.agent()

    const replies = await Promise.all(
      EACH.slice(0, 3).map(({ path, own }) => agent.post(path, own)),
    )

    assert.deepEqual(
      replies.map(({ body }) => [body.task.type, body.task.budget_cents, body.task.escrow_cents]),
      [
        ['verification', 500, 500],
        ['voice_proxy', 1000, 1000],
        ['gut_check', 300, 300],
      ],
    )
  })

  test('[4.2-field] [4.2-escalate] [4.2-vibe] have their type and budget', async () => {
    const agent = await market.agent()

    const replies = await Promise.all(EACH.slice(3).map(({ path, own }) => agent.post(path, own)))

    assert.deepEqual(
      replies.map(({ body }) => [body.task.type, body.task.budget_cents, body.task.escrow_cents]),
      [
        ['field_mission', 1500, 1500],
        ['empathy_escalation', 2000, 2000],
        ['vibe_reader', 800, 800],
      ],
    )
  })

  for (const { path, own, ...expected } of EACH) {
    test(`POST ${path} describes the work in words and keeps its own fields in the context`, async () => {
      const agent = await market.agent()

      const { status, body } = await agent.post(path, own)

      assert.equal(status, 201)
      assert.equal(body.warnings, undefined)
      const { type, budget_cents, proof_required, urgency, description, answer_schema } = body.task
      assert.deepEqual(
        { type, budget_cents, proof_required, urgency, description, answer_schema },
        expected,
      )
      assert.deepEqual(body.task.context, own)
    })

    test(`POST ${path} accepts every field of POST /tasks, too`, async () => {
      const agent = await market.agent({ balanceCents: 100_000 })
      const fields = {
        budget_cents: 2100,
        urgency: 'flex',
        proof_required: 'audio',
        context: { order: 7 },
        consensus_count: 3,
        callback_url: 'https://example.com/hook',
        title: 'Short',
        skills: ['german'],
        location: { lat: 52.5, lng: 13.4 },
        answer_schema: { enum: ['yes', 'no'] },
        criteria: [{ id: 'a', text: 'Be kind' }],
        min_worker_level: 2,
        auto_approve_after: 3600,
        budget_basis: 'per_worker',
        scheduled_at: new Date(market.now().getTime() + 3_600_000).toISOString(),
        window_minutes: 15,
        metadata: { run: 1 },
      }

      const { status, body } = await agent.post(path, {
        description: 'In my words',
        deadline: '2d',
        ...fields,
      })

      assert.equal(status, 201)
      assert.equal(body.warnings, undefined)
      const { context, ...shown } = fields
      for (const [name, value] of Object.entries(shown))
        assert.deepEqual(body.task[name], value, name)
      assert.equal(body.task.context.order, context.order)
      assert.equal(body.task.description, 'In my words')
      assert.equal(body.task.escrow_cents, 6300)
      assert.equal(
        body.task.deadline,
        new Date(market.now().getTime() + 2 * 86_400_000).toISOString(),
      )
    })

    test(`400: POST ${path} without a text that says what to do; no money moves`, async () => {
      const agent = await market.agent({ balanceCents: 5000 })
      const mute = {
        number: '+14155552671',
        scale: '1-10',
        person: { name: 'Kim' },
        tone: 'warm',
      }

      const replies = await Promise.all([
        agent.post(path),
        agent.post(path, mute),
        agent.post(path, { budget_cents: 700, description: '  ' }),
      ])

      assert.deepEqual(
        replies.map(({ status, body }) => [status, body.details?.[0].path]),
        replies.map(() => [400, 'description']),
      )
      const { body: wallet } = await agent.get('/wallet')
      assert.equal(wallet.balance_cents, 5000)
      assert.equal(wallet.free_tasks_remaining, 3)
    })
  }

  test('[4.7-gap-shorthand] return 201 with the task as GET shows it', async () => {
    const agent = await market.agent()

    const { status, body } = await agent.post('/verify', { question: 'Is it open?' })

    assert.equal(status, 201)
    assert.deepEqual(Object.keys(body), ['task'])
    const { body: list } = await agent.get('/tasks')
    assert.deepEqual(list.tasks, [body.task])
  })

  test('accept a place alone as the instruction, and never publish it', async () => {
    const agent = await market.agent({ balanceCents: 100_000 })
    const places = ['12 Elm Street', { address: '12 Elm Street', lat: 1, lng: 2 }]
    const sent = ['/verify', '/field', '/vibe'].flatMap((path) =>
      places.map((location) => ({ path, location })),
    )

    const replies = await Promise.all(
      sent.map(({ path, location }) => agent.post(path, { location })),
    )

    for (const [i, { status, body }] of replies.entries()) {
      assert.equal(status, 201)
      assert.match(body.task.description, /^Go to the place/)
      assert.doesNotMatch(body.task.description, /Elm/)
      assert.deepEqual(body.task.location, sent[i]!.location)
      assert.deepEqual(body.task.context, { location: sent[i]!.location })
    }
  })

  test('need one text field, whichever it is', async () => {
    const agent = await market.agent({ balanceCents: 100_000 })
    const said: [path: string, field: string][] = [
      ['/verify', 'description'],
      ['/verify', 'question'],
      ['/verify', 'location'],
      ['/call', 'description'],
      ['/call', 'script'],
      ['/gut-check', 'content'],
      ['/gut-check', 'question'],
      ['/field', 'mission'],
      ['/field', 'location'],
      ['/escalate', 'situation'],
      ['/escalate', 'goal'],
      ['/vibe', 'location'],
      ['/vibe', 'url'],
      ['/vibe', 'content'],
      ['/vibe', 'question'],
    ]

    const replies = await Promise.all(
      said.map(([path, field]) => agent.post(path, { [field]: 'https://example.com/a' })),
    )

    assert.deepEqual(
      replies.map(({ status }) => status),
      said.map(() => 201),
    )
  })

  test('[4.2-verify-fields] proof and consensus are short for proof_required and consensus_count', async () => {
    const agent = await market.agent()

    const short = await agent.post('/verify', {
      question: 'Is it open?',
      location: 'Main Street 1',
      proof: 'video',
      budget_cents: 900,
      consensus: 3,
    })
    const both = await agent.post('/verify', {
      question: 'Is it open?',
      proof: 'video',
      proof_required: 'audio',
      consensus: 3,
      consensus_count: 4,
    })

    assert.deepEqual(
      [short, both].map(({ body }) => [
        body.task.proof_required,
        body.task.consensus_count,
        body.task.budget_cents,
      ]),
      [
        ['video', 3, 900],
        ['audio', 4, 500],
      ],
    )
    assert.equal(short.body.task.location, 'Main Street 1')
    assert.equal(short.body.warnings, undefined)
  })

  test('[4.2-call-fields] a call keeps its number out of the public text', async () => {
    const agent = await market.agent()

    const { body } = await agent.post('/call', {
      number: '+44 20 7946 0958',
      script: 'Hello',
      description: 'Book a table',
      budget_cents: 1200,
    })

    assert.equal(body.task.budget_cents, 1200)
    assert.equal(body.task.description, 'Book a table\n\nSay: Hello')
    assert.equal(body.warnings, undefined)
    assert.deepEqual(body.task.context, {
      number: '+442079460958',
      number_written: '+44 20 7946 0958',
      script: 'Hello',
    })
  })

  test('accept any number that can be dialed; one that cannot be normalized is kept, with a warning', async () => {
    const agent = await market.agent({ balanceCents: 100_000 })
    const kept: [string, object?][] = [
      ['+1-555-0100'],
      ['555-0123'],
      ['020 7946 0958'],
      ['+1234567890'],
      ['72727'],
    ]
    const normalized: [string, string, object?][] = [
      ['(415) 555-2671', '+14155552671'],
      ['+1-800-FLOWERS', '+18003569377'],
      ['020 7946 0958', '+442079460958', { location: 'London, UK' }],
      ['020 7946 0958', '+442079460958', { location: 'Kent, England' }],
      ['020 7946 0958', '+442079460958', { location: { lat: 51.5, lng: -0.12 } }],
      ['020 7946 0958', '+442079460958', { context: { location: 'London' } }],
    ]

    const asWritten = await Promise.all(
      kept.map(([number, more]) => agent.post('/call', { description: 'Call', number, ...more })),
    )
    const inE164 = await Promise.all(
      normalized.map(([number, , more]) =>
        agent.post('/call', { description: 'Call', number, ...more }),
      ),
    )

    assert.deepEqual(
      asWritten.map(({ body }) => [body.task.context.number, body.warnings[0].code]),
      kept.map(([number]) => [number, 'number_not_normalized']),
    )
    assert.match(asWritten[0]!.body.warnings[0].message, /as written: \+1-555-0100/)
    assert.deepEqual(
      inE164.map(({ body }) => [
        body.task.context.number,
        body.task.context.number_written,
        body.warnings,
      ]),
      normalized.map(([written, number]) => [number, written, undefined]),
    )
  })

  test('400 for an emergency number and for a number that cannot be dialed; no money moves', async () => {
    const agent = await market.agent({ freeTasks: false, balanceCents: 5000 })
    const numbers = ['911', '112', '+1 911', 'tel:999', '9-1-1', 'call me', ' ', 911, 1.5]

    const replies = await Promise.all(
      numbers.map((number) => agent.post('/call', { description: 'Call', number })),
    )

    assert.deepEqual(
      replies.map(({ status, body }) => [status, body.details?.[0].path]),
      numbers.map(() => [400, 'number']),
    )
    assert.match(replies[0]!.body.error, /emergency number \(911\)/)
    assert.equal(await market.balance(agent.id), 5000)
  })

  test('[4.2-gut-check-fields] a gut check without a scale is answered in words', async () => {
    const agent = await market.agent()

    const { body } = await agent.post('/gut-check', {
      content: 'A slogan',
      question: 'Funny?',
      consensus: 5,
    })

    assert.equal(body.task.answer_schema, null)
    assert.equal(body.task.consensus_count, 5)
    assert.equal(body.task.description, 'Funny?\n\nA slogan')
  })

  test('[4.2-scale] a scale is two numbers, the smaller first, and types the answer', async () => {
    const agent = await market.agent({ balanceCents: 100_000 })
    const range = (minimum: number, maximum: number, type = 'integer') => ({
      type,
      minimum,
      maximum,
    })
    const scales: [unknown, object | undefined][] = [
      ['1-10', range(1, 10)],
      ['0-1', range(0, 1)],
      ['-5-5', range(-5, 5)],
      ['-5--1', range(-5, -1)],
      ['10-1', undefined],
      ['5-5', undefined],
      ['1-2.5', range(1, 2.5, 'number')],
      ['0.0-1.0', range(0, 1, 'number')],
      ['1 - 10', range(1, 10)],
      ['1–10', range(1, 10)],
      ['one-ten', undefined],
      ['1', undefined],
      ['1-', undefined],
      [' ', undefined],
      [10, undefined],
    ]
    const sent = scales.flatMap(([scale, schema]) =>
      ['/gut-check', '/vibe'].map((path) => ({ path, scale, schema })),
    )

    const replies = await Promise.all(
      sent.map(({ path, scale }) => agent.post(path, { content: 'A slogan', scale })),
    )

    assert.deepEqual(
      replies.map(({ status, body }) => [
        status,
        body.task?.answer_schema ?? body.details?.[0].path,
      ]),
      sent.map(({ schema }) => (schema ? [201, schema] : [400, 'scale'])),
    )
  })

  test('a decimal scale is answered, agreed on and resolved with decimals', async () => {
    const agent = await market.agent({ balanceCents: 10_000 })
    const { body } = await agent.post('/gut-check', {
      content: 'A slogan',
      scale: '0.0 – 1.0',
      consensus: 2,
    })
    const task = body.task
    const workers = [await market.worker(), await market.worker()]
    for (const worker of workers) await worker.post(`/worker/tasks/${task.id}/accept`)
    const send = (at: number, answer: object) =>
      workers[at]!.post(`/worker/tasks/${task.id}/proof`, answer)

    const tooMuch = await send(0, { text: 'Great', answer: 1.5 })
    const first = await send(0, { text: '0.1' })
    const second = await send(1, { text: 'Good', answer: 0.2 })
    const shown = await agent.get(`/tasks/${task.id}`)

    assert.equal(task.description, 'A slogan\n\nAnswer with a number on the scale 0.0 – 1.0.')
    assert.equal(tooMuch.status, 400)
    assert.deepEqual([first.status, second.status], [201, 201])
    assert.equal(shown.body.task.consensus.result, 0.15)
    assert.equal(shown.body.task.consensus.conflict, false)
  })

  test('an answer_schema of the agent overrides that of the shorthand', async () => {
    const agent = await market.agent()
    const answer_schema = { enum: ['open', 'closed', 'gone'] }

    const { body } = await agent.post('/verify', { question: 'Is it open?', answer_schema })

    assert.deepEqual(body.task.answer_schema, answer_schema)
  })

  test('keep their own fields in the context, whatever else it contains', async () => {
    const agent = await market.agent()

    const { body } = await agent.post('/verify', {
      question: 'Is it open?',
      context: { question: 'Is it closed?', order: 7 },
    })

    assert.deepEqual(body.task.context, { question: 'Is it open?', order: 7 })
  })

  test('limit texts to 5000 characters together, where an emoji is one', async () => {
    const agent = await market.agent()
    const half = '😀'.repeat(2499)

    const most = await agent.post('/gut-check', { question: half, content: half })
    const alone = await agent.post('/call', { description: '😀'.repeat(5000) })
    const more = await agent.post('/gut-check', { question: half, content: `${half}.` })

    assert.deepEqual(
      [most, alone, more].map(({ status, body }) => [status, body.details?.[0].path]),
      [
        [201, undefined],
        [201, undefined],
        [400, 'description'],
      ],
    )
  })

  test('warn of fields without effect, including type', async () => {
    const agent = await market.agent()

    const { body } = await agent.post('/escalate', {
      situation: 'A customer is angry',
      type: 'custom',
      person: { name: 'Kim', age: 40 },
    })

    assert.equal(body.task.type, 'empathy_escalation')
    assert.deepEqual(body.warnings, [
      { code: 'unknown_field', path: 'type' },
      { code: 'unknown_field', path: 'person.age' },
    ])
  })

  test('402 like POST /tasks, and 403 for a restricted agent', async () => {
    const poor = await market.agent({ freeTasks: false })
    const restricted = await market.agent()
    await market.asOwner(`update agents set status = 'restricted' where id = $1`, [restricted.id])

    const unpaid = await poor.post('/field', { mission: 'Go' })
    const refused = await restricted.post('/field', { mission: 'Go' })

    assert.equal(unpaid.status, 402)
    assert.equal(unpaid.body.required_cents, 1500)
    assert.equal(refused.status, 403)
    assert.equal((await restricted.get('/tasks')).body.total, 0)
  })

  test('a repetition with its Idempotency-Key gets the same response; 422 on another path', async () => {
    const agent = await market.agent({ balanceCents: 5000, freeTasks: false })
    const key = { 'idempotency-key': 'order-1' }

    const first = await agent.post('/gut-check', { content: 'A slogan' }, key)
    const second = await agent.post('/gut-check', { content: 'A slogan' }, key)
    const other = await agent.post('/vibe', { content: 'A slogan' }, key)

    assert.equal(first.status, 201)
    assert.equal(second.text, first.text)
    assert.equal(other.status, 422)
    assert.equal(await market.balance(agent.id), 4700)
  })
})
