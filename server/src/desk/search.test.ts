import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { signIn } from '../../test/desk/sign-in.ts'
import { sha256 } from '../kit/secrets.ts'
import { marketplace } from '../../test/harness.ts'
import { PASSWORD } from '../../test/people.ts'

const market = await marketplace({ roles: ['api', 'desk'], processor: true })
const operator = await signIn(market, 'viewer')

interface Hit {
  id: string
  kind: string
  title: string
  why: string
}

async function hitsOf(text: string): Promise<Hit[]> {
  const { status, body, text: said } = await operator.get(`/search?q=${encodeURIComponent(text)}`)
  assert.equal(status, 200, said)
  return body.hits
}

const found = (hits: Hit[]) => hits.map(({ id, why }) => [id, why])

const agent = await market.agent({ name: 'Quokka Surveys' })
await market.deposit(agent, 5000)
const worker = await market.worker({ name: 'Zora Quill' })

describe('GET /search', () => {
  test('finds a record by its id, and what an id belongs to', async () => {
    const { id, workers } = await market.taskIn(agent, 'proof_submitted')
    const [assignment] = await market.asOwner('select id from assignments where task_id = $1', [id])
    const [key] = await market.asOwner('select id from api_keys where agent_id = $1', [agent.id])

    assert.deepEqual(found(await hitsOf(id)), [[id, 'id']])
    assert.deepEqual(found(await hitsOf(` ${worker.id} `)), [[worker.id, 'id']])
    assert.deepEqual(found(await hitsOf(String(assignment!.id))), [[id, 'id of its assignments']])
    assert.deepEqual(found(await hitsOf(String(key!.id))), [[agent.id, 'id of its api keys']])
    assert.deepEqual(found(await hitsOf(operator.id)), [[operator.id, 'id']])
    assert.equal((await operator.get(`/objects/${operator.id}`)).body.object.kind, 'operator')
    assert.deepEqual(
      await hitsOf(workers[0]!.id.replace(/.$/, (last) => (last === 'z' ? 'y' : 'z'))),
      [],
    )
  })

  test('finds people by email and name, and masks the email', async () => {
    const byEmail = await hitsOf(worker.email.toUpperCase())
    const [{ email }] = (await market.asOwner('select email from agents where id = $1', [
      agent.id,
    ])) as [{ email: string }]
    const ofAgent = await hitsOf(email)

    assert.deepEqual(byEmail, [
      { id: worker.id, kind: 'worker', title: 'w…@example.com', why: 'email' },
    ])
    assert.deepEqual(found(ofAgent), [[agent.id, 'email']])
    assert.deepEqual(found(await hitsOf('zora q')), [[worker.id, 'name']])
    assert((await hitsOf('QUOKKA')).some(({ id }) => id === agent.id))
    assert.deepEqual(await hitsOf('ora q'), [])
    assert.deepEqual(await hitsOf('%'), [])
  })

  test('finds a deposit by each reference of the processor', async () => {
    const [deposit] = await market.asOwner(
      `select id, session_id, payment_intent_id, charge_id, balance_transaction_id
         from deposits where agent_id = $1`,
      [agent.id],
    )
    const { id, ...references } = deposit as Record<string, string>

    assert.equal(Object.values(references).filter(Boolean).length, 4)
    for (const reference of Object.values(references))
      assert.equal((await hitsOf(reference!))[0]?.id, id, reference)
  })

  test('finds a task by the number to call, however it is written', async () => {
    const reply = await agent.post('/call', {
      number: '+1 415 555 2671',
      script: 'Ask when they open.',
    })
    assert.equal(reply.status, 201, reply.text)

    const hits = await hitsOf('+1 (415) 555-2671')

    assert.deepEqual(found(hits), [[reply.body.task.id, 'phone']])
    assert(!hits[0]!.title.includes('555'))
  })

  test('finds the tasks and workers of a photo by its hash', async () => {
    const { id, workers } = await market.taskIn(agent, 'proof_submitted', {
      proof_required: 'photo',
    })
    const [photo] = await market.asOwner(
      `select sha256, dhash from files where task_id = $1 and status = 'ready'`,
      [id],
    )

    const hits = await hitsOf(String(photo!.sha256))

    assert(hits.some((hit) => hit.id === id && hit.why === 'photo hash'))
    assert(hits.some((hit) => hit.id === workers[0]!.id))
  })

  test('finds the agent of a pasted API key, or of its hash, and logs neither', async () => {
    const searcher = await signIn(market, 'viewer')
    const ask = async (text: string) => (await searcher.get(`/search?q=${text}`)).body.hits as Hit[]

    assert.deepEqual(found(await ask(agent.api_key)), [[agent.id, 'API key']])
    assert.deepEqual(found(await ask(sha256(agent.api_key))), [[agent.id, 'API key']])
    const rows = await market.asOwner(
      'select subject, detail from audit_log where operator_id = $1 order by seq',
      [searcher.id],
    )
    assert.deepEqual(
      rows.map(({ subject }) => subject),
      ['search', 'search'],
    )
    assert(!JSON.stringify(rows).includes(agent.api_key.slice(8, 30)))
  })

  test('finds sessions, events and proofs, and opens their pages', async () => {
    const scene = await market.taskIn(agent, 'proof_submitted', { budget_cents: 500 })
    await market.work()
    const credentials = { email: scene.workers[0]!.email, password: PASSWORD }
    await market.call('POST', '/worker/login', { body: credentials })
    const [session] = await market.asOwner(
      'select id from worker_sessions where worker_id = $1 limit 1',
      [scene.workers[0]!.id],
    )
    const [event] = await market.asOwner('select id from events where task_id = $1 limit 1', [
      scene.id,
    ])
    const [proof] = await market.asOwner('select id from proofs where task_id = $1', [scene.id])
    for (const [what, id, page] of [
      ['session', session?.id, scene.workers[0]!.id],
      ['event', event?.id, `event_${String(event?.id)}`],
      ['proof', proof?.id, scene.id],
    ] as const) {
      if (id === undefined) assert.fail(`no ${what}`)
      const [hit] = await hitsOf(String(id))
      assert.equal(hit?.id, page, what)
      assert.equal((await operator.get(`/objects/${hit.id}`)).status, 200, what)
    }
  })

  test('says what to try when an id has no page', async () => {
    const hintOf = async (text: string) => (await operator.get(`/search?q=${text}`)).body.hint

    assert.match(await hintOf('req_01m7h4xk1pfkx909107ks5ks0a'), /logs of the server/)
    assert.match(await hintOf('dlv_01m7h4xk1pfkx909107ks5ks0a'), /page of its event/)
    assert.match(await hintOf('task_01m7h4xk1pfkx909107ks5ks0a'), /retention period/)
    assert.equal(await hintOf(agent.id), null)
    assert.equal(await hintOf('nobody'), null)
  })

  test('logs who searched, without words that may be personal', async () => {
    const searcher = await signIn(market, 'viewer')
    await searcher.get(`/search?q=${encodeURIComponent(worker.email)}`)
    await searcher.get(`/search?q=${agent.id}`)

    const rows = await market.asOwner(
      'select action, subject, detail from audit_log where operator_id = $1 order by seq',
      [searcher.id],
    )

    assert.deepEqual(rows, [
      { action: 'search', subject: 'search', detail: '{"kind":"email","hits":1}' },
      { action: 'search', subject: agent.id, detail: '{"kind":"id","hits":1}' },
    ])
  })
})
