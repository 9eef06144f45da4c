/** MCP resources: a task by id, and the guide to asking well. */
import {
  type McpServer,
  type ReadResourceResult,
  ResourceTemplate,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { ASKING_WELL } from './guide.ts'
import { showTask } from './outcome.ts'
import { explain } from './refusals.ts'
import type { Caller } from './tool.ts'

const LISTED_MAX = 20

export function registerResources(
  server: McpServer,
  callerOf: (context: ServerContext) => Caller,
): void {
  server.registerResource(
    'asking-well',
    'human-guide://asking-well',
    {
      title: 'How to ask people well',
      description: 'How to write a question that a stranger can answer, with examples',
      mimeType: 'text/markdown',
    },
    (uri) => ({ contents: [{ uri: uri.href, mimeType: 'text/markdown', text: ASKING_WELL }] }),
  )
  server.registerResource(
    'human-task',
    new ResourceTemplate('human-task://{id}', {
      async list(context) {
        const { legwork, signal } = callerOf(context)
        const { tasks } = await legwork.tasks.list({ limit: LISTED_MAX }, { signal })
        const resources = tasks.map(({ id, status }) => ({
          uri: `human-task://${id}`,
          name: id,
          description: status,
          mimeType: 'text/plain',
        }))
        return { resources }
      },
    }),
    {
      title: 'A task',
      description: 'Its status, what people sent (as data), and what to do next',
      mimeType: 'text/plain',
    },
    async (uri, { id }, context) => {
      const caller = callerOf(context)
      const taskId = String(id)
      const { content } = await caller.legwork.tasks
        .get(taskId, {}, { signal: caller.signal })
        .then((task) => showTask(caller, task))
        .catch((error: unknown) => {
          const refusal = explain(error, { consoleUrl: caller.consoleUrl, taskId })
          if (refusal === undefined) throw error
          return refusal
        })
      return {
        contents: content.flatMap((block): ReadResourceResult['contents'] => {
          if (block.type === 'text')
            return [{ uri: uri.href, mimeType: 'text/plain', text: block.text }]
          if (block.type === 'image')
            return [{ uri: uri.href, mimeType: block.mimeType, blob: block.data }]
          return []
        }),
      }
    },
  )
}
