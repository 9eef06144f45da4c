/**
 * Legwork for LangGraph. `askHuman` makes tools for a model. `askNode` and `waitNode` make nodes for a graph that waits
 * for people: the first creates a task, the second interrupts with its id, and a later process resumes.
 */
import { tool, type StructuredToolInterface } from '@langchain/core/tools'
import { Annotation, interrupt, type LangGraphRunnableConfig } from '@langchain/langgraph'
import { type HumanResult, openToolbox, type ToolboxOptions } from '@legwork/mcp/tools'

/** For a ToolNode or an agent. Only `canReview` adds the tool that approves and disputes. */
export function askHuman(options: ToolboxOptions): StructuredToolInterface[] {
  return openToolbox(options).map(({ name, description, inputSchema, run }) =>
    tool(
      async (
        args: unknown,
        { toolCall, signal }: LangGraphRunnableConfig & { toolCall?: { id?: string } },
      ) => contentOf(await run(args, { id: toolCall?.id, signal })),
      { name, description, schema: inputSchema },
    ),
  )
}

const contentOf = ({ texts, pictures }: HumanResult) => [
  ...texts.map((text) => ({ type: 'text' as const, text })),
  ...pictures.map(({ mimeType, data }) => ({
    type: 'image_url' as const,
    image_url: { url: `data:${mimeType};base64,${data}` },
  })),
]

/** The part of the state that the nodes use; spread `HumanState.spec` into your own. */
export const HumanState = Annotation.Root({
  /** The open task, from the node that asked. */
  task_id: Annotation<string | undefined>,
  /** The answer of the people, as data, from the node that waited. */
  human: Annotation<HumanResult | undefined>,
})
type State = typeof HumanState.State

/** Arguments of ask_human, except for how long to wait. */
export type Question = { question: string } & Record<string, unknown>

export interface AskNodeOptions<S> extends Omit<ToolboxOptions, 'canReview'> {
  question: (state: S) => Question
}

/**
 * Creates the task. If the process dies before the graph has stored the result, the node runs again from the same
 * checkpoint, with the same key, and finds the same task.
 */
export function askNode<S extends State>({ question, ...options }: AskNodeOptions<S>) {
  const [ask] = openToolbox(options)
  return async (state: S, { configurable = {}, signal }: LangGraphRunnableConfig) => {
    // Names this node in this checkpoint. It ends with a UUID, so its end is enough.
    const request_key = String(configurable.checkpoint_ns).slice(-200)
    const asked = { request_key, ...question(state), wait_seconds: 0 }
    const { texts, task } = await ask!.run(asked, { signal })
    if (task === undefined) throw new Error(texts.join('\n'))
    return { task_id: task.id, human: undefined }
  }
}

/** Interrupts with the id of the task until there is something to review, then stores it as `human`. */
export function waitNode<S extends State>(options: Omit<ToolboxOptions, 'canReview' | 'sim'>) {
  const [, wait] = openToolbox(options)
  return async ({ task_id }: S, { signal }: LangGraphRunnableConfig) => {
    for (;;) {
      const human = await wait!.run({ task_id, wait_seconds: 0 }, { signal })
      if (human.task === undefined) throw new Error(human.texts.join('\n'))
      if (!['pending', 'in_progress'].includes(human.task.status)) return { human }
      interrupt({ task_id, status: human.task.status })
    }
  }
}
