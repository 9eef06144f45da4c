/** The loop of each framework, with a scripted model and the adapter's tools. */
import { askHuman as forAiSdk } from '@legwork/adapters/ai-sdk'
import { askHuman as forLangGraph } from '@legwork/adapters/langgraph'
import { askHuman as forOpenAi } from '@legwork/adapters/openai-agents'
import type { ToolboxOptions } from '@legwork/mcp/tools'
import { Agent, Runner } from '@openai/agents'
import { generateText, isStepCount } from 'ai'
import { agentGraph } from '../examples/agent-graph.ts'
import { scriptedModel as aiSdkModel } from '../examples/models/ai-sdk.ts'
import { ScriptedModel } from '../examples/models/langchain.ts'
import { scriptedModel as openAiModel } from '../examples/models/openai-agents.ts'
import type { Script } from '../examples/models/script.ts'

const PROMPT = 'Find out whether it is open.'
const STEPS_MAX = 12

/** Runs the loop until the model stops calling tools. */
export const LOOPS: Record<string, (options: ToolboxOptions, script: Script) => Promise<unknown>> =
  {
    'AI SDK': (options, script) =>
      generateText({
        model: aiSdkModel(script),
        tools: forAiSdk(options),
        stopWhen: isStepCount(STEPS_MAX),
        prompt: PROMPT,
      }),
    'OpenAI Agents': (options, script) =>
      new Runner({ tracingDisabled: true }).run(
        new Agent({ name: 'Test', model: openAiModel(script), tools: forOpenAi(options) }),
        PROMPT,
        { maxTurns: STEPS_MAX },
      ),
    LangGraph: (options, script) =>
      agentGraph(new ScriptedModel(script), forLangGraph(options)).invoke({
        messages: PROMPT,
      }),
  }
