/** The AI SDK: a model asks a person and reads the answer; the program decides whether to pay. */
import { askHuman } from '@legwork/adapters/ai-sdk'
import { Legwork } from '@legwork/sdk'
import { generateText, isStepCount } from 'ai'
import { scriptedModel } from './models/ai-sdk.ts'
import { askAndWait } from './models/script.ts'

const client = new Legwork() // LEGWORK_API_KEY
const { text, steps } = await generateText({
  model: scriptedModel(askAndWait({ question: 'Is the bakery open?', where: '52.52, 13.405' })),
  tools: askHuman({ client }),
  stopWhen: isStepCount(20),
  prompt: 'Find out whether the bakery is open.',
})
console.log(text)

// Your program approves, not the model.
const last = steps.flatMap(({ toolResults }) => toolResults).at(-1)
const { task } = last!.output as { task: { id: string } }
const { settlement } = await client.tasks.approve(task.id)
console.log(`${task.id}: paid ${settlement.gross_cents} cents`)
