import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { marketplace } from '../../test/harness.ts'
import { POLICY_VERSION } from './policy.ts'
import { screen } from './screen.ts'

const market = await marketplace()

describe('screening a new task', () => {
  const body = {
    description: 'Wait for the SMS with the verification code and send it to us',
    budget_cents: 2500,
  }

  test('403 for a task that breaks the policy; no money moves, and a retry gets the same answer', async () => {
    const agent = await market.agent({ balanceCents: 5000, freeTasks: false })
    const key = { 'idempotency-key': 'order-1' }

    const refused = await agent.post('/tasks', body, key)
    const again = await agent.post('/tasks', body, key)

    assert.equal(refused.status, 403)
    const { code, rule, section, policy_version, policy_url, contest } = refused.body
    assert.deepEqual(
      { code, rule, section, policy_version },
      {
        code: 'task_refused',
        rule: 'codes_passed_on',
        section: 'one-time-codes',
        policy_version: POLICY_VERSION,
      },
    )
    assert.match(policy_url, /\/docs\/what-may-be-asked#one-time-codes$/)
    assert.match(contest, /POST \/api\/v1\/agents\/questions/)
    assert.equal(again.text, refused.text)
    assert.equal(await market.balance(agent.id), 5000)
    assert.deepEqual((await agent.get('/tasks')).body.tasks, [])
  })

  test('403 wherever the text is: context, checklist, person, criteria, answer schema', async () => {
    const agent = await market.agent({ balanceCents: 50_000, freeTasks: false })
    const says = 'Read us the verification code that she gets'
    const place = 'Moorweg 12, Wedel'

    for (const [path, fields] of [
      ['/tasks', { description: 'Look', budget_cents: 500, context: { a: [{ b: says }] } }],
      ['/field', { mission: 'Look', location: place, checklist: ['The door', says] }],
      ['/escalate', { situation: 'She waits', person: { name: 'Ann', contact: says } }],
      ['/call', { number: '+14155550101', script: says }],
      ['/verify', { question: 'Open?', criteria: [{ id: 'a', text: says }] }],
      ['/vibe', { question: says, url: 'https://example.com' }],
      [
        '/gut-check',
        {
          question: 'Which?',
          answer_schema: { type: 'string', description: says, enum: ['a', 'b'] },
        },
      ],
    ] as const) {
      const { status, body: answer, text } = await agent.post(path, fields)
      assert.deepEqual([status, answer.code], [403, 'task_refused'], `${path}: ${text}`)
    }
    assert.equal(await market.balance(agent.id), 50_000)
  })

  test('403 in test mode, too', async () => {
    const agent = await market.agent()

    const { status, body: answer } = await agent.test.post('/tasks', body)

    assert.deepEqual([status, answer.code], [403, 'task_refused'])
  })

  test('reads 16 kB in little time, whatever the text', (t) => {
    const rest = { title: null, location: null, criteria: null, answer_schema: null }
    const texts = [
      'the code that ',
      'رمز التحقق ',
      'Überwachungskamera ',
      'send us the verification ',
      'a',
    ].map((part) => part.repeat(Math.ceil(16_384 / Buffer.byteLength(part))))
    const times: number[] = []
    for (let round = 0; round < 400; round += 1) {
      const description = texts[round % texts.length]!
      const start = performance.now()
      screen({ ...rest, description, context: {} })
      times.push(performance.now() - start)
    }

    const [median, p99] = [0.5, 0.99].map((part) =>
      times.sort((a, b) => a - b)[Math.floor(times.length * part)]!.toFixed(3),
    )
    t.diagnostic(`screening 16 kB takes ${median} ms, p99 ${p99} ms`)
    // Far above what an idle machine takes: a busy one must not fail the check.
    assert(Number(median) < 10)
  })
})
