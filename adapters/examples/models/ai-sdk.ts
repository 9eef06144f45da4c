/** A model of the AI SDK that follows a script. In your program: `openai('…')`, `anthropic('…')`, … */
import type { LanguageModelV4 } from '@ai-sdk/provider'
import { MockLanguageModelV4 } from 'ai/test'
import type { Read, Script } from './script.ts'

type Prompt = Parameters<LanguageModelV4['doGenerate']>[0]['prompt']

export function scriptedModel(script: Script): MockLanguageModelV4 {
  let calls = 0
  return new MockLanguageModelV4({
    async doGenerate({ prompt }) {
      const step = script(lastResultIn(prompt))
      calls += 1
      return {
        content:
          'says' in step
            ? [{ type: 'text', text: step.says }]
            : [
                {
                  type: 'tool-call',
                  toolCallId: `call-${calls}`,
                  toolName: step.tool,
                  input: JSON.stringify(step.args),
                },
              ],
        finishReason: { unified: 'says' in step ? 'stop' : 'tool-calls', raw: undefined },
        usage: {
          inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
          outputTokens: { total: 1, text: 1, reasoning: 0 },
        },
        warnings: [],
      }
    },
  })
}

function lastResultIn(prompt: Prompt): Read {
  const last = prompt.at(-1)
  if (last?.role !== 'tool') return []
  return last.content.flatMap((part) => {
    if (part.type !== 'tool-result') return []
    const { output } = part
    if (output.type === 'content')
      return output.value.flatMap((one) => (one.type === 'text' ? [one.text] : []))
    return output.type === 'text' || output.type === 'error-text' ? [output.value] : []
  })
}
