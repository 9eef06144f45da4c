/** Legwork's tools for the OpenAI Agents SDK: `new Agent({ tools: askHuman({ client }), … })`. */
import { type HumanResult, openToolbox, type ToolboxOptions } from '@legwork/mcp/tools'
import { type Tool, tool } from '@openai/agents'

/** Only `canReview` adds the tool that approves and disputes. */
export function askHuman(options: ToolboxOptions): Tool[] {
  return openToolbox(options).map(({ name, description, inputSchema, run }) =>
    tool({
      name,
      description,
      // Strict schemas have no optional arguments. `run` checks the arguments, and refuses unknown ones.
      strict: false,
      parameters: { ...inputSchema, additionalProperties: true },
      execute: async (args, _context, details) =>
        outputOf(await run(args, { id: details?.toolCall?.callId, signal: details?.signal })),
    }),
  )
}

const outputOf = ({ texts, pictures }: HumanResult) => [
  ...texts.map((text) => ({ type: 'text' as const, text })),
  ...pictures.map(({ mimeType: mediaType, data }) => ({
    type: 'image' as const,
    image: { data, mediaType },
  })),
]
