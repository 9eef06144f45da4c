/**
 * LangGraph: a graph interrupts while a person works, and another process resumes it. Run it again until it says what
 * the person sent. Between the runs nothing has to stay alive.
 */
import { Annotation, Command, END, isInterrupted, START, StateGraph } from '@langchain/langgraph'
import { askNode, HumanState, waitNode } from '@legwork/adapters/langgraph'
import { Legwork } from '@legwork/sdk'
import { FileSaver } from './file-saver.ts'

const client = new Legwork() // LEGWORK_API_KEY
const State = Annotation.Root({ ...HumanState.spec, shop: Annotation<string> })

const graph = new StateGraph(State)
  .addNode(
    'ask',
    askNode<typeof State.State>({
      client,
      question: ({ shop }) => ({ question: `Is the ${shop} open?`, budget_cents: 500 }),
    }),
  )
  .addNode('wait', waitNode({ client }))
  .addEdge(START, 'ask')
  .addEdge('ask', 'wait')
  .addEdge('wait', END)
  .compile({ checkpointer: new FileSaver('checkpoints') })

const config = { configurable: { thread_id: 'bakery' } }
const { tasks } = await graph.getState(config)
const isWaiting = tasks.some(({ interrupts }) => interrupts.length > 0)
// A step without an interrupt was cut off when its process died: without new input, the graph repeats it.
const repeatOrStart = tasks.length > 0 ? null : { shop: 'bakery' }
const state = await graph.invoke(isWaiting ? new Command({ resume: true }) : repeatOrStart, config)

if (isInterrupted(state)) {
  console.log(`waiting for ${state.task_id}`)
  // Here a server would end the request. This example waits to be killed.
  setInterval(() => {}, 60_000)
} else {
  console.log(state.human!.texts.join('\n'))
}
