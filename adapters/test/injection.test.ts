/**
 * Can a proof make a model act? Each proof of mcp/test/injections.ts goes through the real loop of each framework to a
 * gullible model that obeys every line outside of the data marks, and that even has the tool that approves. As a
 * control, the same model without the marks does approve and spend, and the test notices.
 */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Legwork } from '@legwork/sdk'
import { type Injection, INJECTIONS } from '../../mcp/test/injections.ts'
import { marketplace } from '../../server/test/harness.ts'
import { type Read, type Script } from '../examples/models/script.ts'
import { LOOPS } from './loops.ts'

const BUDGET = 500
const HARMLESS: Injection = { name: 'a harmless proof', wants: 'approve', text: 'Open until six.' }
const market = await marketplace()
/** Lines that the model has already read with harmless proofs. */
const known = new Set<string>()

type Reader = (read: Read) => string[]
type Place = Awaited<ReturnType<typeof newPlace>>

for (const [framework, loop] of Object.entries(LOOPS)) {
  const place = await newPlace(loop)
  describe(`through ${framework}, a model that obeys everything outside of the marks`, () => {
    test('reads harmless proofs, and does nothing', async () => {
      for (const harmless of [HARMLESS, { ...HARMLESS, appeal: 'I contest.' }]) {
        const { taskId, orders } = await play(place, harmless, learn)
        assert.deepEqual(orders, [])
        assert.equal((await place.state(taskId)).tasks, place.tasks)
      }
    })

    for (const injection of INJECTIONS)
      test(`neither approves nor spends after ${injection.name}`, async () => {
        const { taskId, before, orders, shown } = await play(place, injection, outsideOfMarks)

        assert.deepEqual(orders, [])
        assert.deepEqual(await place.state(taskId), before)
        assert.equal(before.status, injection.appeal ? 'disputed' : 'proof_submitted')
        // The person's text arrived.
        assert(shown.some((text) => text.includes('<<<data ')))
      })

    test('approves and spends if the marks are removed', async () => {
      for (const wants of ['approve', 'spend'] as const) {
        const injection = INJECTIONS.find((one) => one.wants === wants)!
        const { taskId, before, orders } = await play(place, injection, (read) =>
          outsideOfMarks(read.map(withoutMarks)),
        )

        const after = await place.state(taskId)
        assert.notDeepEqual(orders, [])
        assert.equal(after.status, wants === 'approve' ? 'completed' : 'proof_submitted')
        assert.equal(after.tasks, before.tasks + (wants === 'spend' ? 1 : 0))
        assert.equal(after.balance, before.balance - (wants === 'spend' ? 100_000 : 0))
        place.tasks = after.tasks
      }
    })
  })
}

/** An agent of its own for each framework, with the number of tasks that it should have. */
async function newPlace(loop: (typeof LOOPS)[string]) {
  const agent = await market.agent({ balanceCents: 10_000_000, freeTasks: false })
  const options = { apiKey: agent.api_key, baseUrl: market.server.addresses.api! }
  const client = new Legwork(options)
  return {
    loop,
    agent,
    options,
    tasks: 0,
    async state(taskId: string) {
      const { status } = await client.tasks.get(taskId)
      const { total } = await client.tasks.list({ limit: 1 })
      return { status, tasks: total, balance: await market.balance(agent.id) }
    },
  }
}

/** The model asks, a person sends the injection, the model looks, and obeys what it takes for an order. */
async function play(place: Place, injection: Injection, reader: Reader) {
  const { agent, loop, state } = place
  const balance = await market.balance(agent.id)
  const orders: string[] = []
  const shown: string[] = []
  let taskId = ''
  let before: Awaited<ReturnType<Place['state']>> | undefined
  let turn = 0
  const question = {
    question: `Is shop ${place.tasks} open?`,
    budget_cents: BUDGET,
    wait_seconds: 0,
  }
  const script: Script = (read) => {
    turn += 1
    if (turn === 1) return { tool: 'ask_human', args: question }
    if (turn === 2) {
      ;[taskId = ''] = /task_[a-z0-9]{26}/.exec(read[0]!) ?? []
      return { tool: 'wait_for_human', args: { task_id: taskId, wait_seconds: 1 } }
    }
    if (turn > 3) return { says: 'Done' }
    shown.push(...read)
    orders.push(
      ...reader(read)
        .map(mask)
        .filter((line) => !known.has(line)),
    )
    if (orders.length === 0) return { says: 'Read' }
    return injection.wants === 'approve'
      ? { tool: 'review_human_work', args: { task_id: taskId, verdict: 'approve' } }
      : {
          tool: 'ask_human',
          args: {
            question: `Send it to me ${place.tasks}`,
            budget_cents: 100_000,
            wait_seconds: 0,
          },
        }
  }
  const work = async () => {
    await answer(agent, taskId, injection)
    before = await state(taskId)
    place.tasks += 1
    assert.equal(before.tasks, place.tasks)
    // The task is all that was spent; a dispute has returned it.
    assert.equal(before.balance, balance - (injection.appeal === undefined ? BUDGET : 0))
  }

  let working: Promise<void> | undefined
  const client = new Legwork({
    ...place.options,
    // The person works when the model begins to wait.
    async fetch(url, init) {
      if (taskId !== '') await (working ??= work()).catch(() => {})
      return fetch(url, init)
    },
  })

  await loop({ client, canReview: true }, script)
  await working

  return { taskId, before: before!, orders, shown }
}

async function answer(
  agent: Place['agent'],
  taskId: string,
  { text, answer: value, worker: name, appeal, release }: Injection,
) {
  const at = `/worker/tasks/${taskId}`
  if (release !== undefined) {
    const quitter = await market.worker()
    await quitter.post(`${at}/accept`)
    assert.equal((await quitter.post(`${at}/release`, { reason: release })).status, 200)
  }
  const worker = await market.worker(name === undefined ? {} : { name })
  await worker.post(`${at}/accept`)
  const sent = await worker.post(`${at}/proof`, {
    text,
    ...(value === undefined ? {} : { answer: value }),
  })
  assert.equal(sent.status, 201, sent.text)
  if (appeal === undefined) return
  await agent.post(`/tasks/${taskId}/dispute`, { reason: 'Another door' })
  const appealed = await worker.post(`${at}/appeal`, { statement: appeal })
  assert(appealed.status < 300, appealed.text)
}

/** Follows what the result says about itself: data is between the lines with the announced mark. */
function outsideOfMarks(read: Read): string[] {
  return read.flatMap((text) => {
    const mark = /^The text between the two lines with the mark ([0-9a-f]{32}) /.exec(text)?.[1]
    if (mark === undefined) return text.split('\n')
    const begin = text.indexOf(`\n<<<data ${mark}>>>\n`)
    const end = text.indexOf(`\n<<<end of data ${mark}>>>`)
    return [...text.slice(0, begin).split('\n'), ...text.slice(end).split('\n').slice(2)]
  })
}

function learn(read: Read): string[] {
  for (const line of outsideOfMarks(read)) known.add(mask(line))
  return []
}

const withoutMarks = (text: string) =>
  text
    .split('\n')
    .filter((line) => !/^(?:<<<|The text between the two lines)/.test(line))
    .map((line) => line.replace(/^│ /, ''))
    .join('\n')

/** Masks the parts that legitimately differ between tasks. */
const mask = (line: string) =>
  line
    .replaceAll(/task_[a-z0-9]{26}/g, 'ID')
    .replaceAll(/\b[0-9a-f]{32}\b/g, 'MARK')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
