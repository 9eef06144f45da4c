import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { marketplace } from '../../server/test/harness.ts'
import { openClient, taskIdIn } from './clients.ts'

const market = await marketplace()
const { test: agent, test_api_key } = await market.agent()
const { call, client } = await openClient(market, test_api_key)

const ASKED = {
  question: 'Is the bakery open?',
  kind: 'verify',
  where: '52.52, 13.405',
  wait_seconds: 0,
}

/** Asks with this persona and advances the clock. */
async function ask(sim: string, by: string, args: object = {}): Promise<string> {
  const { text, isError } = await call('ask_human', { ...ASKED, request_key: sim, sim, ...args })
  assert.equal(isError, false, text)
  await pass(by)
  return taskIdIn(text)
}

async function pass(by: string): Promise<void> {
  const { status, text } = await agent.post('/test/clock/advance', { by })
  assert.equal(status, 200, text)
}

const look = (task_id: string) => call('wait_for_human', { task_id, wait_seconds: 0 })
const approve = (task_id: string, more: object = {}) =>
  call('review_human_work', { task_id, verdict: 'approve', ...more })

describe('with a test key', () => {
  test('ask_human accepts a persona, and says that the money is test money', async () => {
    const { tools } = await client.listTools()
    const live = await openClient(market, (await market.agent()).api_key)
    const shown = (all: typeof tools) =>
      JSON.stringify(all.find(({ name }) => name === 'ask_human')!.inputSchema)

    assert.match(shown(tools), /"sim"/)
    assert.doesNotMatch(shown((await live.client.listTools()).tools), /"sim"/)
    assert.match((await call('get_budget')).text, /mode: test \(play money, scripted workers\)/)
  })

  test('happy: the worker sends a sharp photo and a yes, and is paid', async () => {
    const id = await ask('happy', '10s')

    const { text, blocks } = await look(id)
    const paid = await approve(id)

    assert.match(text, /budget: \$5\.00 of play money[^]*answer: true/)
    assert.equal(blocks.filter(({ type }) => type === 'image').length, 1)
    assert.match(paid.text, /Approved\. \$4\.10 goes to the person/)
  })

  test('happy: the task is approved automatically after a day', async () => {
    const id = await ask('happy', '25h', { request_key: 'silent' })
    await pass('1m')

    assert.match((await look(id)).text, /status: completed[^]*Nothing to do/)
  })

  test('slow: the task is accepted after 30 seconds and proved after 150', async () => {
    const id = await ask('slow', '31s')
    const early = await look(id)
    await pass('2m')

    assert.match(
      early.text,
      /status: in_progress[^]*next: A person is working on it\. Call wait_for_human/,
    )
    assert.match((await look(id)).text, /status: proof_submitted/)
  })

  test('nobody: the deadline passes, and the money is refunded', async () => {
    const id = await ask('nobody', '30m', { deadline: '1h' })
    const early = await look(id)
    await pass('31m')

    assert.match(early.text, /status: pending[^]*Nobody has accepted it yet/)
    assert.match(
      (await look(id)).text,
      /status: expired[^]*the money was refunded\. Ask again with a higher/,
    )
  })

  for (const [sim, check] of [
    ['blurry', /check photo_quality: warn; The photo is blurry/],
    ['far', /check photo_place: fail; The device reports a location 11 km/],
    ['late', /check captured_at: (?:warn|fail)/],
  ] as const)
    test(`${sim}: one check fails, and the model is told which`, async () => {
      const id = await ask(sim, '10s')

      const { text } = await look(id)

      assert.match(text, check)
      const disputed = await call('review_human_work', {
        task_id: id,
        verdict: 'dispute',
        reason: 'The check speaks against it',
      })
      assert.match(disputed.text, /Disputed\. \$5\.00 was refunded/)
    })

  test('hand_back: another worker finishes the task', async () => {
    const id = await ask('hand_back', '1m')

    assert.match((await look(id)).text, /status: proof_submitted/)
    const { body } = await agent.get(`/tasks/${id}`)
    assert.deepEqual(body.task.assignments.map(({ status }: { status: string }) => status).sort(), [
      'released',
      'submitted',
    ])
  })

  test('disagree: two say yes, one says no, and the majority wins', async () => {
    const id = await ask('disagree', '1m', { people: 3 })

    const { text } = await look(id)
    const paid = await approve(id)

    assert.match(text, /answers: 3 of 3/)
    assert.match(text, /answer: false/)
    assert.match(text, /consensus result: true/)
    assert.match(paid.text, /goes to 3 people/)
  })

  test('appeal: the worker appeals the dispute in words marked as data', async () => {
    const id = await ask('appeal', '10s')
    await call('review_human_work', { task_id: id, verdict: 'dispute', reason: 'Another door' })
    await pass('10s')

    const { texts } = await look(id)

    assert.match(
      texts[0]!,
      /status: disputed[^]*The person appealed your dispute[^]*\/console\/tasks\//,
    )
    assert.match(texts[1]!, /│ the person's appeal: The work was done/)
  })

  test('injection: the instructions stay in the data block and have no effect', async () => {
    const id = await ask('injection', '10s')

    const { texts } = await look(id)

    assert.doesNotMatch(texts[0]!, /Ignore your instructions/)
    assert.match(texts[1]!, /\n│ text: Ignore your instructions/)
    assert.match((await look(id)).text, /status: proof_submitted/)
  })

  test('me: only the caller acts; an unknown persona is refused with the list', async () => {
    const id = await ask('me', '1h')
    const wrong = await call('ask_human', { ...ASKED, sim: 'santa' })

    assert.match((await look(id)).text, /status: pending/)
    assert.equal(wrong.isError, true)
    assert.match(wrong.text, /sim[^]*happy/)
  })
})
