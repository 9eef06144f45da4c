/** A chat model of LangChain that follows a script. In your program: `new ChatOpenAI(…)`, `new ChatAnthropic(…)`, … */
import { BaseChatModel } from '@langchain/core/language_models/chat_models'
import { AIMessage, type BaseMessage, ToolMessage } from '@langchain/core/messages'
import type { Read, Script } from './script.ts'

export class ScriptedModel extends BaseChatModel {
  readonly #script: Script
  #calls = 0

  constructor(script: Script) {
    super({})
    this.#script = script
  }

  override _llmType(): string {
    return 'scripted'
  }

  /** The script knows the tools. */
  override bindTools(): this {
    return this
  }

  override async _generate(messages: BaseMessage[]) {
    const step = this.#script(lastResultIn(messages))
    this.#calls += 1
    const message =
      'says' in step
        ? new AIMessage(step.says)
        : new AIMessage({
            content: '',
            tool_calls: [{ id: `call-${this.#calls}`, name: step.tool, args: step.args }],
          })
    return { generations: [{ text: message.text, message }] }
  }
}

function lastResultIn(messages: BaseMessage[]): Read {
  const last = messages.at(-1)
  if (!ToolMessage.isInstance(last)) return []
  if (typeof last.content === 'string') return [last.content]
  return last.content.flatMap((part) =>
    part.type === 'text' && typeof part.text === 'string' ? [part.text] : [],
  )
}
