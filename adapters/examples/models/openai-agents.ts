/** A model of the OpenAI Agents SDK that follows a script. In your program, leave it out or name a model. */
import { type Model, type ModelRequest, Usage } from '@openai/agents'
import type { Read, Script } from './script.ts'

export function scriptedModel(script: Script): Model {
  let calls = 0
  return {
    async getResponse({ input }) {
      const step = script(lastResultIn(input))
      calls += 1
      return {
        usage: new Usage(),
        output: [
          'says' in step
            ? {
                type: 'message',
                role: 'assistant',
                status: 'completed',
                content: [{ type: 'output_text', text: step.says }],
              }
            : {
                type: 'function_call',
                callId: `call-${calls}`,
                name: step.tool,
                arguments: JSON.stringify(step.args),
                status: 'completed',
              },
        ],
      }
    },
    getStreamedResponse() {
      throw new Error('The scripted model does not stream')
    },
  }
}

function lastResultIn(input: ModelRequest['input']): Read {
  const last = typeof input === 'string' ? undefined : input.at(-1)
  if (last?.type !== 'function_call_result') return []
  const { output } = last
  if (typeof output === 'string') return [output]
  return (Array.isArray(output) ? output : [output]).flatMap((part) =>
    'text' in part && typeof part.text === 'string' ? [part.text] : [],
  )
}
