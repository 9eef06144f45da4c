import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { z } from 'zod'
import { readConfig } from '../src/config.ts'
import { endpoints } from '../src/endpoints.ts'
import { endpoint } from '../src/kit/endpoint.ts'
import { marketplace } from './harness.ts'

/** An endpoint with a bug, to see what a caller is told. */
const broken = endpoint({
  method: 'GET',
  path: '/test/broken',
  auth: 'none',
  access: { by: 'anyone' },
  summary: 'Fails',
  success: { status: 200, body: z.object({}) },
  errors: [],
  handler: () => Promise.reject(new Error('select secret from somewhere')),
})

const market = await marketplace({
  settings: { LOG_LEVEL: 'silent' },
  moreEndpoints: [broken],
})

const TYPES = [
  'verification',
  'voice_proxy',
  'gut_check',
  'field_mission',
  'empathy_escalation',
  'vibe_reader',
  'custom',
]
const URGENCIES = ['instant', 'urgent', 'standard', 'flex', 'scheduled']
const PROOFS = ['text', 'photo', 'video', 'audio']

describe('the interface', () => {
  test('[1-json] responses are JSON, and a body of another type is 415', async () => {
    const agent = await market.agent()

    const answer = await agent.get('/wallet')
    const refused = await agent.post('/tasks', 'description=Look', {
      'content-type': 'application/x-www-form-urlencoded',
    })

    assert.match(answer.headers.get('content-type') ?? '', /^application\/json/)
    assert.equal(refused.status, 415)
    assert.match(refused.headers.get('content-type') ?? '', /^application\/json/)
  })

  test('[9-prefix] every endpoint is under /api/v1 and nowhere else', async () => {
    const root = market.server.addresses.api!.replace(/\/api\/v1$/, '')

    const outside = await Promise.all(
      endpoints.map(async ({ method, path }) => {
        const [inner, outer] = await Promise.all(
          [market.server.addresses.api!, root].map((base) =>
            fetch(base + path.replace(':id', 'x'), { method }),
          ),
        )
        // Inside, a 404 may be about a missing object but not a missing route; outside, a page for people is fine.
        const isServed = !(await inner!.text()).includes('route_not_found')
        const isPage = outer!.headers.get('content-type')?.startsWith('text/html') ?? false
        return [isServed, outer!.status === 404 || isPage]
      }),
    )

    assert(market.server.addresses.api!.endsWith('/api/v1'))
    assert.deepEqual(
      outside,
      endpoints.map(() => [true, true]),
    )
  })
})

