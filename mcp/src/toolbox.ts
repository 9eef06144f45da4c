/**
 * The tools without the protocol, for agent frameworks that have a tool interface of their own: the same names, texts,
 * schemas and refusals, and the same marks around what people send.
 *
 * Only ask_human spends, and only the budget of the task that it creates. The tool that approves and disputes is left
 * out unless the program asks for it.
 */
import type { Legwork, TaskDetail, TaskStatus } from '@legwork/sdk'
import type { CallToolResult } from '@modelcontextprotocol/server'
import { z } from 'zod'
import { consoleUrlOf } from './console-url.ts'
import { createOnce } from './creation.ts'
import { DEFECT } from './defect.ts'
import { showTask } from './outcome.ts'
import type { TestInput } from './question.ts'
import { explain } from './refusals.ts'
import { inOneVocabulary } from './task-types.ts'
import { type AnyTool, type Caller, refuse } from './tool.ts'
import { askHuman } from './tools/ask-human.ts'
import { reviewHumanWork } from './tools/review-human-work.ts'
import { waitForHuman } from './tools/wait-for-human.ts'
import { waitForPeople } from './waiting.ts'

export interface ToolboxOptions {
  client: Legwork
  /** Adds review_human_work, which pays people or refunds you. Default: false, so that your program decides. */
  canReview?: boolean | undefined
  /** The scripted worker that answers in test mode, such as `happy` or `injection`. */
  sim?: string | undefined
  /** Called with unexpected errors, which the model does not see. */
  onDefect?: ((error: unknown) => void) | undefined
}

/** The result of a tool. All fields are plain data, so a framework can store them. */
export interface HumanResult {
  /**
   * The texts for the model. The first is ours; what people sent is in the second, between marks that say that it is
   * data.
   */
  texts: string[]
  /** Photos, as Base64. Words in a picture are data too. */
  pictures: { mimeType: string; data: string }[]
  /** The call was refused; the text says why and what to do. */
  isError: boolean
  task?: { id: string; status: TaskStatus }
}

export interface HumanTool {
  name: string
  title: string
  description: string
  /** The JSON Schema of the arguments. */
  inputSchema: { type: 'object'; properties: Record<string, object>; required: string[] }
  run(args: unknown, call?: Call): Promise<HumanResult>
}

export interface Call {
  /** The framework's id of the tool call. A repeated call with the same id is one task. */
  id?: string | undefined
  signal?: AbortSignal | undefined
}

/** ask_human, wait_for_human and, if the program wants it, review_human_work. */
export function openToolbox(options: ToolboxOptions): HumanTool[] {
  return [
    toolOf(askHuman, options, async (args: z.output<typeof TestInput>, caller) => {
      const { wait_seconds, ...question } = args
      const made = await createOnce({ ...question, sim: options.sim }, caller)
      if ('refusal' in made) return resultOf(made.refusal)
      return shown(await waitForPeople(caller, made.task.id, wait_seconds), caller)
    }),
    toolOf(
      waitForHuman,
      options,
      async ({ task_id, wait_seconds }: z.output<typeof waitForHuman.input>, caller) =>
        shown(await waitForPeople(caller, task_id, wait_seconds), caller),
    ),
    ...(options.canReview
      ? [
          toolOf(
            reviewHumanWork,
            options,
            async (args: z.output<typeof reviewHumanWork.input>, caller) =>
              resultOf(await reviewHumanWork.run(args, caller)),
          ),
        ]
      : []),
  ]
}

function toolOf<Args>(
  { name, title, description, input }: AnyTool,
  { client, onDefect }: ToolboxOptions,
  run: (args: Args, caller: Caller) => Promise<HumanResult>,
): HumanTool {
  const consoleUrl = consoleUrlOf(client.baseUrl)
  return {
    name,
    title,
    description,
    inputSchema: schemaOf(input),
    async run(given, { id, signal = new AbortController().signal } = {}) {
      const args = input.strict().safeParse(inOneVocabulary(given))
      if (!args.success)
        return resultOf(refuse(`Invalid arguments. ${z.prettifyError(args.error)}`))
      const tell = () => Promise.resolve()
      const caller = { legwork: client, consoleUrl, signal, stopping: undefined, tell, callKey: id }
      try {
        return await run(args.data as Args, caller)
      } catch (error) {
        const { task_id: taskId } = args.data as { task_id?: string }
        const refusal = explain(error, { consoleUrl, taskId })
        // A caller that has gone needs no report.
        if (refusal === undefined && !signal.aborted) onDefect?.(error)
        return resultOf(refusal ?? refuse(DEFECT))
      }
    },
  }
}

async function shown(task: TaskDetail, caller: Caller): Promise<HumanResult> {
  const { id, status } = task
  return { ...resultOf(await showTask(caller, task)), task: { id, status } }
}

function resultOf({ content, isError = false }: CallToolResult): HumanResult {
  return {
    texts: content.flatMap((block) => {
      if (block.type === 'text') return [block.text]
      return block.type === 'resource_link' ? [`${block.name}: ${block.uri}`] : []
    }),
    pictures: content.flatMap((block) =>
      block.type === 'image' ? [{ mimeType: block.mimeType, data: block.data }] : [],
    ),
    isError,
  }
}

function schemaOf(input: z.ZodObject): HumanTool['inputSchema'] {
  const { properties = {}, required = [] } = z.toJSONSchema(input, { io: 'input' })
  return { type: 'object', properties: properties as Record<string, object>, required }
}
