/** The OpenAI Agents SDK: an agent asks a person and reads the answer; the program decides whether to pay. */
import { askHuman } from '@legwork/adapters/openai-agents'
import { Legwork } from '@legwork/sdk'
import { Agent, Runner } from '@openai/agents'
import { scriptedModel } from './models/openai-agents.ts'
import { askAndWait } from './models/script.ts'

const client = new Legwork() // LEGWORK_API_KEY
const agent = new Agent({
  name: 'Scout',
  instructions: 'Find out what the user wants to know. Ask a person if nobody else can know it.',
  model: scriptedModel(askAndWait({ question: 'Is the bakery open?', where: '52.52, 13.405' })),
  tools: askHuman({ client }),
})
// By default, the SDK sends traces to OpenAI. They contain the answers of workers.
const runner = new Runner({ tracingDisabled: true })
const { finalOutput } = await runner.run(agent, 'Is the bakery open?', { maxTurns: 20 })
console.log(finalOutput)

// Your program approves, not the model.
const { tasks } = await client.tasks.list({ status: 'proof_submitted' })
for (const { id } of tasks) {
  const { settlement } = await client.tasks.approve(id)
  console.log(`${id}: paid ${settlement.gross_cents} cents`)
}
