/**
 * Roles of people × every operation that the console can call. The table is written by hand: whoever adds an endpoint
 * for keys decides here which roles may call it. The test sends every cell to the server, in live and in test mode.
 */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { endpoints } from '../src/endpoints.ts'
import { type AnyEndpoint, type Mode, takesKey } from '../src/kit/endpoint.ts'
import { mintId } from '../src/kit/ids.ts'
import { PERSON_ROLES, type PersonRole } from '../src/kit/person-roles.ts'
import { marketplace } from './harness.ts'
import { requestFor } from './requests.ts'
import { member, sessionOf } from './team.ts'

/** The letters of the roles that may: owner, developer, reviewer, finance. `D` is a developer in test mode only. */
const TABLE: Record<string, string> = {
  'POST /tasks': 'od--',
  'GET /tasks': 'odrf',
  'GET /tasks/:id': 'odrf',
  'GET /tasks/:id/proof': 'odr-',
  'POST /tasks/:id/approve': 'oDr-',
  'POST /tasks/:id/dispute': 'oDr-',
  'POST /tasks/:id/dispute/withdraw': 'oDr-',
  'POST /tasks/:id/dispute/answer': 'oDr-',
  'POST /tasks/:id/request-revision': 'oDr-',
  'POST /tasks/:id/cancel': 'oDr-',
  'POST /tasks/:id/payout': 'oDr-',
  'POST /verify': 'od--',
  'POST /call': 'od--',
  'POST /gut-check': 'od--',
  'POST /field': 'od--',
  'POST /escalate': 'od--',
  'POST /vibe': 'od--',
  'GET /wallet': 'od-f',
  'POST /wallet/deposit': 'oD-f',
  'GET /stats': 'odrf',
  'GET /stats/spend': 'odrf',
  'GET /quote': 'odrf',
  'POST /agents/register': 'od--',
  'POST /agents/verify/resend': 'od--',
  'GET /agents/keys': 'od--',
  'POST /agents/keys': 'od--',
  'PATCH /agents/keys/:id': 'od--',
  'POST /agents/keys/:id/rotate': 'od--',
  'DELETE /agents/keys/:id': 'od--',
  'GET /agents/connections': 'od--',
  'DELETE /agents/connections/:id': 'od--',
  'GET /console/connect': 'od--',
  'POST /console/connect': 'od--',
  'POST /agents/questions': 'odrf',
  'GET /agents/questions': 'odrf',
  'GET /agents/questions/:id': 'odrf',
  'POST /agents/questions/:id/replies': 'odrf',
  'POST /agents/questions/:id/close': 'odrf',
  'GET /agents/me': 'odrf',
  'PATCH /agents/me': 'od--',
  'GET /agents/me/checklist': 'odrf',
  'GET /requests': 'od--',
  'GET /requests/:id': 'od--',
  'GET /events': 'odr-',
  'POST /events/:id/redeliver': 'od--',
  'POST /events/replay': 'od--',
  'GET /webhooks/deliveries': 'od--',
  'POST /webhooks/ping': 'od--',
  'POST /webhooks/rotate-secret': 'od--',
  'GET /console/session': 'odrf',
  'PATCH /console/session': 'odrf',
  'DELETE /console/session': 'odrf',
  'POST /test/clock/advance': 'od--',
  'GET /test/clock': 'odrf',
  'POST /test/workers': 'od--',
  'GET /console/people': 'odrf',
  'POST /console/people': 'o---',
  'PATCH /console/people/:id': 'o---',
  'DELETE /console/people/:id': 'o---',
  'DELETE /console/people/me': 'odrf',
  'GET /console/actions': 'odrf',
}

const market = await marketplace({ settings: { LOG_LEVEL: 'silent' } })
const nameOf = ({ method, path }: AnyEndpoint) => `${String(method)} ${path}`
const callable = endpoints.filter(takesKey)

function isDeclared(operation: string, role: PersonRole, mode: Mode): boolean {
  const letter = TABLE[operation]![PERSON_ROLES.indexOf(role)]!
  return letter === role[0] || (mode === 'test' && letter === role[0]!.toUpperCase())
}

/** An agent with an owner, so that other owners can leave, and its ids by mode. */
const agent = await market.agent({ balanceCents: 1_000_000 })
await member(market, agent, 'owner')
const [row] = await market.asOwner('select twin_id from agents where id = $1', [agent.id])
const AGENT_IDS = { live: agent.id, test: row!.twin_id as string }

/** Whether the server admits the call of a new person: it may still refuse the object, the mode or the body. */
async function isAdmitted(endpoint: AnyEndpoint, role: PersonRole, mode: Mode): Promise<boolean> {
  const person = await member(market, agent, role)
  const cookie = await sessionOf(market, { id: person.id, agentId: AGENT_IDS[mode] })
  const id = mintId(endpoint.path.includes('keys') ? 'key' : 'task', market.now(), 1)
  const { path, body } = requestFor(market, endpoint, id)
  const { status, body: reply } = await market.call(String(endpoint.method), path, {
    ...(body === undefined ? {} : { body }),
    headers: { cookie, origin: person.origin },
  })
  const got = `${nameOf(endpoint)} ${role}: ${status} ${JSON.stringify(reply)}`
  assert(status !== 401 && (status < 500 || reply.code === 'payments_unavailable'), got)
  assert.notEqual(reply?.code, 'key_scope', got)
  if (reply?.code !== 'role_not_allowed') return true
  assert.deepEqual([status, reply.role], [403, role], got)
  return false
}

