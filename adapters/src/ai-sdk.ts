/** Legwork's tools for the Vercel AI SDK: `generateText({ model, tools: askHuman({ client }), … })`. */
import { type HumanResult, openToolbox, type ToolboxOptions } from '@legwork/mcp/tools'
import { jsonSchema, tool, type Tool } from 'ai'

/** The tools by name. Only `canReview` adds the one that approves and disputes. */
export function askHuman(options: ToolboxOptions): Record<string, Tool<unknown, HumanResult>> {
  return Object.fromEntries(
    openToolbox(options).map(({ name, description, inputSchema, run }) => [
      name,
      tool({
        description,
        inputSchema: jsonSchema<unknown>(inputSchema),
        execute: (args, { toolCallId, abortSignal }) =>
          run(args, { id: toolCallId, signal: abortSignal }),
        toModelOutput: ({ output }: { output: HumanResult }) => modelOutputOf(output),
      }),
    ]),
  )
}

function modelOutputOf({ texts, pictures, isError }: HumanResult) {
  if (isError) return { type: 'error-text' as const, value: texts.join('\n\n') }
  return {
    type: 'content' as const,
    value: [
      ...texts.map((text) => ({ type: 'text' as const, text })),
      ...pictures.map(({ mimeType, data }) => ({
        type: 'file' as const,
        mediaType: mimeType,
        data: { type: 'data' as const, data },
      })),
    ],
  }
}
