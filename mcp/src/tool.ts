/** Defines a tool as data: its name and description for the model, its input, and what it does with an API client. */
import type { Legwork } from '@legwork/sdk'
import type { CallToolResult, ToolAnnotations } from '@modelcontextprotocol/server'
import type { z } from 'zod'

/** The caller of a tool: their API client, and how they wait. */
export interface Caller {
  legwork: Legwork
  /** Base URL of the pages for the person behind the agent. */
  consoleUrl: string
  /** Aborted when the caller no longer waits for the response. */
  signal: AbortSignal
  /** Aborted when this server stops; callers that wait are then told how to continue. */
  stopping: AbortSignal | undefined
  /** Reports progress to the caller; does nothing if the caller didn't ask for it. */
  tell(progress: { passed: number; of: number; message: string }): Promise<void>
  /** Names this call. If a framework repeats the call, it has the same name, and no second task is created. */
  callKey?: string | undefined
}

export interface Tool<Input extends z.ZodObject = z.ZodObject> {
  name: string
  title: string
  description: string
  input: Input
  /** The structured content of a result that is no error. */
  output?: z.ZodObject
  annotations: ToolAnnotations
  run(input: z.output<Input>, caller: Caller): Promise<CallToolResult>
}

/** Infers the type of `run`'s input from the schema. */
export function tool<Input extends z.ZodObject>(declaration: Tool<Input>): Tool<Input> {
  return declaration
}

// Each tool's own types were checked where it was declared.
// oxlint-disable-next-line typescript/no-explicit-any
export type AnyTool = Tool<any>

export const say = (...lines: string[]): CallToolResult => ({
  content: [{ type: 'text', text: lines.join('\n') }],
})

/** An error result that the model can act on: what happened, and what to do next. */
export const refuse = (text: string): CallToolResult => ({
  content: [{ type: 'text', text }],
  isError: true,
})
