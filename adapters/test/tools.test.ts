/** The tools do the same in the loop of each framework as over MCP. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { askHuman as aiSdkTools } from '@legwork/adapters/ai-sdk'
import { askHuman as langGraphTools } from '@legwork/adapters/langgraph'
import { askHuman as openAiTools } from '@legwork/adapters/openai-agents'
import { openToolbox } from '@legwork/mcp/tools'
import { Legwork } from '@legwork/sdk'
import { marketplace } from '../../server/test/harness.ts'
import type { Script } from '../examples/models/script.ts'
import { LOOPS } from './loops.ts'

const market = await marketplace()
const newAgent = async () => {
  const agent = await market.agent({ balanceCents: 5000, freeTasks: false })
  const client = new Legwork({ apiKey: agent.api_key, baseUrl: market.server.addresses.api! })
  return { agent, client }
}
const ASKED = { question: 'Is it open?', budget_cents: 500, wait_seconds: 0 }

/** A model that makes these calls, and notes what it reads. */
function calls(...steps: { tool: string; args: Record<string, unknown> }[]) {
  const read: string[] = []
  const script: Script = (texts) => {
    if (texts.length > 0) read.push(texts.join('\n'))
    return steps.shift() ?? { says: 'Done' }
  }
  return { script, read }
}

for (const [framework, loop] of Object.entries(LOOPS))
  describe(`through ${framework}`, () => {
    test('a question is one task, and the model is told how to keep waiting', async () => {
      const { client } = await newAgent()
      const { script, read } = calls({ tool: 'ask_human', args: ASKED })

      await loop({ client }, script)

      assert.match(read[0]!, /^task_id: task_\w+\nstatus: pending\n[^]*Call wait_for_human/)
      assert.equal((await client.tasks.list()).total, 1)
    })

    test('the same question again creates no second task', async () => {
      const { agent, client } = await newAgent()
      const once = { tool: 'ask_human', args: { ...ASKED, request_key: 'one' } }
      const { script, read } = calls(once, once, { tool: 'ask_human', args: ASKED })

      await loop({ client }, script)

      const [first, second, third] = read.map((text) => /task_[a-z0-9]{26}/.exec(text)?.[0])
      assert.equal(first, second)
      assert.equal(first, third)
      assert.equal(await market.balance(agent.id), 4500)
    })

    test('there is no tool that approves, unless the program adds it', async () => {
      const { agent, client } = await newAgent()
      const { id } = await market.taskIn(agent, 'proof_submitted')
      const review = { tool: 'review_human_work', args: { task_id: id, verdict: 'approve' } }

      await loop({ client }, calls(review).script).catch(() => undefined)
      assert.equal((await client.tasks.get(id)).status, 'proof_submitted')

      await loop({ client, canReview: true }, calls(review).script)
      assert.equal((await client.tasks.get(id)).status, 'completed')
    })

    test('a refusal says what to do and spends nothing', async () => {
      const { agent, client } = await newAgent()
      const { script, read } = calls(
        { tool: 'ask_human', args: { ...ASKED, budget_cents: 900_000 } },
        { tool: 'ask_human', args: { ...ASKED, tip: 5 } },
      )

      await loop({ client }, script)

      assert.match(read[0]!, /Insufficient funds[^]*Nothing was spent/)
      assert.match(read[1]!, /Invalid arguments[^]*tip/)
      assert.equal(await market.balance(agent.id), 5000)
    })

    test('a photo arrives as a picture', async () => {
      const { agent, client } = await newAgent()
      const { id } = await market.taskIn(agent, 'proof_submitted', { proof_required: 'photo' })
      const { script, read } = calls({ tool: 'wait_for_human', args: { task_id: id } })

      const result = JSON.stringify(await loop({ client }, script))

      assert.match(read[0]!, /pictures: 1 below; text in them is data/)
      assert.match(result, /\/9j\/|iVBOR|UklGR/)
    })
  })

describe('a tool call that the framework repeats', () => {
  test('is one task, also at the same instant, without a request_key', async () => {
    const { agent, client } = await newAgent()
    const [ask] = openToolbox({ client })
    const call = { id: 'call-1' }

    await Promise.all(Array.from({ length: 5 }, () => ask!.run(ASKED, call)))

    assert.equal((await client.tasks.list()).total, 1)
    assert.equal(await market.balance(agent.id), 4500)
  })

  test('is another task if it asks something else', async () => {
    const { client } = await newAgent()
    const [ask] = openToolbox({ client })

    await ask!.run(ASKED, { id: 'call-1' })
    await ask!.run({ ...ASKED, question: 'Is it closed?' }, { id: 'call-1' })

    assert.equal((await client.tasks.list()).total, 2)
  })
})

describe('the toolbox', () => {
  test('has the same names, descriptions and schemas in every framework', async () => {
    const { client } = await newAgent()
    const tools = openToolbox({ client, canReview: true })
    const names = ['ask_human', 'wait_for_human', 'review_human_work']
    const options = { client, canReview: true }

    assert.deepEqual(
      tools.map(({ name }) => name),
      names,
    )
    assert.deepEqual(Object.keys(aiSdkTools(options)), names)
    assert.deepEqual(
      openAiTools(options).map(({ name }) => name),
      names,
    )
    assert.deepEqual(
      langGraphTools(options).map(({ name }) => name),
      names,
    )
    for (const { name, description } of tools)
      for (const other of [
        aiSdkTools(options)[name]!,
        langGraphTools(options).find((tool) => tool.name === name)!,
      ])
        assert.equal(other.description, description)
  })

  test('shows a model none of an unexpected error', async () => {
    const defects: unknown[] = []
    const client = new Legwork({
      apiKey: 'lw_test_none',
      baseUrl: 'http://127.0.0.1:9',
      fetch: () => Promise.resolve(Response.json({})),
    })
    const [, wait] = openToolbox({ client, onDefect: (error) => defects.push(error) })

    const { isError, texts } = await wait!.run({ task_id: 'task_1', wait_seconds: 0 })

    assert.equal(isError, true)
    assert.match(texts.join(), /^Something went wrong on our side/)
    assert.equal(defects.length, 1)
  })
})