describe('roles', () => {
  test('every operation that accepts a key or a person has a row, and no other has', () => {
    assert.deepEqual(Object.keys(TABLE).sort(), callable.map(nameOf).sort())
  })

  test('each role may call exactly what the table declares, in live and in test mode', async (t) => {
    const wrong: string[] = []
    let cells = 0
    for (const endpoint of callable) {
      const operation = nameOf(endpoint)
      const row = await Promise.all(
        (['live', 'test'] as const).map(async (mode) => {
          const letters = await Promise.all(
            PERSON_ROLES.map(async (role) => {
              const admitted = await isAdmitted(endpoint, role, mode)
              cells += 1
              if (admitted !== isDeclared(operation, role, mode))
                wrong.push(`${role} ${operation} in ${mode} mode: ${admitted ? 'may' : 'may not'}`)
              return admitted ? role[0] : '-'
            }),
          )
          return letters.join('')
        }),
      )
      t.diagnostic(`${row.join('  ')}  ${operation}`)
    }
    const percent = (100 * (cells - wrong.length)) / cells
    t.diagnostic(`${cells} cells, ${percent} % as declared`)

    assert.deepEqual(wrong, [])
    assert.equal(cells, callable.length * PERSON_ROLES.length * 2)
  })
})

describe('what follows from a role', () => {
  test('finance sees a task without its proofs, a reviewer sees them', async () => {
    const agent = await market.agent({ balanceCents: 10_000 })
    const { id } = await market.taskIn(agent, 'proof_submitted')
    const [finance, reviewer] = [
      await member(market, agent, 'finance'),
      await member(market, agent, 'reviewer'),
    ]

    const [without, withProofs] = [
      await finance.get(`/tasks/${id}`),
      await reviewer.get(`/tasks/${id}`),
    ]

    assert.deepEqual([without.status, withProofs.status], [200, 200])
    assert.deepEqual(without.body.task.proofs, [])
    assert.equal(withProofs.body.task.proofs.length, 1)
    assert.equal((await finance.get(`/tasks/${id}/proof`)).body.code, 'role_not_allowed')
  })

  test('a reviewer approves a task, and a developer creates one that is paid from the wallet', async () => {
    const agent = await market.agent({ balanceCents: 10_000, freeTasks: false })
    const { id } = await market.taskIn(agent, 'proof_submitted')
    const balance = await market.balance(agent.id)
    const [developer, reviewer] = [
      await member(market, agent, 'developer'),
      await member(market, agent, 'reviewer'),
    ]

    const approved = await reviewer.post(`/tasks/${id}/approve`)
    const made = await developer.post('/tasks', { description: 'Look', budget_cents: 700 })

    assert.equal(approved.status, 200, approved.text)
    assert.equal(made.status, 201, made.text)
    assert.equal(await market.balance(agent.id), balance - 700)
  })

  test('no key that a developer makes, changes or rotates allows more than the role', async () => {
    const agent = await market.agent()
    const developer = await member(market, agent, 'developer')
    const { body: list } = await agent.get('/agents/keys')
    const whole = list.keys[0].id as string

    const made = await developer.post('/agents/keys', { name: 'bot' })
    const wider = await developer.post('/agents/keys', { name: 'x', scopes: ['manage'] })
    const seen = await developer.get('/agents/keys')
    const rotated = await developer.post(`/agents/keys/${whole}/rotate`)
    const deleted = await developer.delete(`/agents/keys/${whole}`)
    const capped = await developer.patch(`/agents/keys/${whole}`, { day_max_cents: 1 })
    const own = await developer.post(`/agents/keys/${made.body.key.id}/rotate`)

    assert.equal(made.status, 201, made.text)
    assert.deepEqual(made.body.key.scopes, ['create', 'read'])
    assert.equal(wider.status, 400)
    assert.deepEqual(
      seen.body.keys.map(({ id }: { id: string }) => id),
      [made.body.key.id],
    )
    for (const { status, body } of [rotated, deleted, capped])
      assert.deepEqual([status, body.code], [404, 'key_not_found'])
    assert.equal(own.status, 201, own.text)
    assert.equal((await agent.get('/agents/me')).status, 200)
  })

  test('an owner makes keys with all scopes; GET /agents/me shows the role as a key', async () => {
    const agent = await market.agent()
    const owner = await member(market, agent, 'owner')
    const finance = await member(market, agent, 'finance')

    const made = await owner.post('/agents/keys', { name: 'bot' })

    assert.equal(made.status, 201, made.text)
    assert.equal(
      (await market.client(made.body.key.api_key).get('/webhooks/deliveries')).status,
      200,
    )
    assert.deepEqual((await finance.get('/agents/me')).body.key.scopes, ['read'])
    assert.deepEqual((await finance.get('/console/session')).body.person.rights, [
      'read',
      'wallet',
      'deposit',
      'support',
    ])
  })

  test('two people with the same Idempotency-Key have separate effects', async () => {
    const agent = await market.agent({ balanceCents: 10_000 })
    const [one, two] = [await member(market, agent, 'owner'), await member(market, agent, 'owner')]
    const body = { description: 'Look', budget_cents: 700 }
    const headers = { 'idempotency-key': 'order-1' }

    const made = [await one.post('/tasks', body, headers), await two.post('/tasks', body, headers)]

    assert.deepEqual(
      made.map(({ status }) => status),
      [201, 201],
    )
    assert.notEqual(made[0]!.body.task.id, made[1]!.body.task.id)
  })
})
