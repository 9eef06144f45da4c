/** A tool as data: its name and words for the model, what it takes, and what it does with one client of the API. */
import type { Legwork } from '@legwork/sdk'
import type { CallToolResult, ToolAnnotations } from '@modelcontextprotocol/server'
import type { z } from 'zod'

/** Whoever calls a tool: their client of the API, and what is known of how they wait. */
export interface Caller {
  legwork: Legwork
  /** The pages for the person behind the agent. */
  consoleUrl: string
  /** Aborted when nobody waits for the answer any more. */
  signal: AbortSignal
  /** Aborted when this server stops: whoever waits is told how to go on. */
  stopping: AbortSignal | undefined
  /** Tells who waits how far it is; nothing where that was not asked for. */
  tell(progress: { passed: number; of: number; message: string }): Promise<void>
}

export interface Tool<Input extends z.ZodObject = z.ZodObject> {
  name: string
  title: string
  description: string
  input: Input
  annotations: ToolAnnotations
  run(input: z.output<Input>, caller: Caller): Promise<CallToolResult>
}

/** Infers what `run` is given from the schema beside it. */
export function tool<Input extends z.ZodObject>(declaration: Tool<Input>): Tool<Input> {
  return declaration
}

// A tool of any kind: its own types were checked where it was declared.
// oxlint-disable-next-line typescript/no-explicit-any
export type AnyTool = Tool<any>

export const say = (...lines: string[]): CallToolResult => ({
  content: [{ type: 'text', text: lines.join('\n') }],
})

/** An outcome that the model can act on: what happened, and what to do next. */
export const refuse = (text: string): CallToolResult => ({
  content: [{ type: 'text', text }],
  isError: true,
})
