/** LangGraph: an agent asks a person and reads the answer; the program decides whether to pay. */
import { askHuman } from '@legwork/adapters/langgraph'
import { Legwork } from '@legwork/sdk'
import { agentGraph } from './agent-graph.ts'
import { ScriptedModel } from './models/langchain.ts'
import { askAndWait } from './models/script.ts'

const client = new Legwork() // LEGWORK_API_KEY
const question = { question: 'Is the bakery open?', where: '52.52, 13.405' }
const agent = agentGraph(new ScriptedModel(askAndWait(question)), askHuman({ client }))
const { messages } = await agent.invoke({ messages: 'Is the bakery open?' })
console.log(messages.at(-1)!.text)

// Your program approves, not the model.
const { tasks } = await client.tasks.list({ status: 'proof_submitted' })
for (const { id } of tasks) {
  const { settlement } = await client.tasks.approve(id)
  console.log(`${id}: paid ${settlement.gross_cents} cents`)
}
