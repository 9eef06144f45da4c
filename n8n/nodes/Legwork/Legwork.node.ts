import { createHash } from 'node:crypto'
import {
  type IDataObject,
  type IExecuteFunctions,
  type IHttpRequestMethods,
  type INodeExecutionData,
  type INodeType,
  type INodeTypeDescription,
  type JsonObject,
  NodeApiError,
  NodeConnectionTypes,
} from 'n8n-workflow'
import { PROPERTIES } from './properties.ts'
import { type TaskDetail, viewOf } from './sent.ts'

export class Legwork implements INodeType {
  description: INodeTypeDescription = {
    displayName: 'Legwork',
    name: 'legwork',
    icon: {
      light: 'file:../../icons/legwork.light.svg',
      dark: 'file:../../icons/legwork.dark.svg',
    },
    group: ['transform'],
    version: 1,
    subtitle: '={{$parameter["operation"]}}',
    description: 'Ask people to check, fetch, call and judge things',
    defaults: { name: 'Legwork' },
    inputs: [NodeConnectionTypes.Main],
    outputs: [NodeConnectionTypes.Main],
    usableAsTool: true,
    credentials: [{ name: 'legworkApi', required: true }],
    properties: PROPERTIES,
  }

  async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
    const done: INodeExecutionData[] = []
    for (const i of this.getInputData().keys()) {
      try {
        done.push({ json: await run(this, i), pairedItem: { item: i } })
      } catch (error) {
        if (!this.continueOnFail()) throw new NodeApiError(this.getNode(), error as JsonObject)
        done.push({ json: { error: (error as Error).message }, pairedItem: { item: i } })
      }
    }
    return [done]
  }
}

async function run(node: IExecuteFunctions, i: number): Promise<IDataObject> {
  const parameter = (name: string) => node.getNodeParameter(name, i) as string
  const task = `/tasks/${encodeURIComponent(node.getNodeParameter('taskId', i, '') as string)}`
  switch (parameter('operation')) {
    case 'get': {
      const waits = { media: 'url', wait: parameter('waitSeconds') }
      return viewOf(((await call(node, 'GET', task, { qs: waits })) as { task: TaskDetail }).task)
    }
    case 'approve': {
      const { settlement } = await call(node, 'POST', `${task}/approve`, { body: {} })
      return { task_id: parameter('taskId'), settlement }
    }
    case 'dispute': {
      const body = { reason: parameter('reason') }
      const { refunded_cents } = await call(node, 'POST', `${task}/dispute`, { body })
      return { task_id: parameter('taskId'), refunded_cents }
    }
    default:
      return ask(node, i)
  }
}

interface Options extends IDataObject {
  requestKey?: string
  context?: string
}

async function ask(node: IExecuteFunctions, i: number): Promise<IDataObject> {
  const { requestKey, context, ...options } = node.getNodeParameter('options', i, {}) as Options
  const { id, name } = node.getNode()
  // In a loop, the same node runs several times in one execution.
  const run = node.evaluateExpression('{{ $runIndex }}', i)
  const key = requestKey || JSON.stringify([node.getExecutionId(), id || name, run, i])
  const response = await call(node, 'POST', '/tasks', {
    headers: { 'idempotency-key': `n8n-${sha256(key)}` },
    body: {
      ...options,
      ...(context ? { context: JSON.parse(context) as IDataObject } : {}),
      description: node.getNodeParameter('question', i),
      budget_cents: node.getNodeParameter('budgetCents', i),
    },
  })
  const { id: task_id, status } = response.task as IDataObject
  return { task_id, status }
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

async function call(
  node: IExecuteFunctions,
  method: IHttpRequestMethods,
  path: string,
  options: { qs?: IDataObject; body?: IDataObject; headers?: IDataObject },
): Promise<IDataObject> {
  const { baseUrl } = await node.getCredentials<{ baseUrl: string }>('legworkApi')
  return (await node.helpers.httpRequestWithAuthentication.call(node, 'legworkApi', {
    method,
    url: `${baseUrl}${path}`,
    json: true,
    ...options,
  })) as IDataObject
}