describe('a created task', () => {
  const given = {
    description: 'Look at the door',
    budget_cents: 700,
    type: 'verification',
    urgency: 'urgent',
    proof_required: 'photo',
    deadline: '2h',
    context: { location: 'Main Street 5', order: { lines: [1, 'two', null] } },
    consensus_count: 2,
    callback_url: 'https://example.com/hook',
  }
  const created = market.agent().then(async (agent) => {
    const { body } = await agent.post('/tasks', given)
    return { agent, task: body.task as Record<string, any> }
  })

  test('[2.1-id] [2.1-agent-id] has ids of the specified shape', async () => {
    const { agent, task } = await created

    assert.match(task.id, /^task_[0-9a-z]{26}$/)
    assert.match(task.agent_id, /^agent_[0-9a-z]{26}$/)
    assert.equal(task.agent_id, agent.id)
  })

  test('[2.1-type] [2.1-description] [2.1-urgency] [2.1-proof-required] shows the request', async () => {
    const { task } = await created
    const { type, description, urgency, proof_required } = given

    assert.deepEqual(
      {
        type: task.type,
        description: task.description,
        urgency: task.urgency,
        proof_required: task.proof_required,
      },
      { type, description, urgency, proof_required },
    )
  })

  test('[2.1-status] is pending', async () => {
    const { task } = await created

    assert.equal(task.status, 'pending')
  })

  test('[2.1-budget] shows its budget in whole cents', async () => {
    const { task } = await created

    assert.strictEqual(task.budget_cents, 700)
  })

  test('[2.1-created-at] shows its time of creation as ISO 8601 in UTC', async () => {
    const { task } = await created

    assert.match(task.created_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    assert.equal(new Date(task.created_at).getTime(), market.now().getTime())
  })

  test('[2.1-inputs] keeps deadline, context, consensus_count and callback_url', async () => {
    const { agent, task } = await created

    const { body } = await agent.get(`/tasks/${task.id}`)

    for (const shown of [task, body.task]) {
      assert.equal(Date.parse(shown.deadline), Date.parse(task.created_at) + 2 * 3_600_000)
      assert.deepEqual(shown.context, given.context)
      assert.equal(shown.consensus_count, 2)
      assert.equal(shown.callback_url, given.callback_url)
    }
  })
})

describe('the values of an enumeration', () => {
  const enumerations = [
    { field: 'type', values: TYPES },
    { field: 'urgency', values: URGENCIES },
    { field: 'proof_required', values: PROOFS },
  ]
  test('[2.1-types] [2.1-urgencies] [2.1-proofs] are all accepted, and no others', async () => {
    const agent = await market.agent({ balanceCents: 10_000 })

    for (const { field, values } of enumerations) {
      for (const value of values) {
        const task = { description: 'Look', budget_cents: 100, [field]: value }
        const { status, body } = await agent.post('/tasks', task)
        assert.equal(status, 201, `${field} ${value}`)
        assert.equal(body.task[field], value)
      }
      const task = { description: 'Look', budget_cents: 100, [field]: 'other' }
      assert.equal((await agent.post('/tasks', task)).status, 400, field)
    }
  })
})

describe('a new agent', () => {
  const email = 'new-agent@example.com'
  const registered = market.call('POST', '/agents/register', {
    body: { name: 'Scout', email, webhook_url: 'https://example.com/hook' },
  })

  test('[1-agent-registers] [4.4-register] [4.4-register-body] is returned with its five fields', async () => {
    const { body } = await registered

    for (const field of ['id', 'name', 'api_key', 'balance_cents', 'free_tasks_remaining'])
      assert(field in body.agent, field)
    assert.equal((await market.client(body.agent.api_key).get('/tasks')).status, 200)
  })

  test('[2.2-id] [2.2-name] [2.2-api-key] has an id, its name and a key', async () => {
    const { body } = await registered

    assert.match(body.agent.id, /^agent_[0-9a-z]{26}$/)
    assert.equal(body.agent.name, 'Scout')
    assert.equal(typeof body.agent.api_key, 'string')
  })

  test('[1-free-tasks] [2.2-balance] [2.2-free-tasks] has no money and 3 free tasks', async () => {
    const { body } = await registered

    assert.equal(body.agent.balance_cents, 0)
    assert.equal(body.agent.free_tasks_remaining, 3)
  })

  test('[4.4-webhook-url] [6-webhook-url] keeps its webhook URL, and may have none', async () => {
    const { body } = await registered
    const without = await market.agent()

    const rows = await market.asOwner('select id, webhook_url from agents where id = any($1)', [
      [body.agent.id, without.id],
    ])

    assert.deepEqual(
      new Map(rows.map((row) => [row.id, row.webhook_url])),
      new Map([
        [body.agent.id, 'https://example.com/hook'],
        [without.id, null],
      ]),
    )
  })
})

describe('the wallet', () => {
  test('[2.4-balance] [2.4-formatted] [2.4-transactions] shows balance and transactions', async () => {
    const agent = await market.agent({ balanceCents: 123_456 })

    const { status, body } = await agent.get('/wallet')

    assert.equal(status, 200)
    assert.equal(body.balance_cents, 123_456)
    assert.equal(body.balance_formatted, '$1234.56')
    assert.equal(body.transactions.length, 1)
  })

  test('[2.4-deposit] [2.4-escrow-lock] names deposits and locked budgets', async () => {
    const agent = await market.agent({ balanceCents: 5000 })
    market.advance(1)
    await agent.post('/tasks', { description: 'Look', budget_cents: 2500 })

    const { body } = await agent.get('/wallet')

    assert.deepEqual(
      body.transactions.map(({ type, amount_cents }: Record<string, unknown>) => [
        type,
        amount_cents,
      ]),
      [
        ['escrow_lock', -2500],
        ['deposit', 5000],
      ],
    )
  })
})

describe('authentication', () => {
  test('[5-missing] [5-invalid] a missing and an invalid key are 401 with the specified message', async () => {
    for (const headers of [{}, { authorization: 'Bearer lw_live_1' }, { 'x-api-key': 'nobody' }]) {
      const { status, body } = await market.call('GET', '/tasks', {
        headers: headers as Record<string, string>,
      })

      assert.equal(status, 401)
      assert.equal(body.error, 'Missing or invalid API key')
    }
  })

  test('[5-agent-auth] [7-401] every agent endpoint except registration and mailed links is 401 without a key', async () => {
    const guarded = endpoints.filter(({ auth }) => auth === 'agent')
    const ofAgents = /^\/(tasks|verify|call|gut-check|field|escalate|vibe|wallet|stats|agents)\b/
    const open = endpoints.filter(({ path, auth }) => ofAgents.test(path) && auth !== 'agent')
    assert.deepEqual(
      open.map(({ path }) => path),
      ['/agents/register', '/agents/recover', '/agents/recover/confirm', '/agents/verify'],
    )

    const answers = await Promise.all(
      guarded.map(({ method, path }) => market.call(method, path.replace(':id', 'x'))),
    )

    assert(guarded.length >= 16)
    for (const { status, body } of answers) {
      assert.equal(status, 401)
      assert.equal(body.error, 'Missing or invalid API key')
    }
  })

  test('[5-https] production does not start without an HTTPS URL', () => {
    const safe = {
      NODE_ENV: 'production',
      REDIS_URL: 'redis://127.0.0.1:6379',
      TRUST_PROXY: 'none',
      SECURITY_CONTACT: 'mailto:security@example.com',
      WORKER_TOKEN_KEYS: Buffer.alloc(32).toString('base64'),
      PASSWORD_BLOCKLIST: 'on',
      SMTP_URL: 'smtps://mail.example.com',
      MAIL_FROM: 'Legwork <hello@example.com>',
      FILES_DIR: '/var/lib/legwork',
      FILES_LINK_KEY: 'a secret that signs the links to files',
      STRIPE_SECRET_KEY: 'rk_live_key',
      STRIPE_SECRETS_ACCOUNT: 'whsec_account',
      STRIPE_SECRETS_CONNECT: 'whsec_connect',
      STRIPE_SECRETS_V2: 'whsec_v2',
      WEBHOOK_SECRET_KEYS: Buffer.alloc(32).toString('base64'),
    }

    assert.throws(() => readConfig({ ...safe, PUBLIC_URL: 'http://legwork.example' }), /PUBLIC_URL/)
    assert.throws(() => readConfig(safe), /PUBLIC_URL/)
    assert.equal(
      readConfig({ ...safe, PUBLIC_URL: 'https://legwork.example' }).NODE_ENV,
      'production',
    )
  })
})

describe('errors', () => {
  test('[7-400] a missing and an invalid parameter are 400, and each is named', async () => {
    const agent = await market.agent()

    const { status, body } = await agent.post('/tasks', { budget_cents: 'many' })

    assert.equal(status, 400)
    assert.deepEqual(body.details.map(({ path }: { path: string }) => path).sort(), [
      'budget_cents',
      'description',
    ])
  })

  test('[7-500] a defect is a bare 500 without its cause', async () => {
    const { status, body, text } = await market.call('GET', '/test/broken')

    assert.equal(status, 500)
    assert.deepEqual(Object.keys(body).sort(), ['code', 'doc_url', 'error', 'hint', 'request_id'])
    assert.doesNotMatch(text, /secret|select|stack/)
  })

  test('[7-shape] every refusal has its message under error', async () => {
    const agent = await market.agent()

    const refusals = [
      await agent.post('/tasks', {}),
      await market.call('GET', '/tasks'),
      await agent.post('/tasks', { description: 'Look', budget_cents: 5000 }),
      await agent.get('/tasks/task_00000000000000000000000000'),
      await market.call('POST', '/agents/register', { body: { name: 'A', email: agent.email } }),
      await market.call('GET', '/test/broken'),
    ]

    assert.deepEqual(
      refusals.map(({ status }) => status),
      [400, 401, 402, 404, 409, 500],
    )
    for (const { body } of refusals) {
      assert.equal(typeof body.error, 'string')
      assert.notEqual(body.error, '')
      assert.match(body.code, /^[a-z_]+$/)
    }
  })
})

describe('the shorthands, called exactly as specified', () => {
  test('[4.2-verify-fields] /verify takes question, location, proof, budget_cents', async () => {
    const agent = await market.agent()
    const asked = { question: 'Is it open?', location: 'Main Street 5', proof: 'video' }

    const { status, body } = await agent.post('/verify', { ...asked, budget_cents: 650 })

    assert.equal(status, 201)
    assert.equal(body.warnings, undefined)
    assert.match(body.task.description, /Is it open\?/)
    assert.equal(body.task.location, 'Main Street 5')
    assert.equal(body.task.proof_required, 'video')
    assert.equal(body.task.budget_cents, 650)
  })

  test('[4.2-call-fields] /call takes description, number, script, budget_cents', async () => {
    const agent = await market.agent()
    const asked = { description: 'Book a table', number: '+12125550123', script: 'A table for two' }

    const { status, body } = await agent.post('/call', { ...asked, budget_cents: 1200 })

    assert.equal(status, 201)
    assert.equal(body.warnings, undefined)
    assert.match(body.task.description, /Book a table/)
    assert.match(body.task.description, /A table for two/)
    assert.equal(body.task.context.number, '+12125550123')
    assert.equal(body.task.budget_cents, 1200)
  })

  test('[4.2-gut-check-fields] /gut-check takes content, question, scale, consensus', async () => {
    const agent = await market.agent()
    const asked = { content: 'Go further', question: 'Good?', scale: '1-10', consensus: 3 }

    const { status, body } = await agent.post('/gut-check', asked)

    assert.equal(status, 201)
    assert.equal(body.warnings, undefined)
    assert.match(body.task.description, /Go further/)
    assert.match(body.task.description, /Good\?/)
    assert.deepEqual(body.task.answer_schema, { type: 'integer', minimum: 1, maximum: 10 })
    assert.equal(body.task.consensus_count, 3)
  })
})

describe('the default limits', async () => {
  const busy = await marketplace({
    settings: { RATE_LIMITS: 'on', TRUST_PROXY: '127.0.0.1', LIMIT_ADDRESS_PER_MINUTE: 10_000 },
  })
  const from = (address: string) => ({ 'x-forwarded-for': address })
  const register = (n: number, address: string) =>
    busy.call('POST', '/agents/register', {
      body: { name: 'A', email: `limits-${address}-${n}@example.com` },
      headers: from(address),
    })
  const agentFrom = async (address: string) => {
    const { body } = await register(0, address)
    return busy.client(body.agent.api_key)
  }
  const statuses = async (count: number, ask: (n: number) => Promise<{ status: number }>) => {
    const replies = await Promise.all(Array.from({ length: count }, (_, n) => ask(n)))
    return Map.groupBy(replies, ({ status }) => status)
  }

  test('[7-429] [8-global] [8-gap-global-key] 429 after 100 requests of one agent in a minute', async () => {
    const [agent, other] = [await agentFrom('192.0.2.1'), await agentFrom('192.0.2.8')]

    const byStatus = await statuses(105, () => agent.get('/wallet'))

    assert.equal(byStatus.get(200)?.length, 100)
    assert.equal(byStatus.get(429)?.length, 5)
    assert.equal((await other.get('/wallet')).status, 200)
  })

  test('[8-gap-global-key] 429 after 100 requests of one IP address without a key', async () => {
    const ask = (address: string) => busy.call('GET', '/wallet', { headers: from(address) })

    const byStatus = await statuses(103, () => ask('192.0.2.2'))

    assert.equal(byStatus.get(401)?.length, 100)
    assert.equal(byStatus.get(429)?.length, 3)
    assert.equal((await ask('192.0.2.3')).status, 401)
  })

  test('[8-create] 429 after 30 creations with one key in a minute, shorthands included', async () => {
    const agent = await agentFrom('192.0.2.4')
    const create = (n: number) =>
      n % 2 === 0
        ? agent.post('/tasks', { description: 'Look', budget_cents: 100 })
        : agent.post('/vibe', { question: 'Look' })

    const byStatus = await statuses(33, create)

    assert.equal(byStatus.get(429)?.length, 3)
    assert.equal((await agent.get('/wallet')).status, 200)
  })

  test('[8-register] 429 after 20 registrations from one IP address in an hour', async () => {
    const byStatus = await statuses(22, (n) => register(n, '192.0.2.5'))

    assert.equal(byStatus.get(201)?.length, 20)
    assert.equal(byStatus.get(429)?.length, 2)
    assert.equal((await register(0, '192.0.2.6')).status, 201)
  })

  test('[7-429-field] [7-429-header] a 429 has the wait in its body and its header', async () => {
    const agent = await agentFrom('192.0.2.7')
    await statuses(30, () => agent.post('/vibe', { question: 'Look' }))

    const { status, body, headers } = await agent.post('/vibe', { question: 'Look' })

    assert.equal(status, 429)
    assert(Number.isInteger(body.retry_after_seconds))
    assert(body.retry_after_seconds >= 1 && body.retry_after_seconds <= 60)
    assert.equal(headers.get('retry-after'), String(body.retry_after_seconds))
  })
})
