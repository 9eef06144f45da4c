/** The official client, for both protocol eras and both transports, with what tests need to read from a result. */
import assert from 'node:assert/strict'
import path from 'node:path'
import {
  Client,
  type ClientOptions,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import type { Structured } from '../src/answers.ts'
import type { Marketplace } from '../../server/test/harness.ts'
import { atEnd } from '../../server/test/hooks.ts'

export type Era = '2026-07-28' | '2025'
export const ERAS: Era[] = ['2026-07-28', '2025']

const MAIN = path.join(import.meta.dirname, '../src/main.ts')

/** Closed after the file's tests. */
export async function openClient(
  market: Marketplace,
  apiKey: string,
  {
    era = '2026-07-28',
    over = 'http',
    url = market.server.addresses.api!,
    ...options
  }: { era?: Era; over?: 'http' | 'stdio'; url?: string } & ClientOptions = {},
) {
  const client = new Client(
    { name: 'test', version: '1' },
    {
      ...options,
      ...(era === '2025' ? {} : { versionNegotiation: { mode: { pin: era } } }),
    },
  )
  await client.connect(
    over === 'http'
      ? new StreamableHTTPClientTransport(new URL('/mcp', url), {
          requestInit: { headers: { authorization: `Bearer ${apiKey}` } },
        })
      : new StdioClientTransport({
          command: process.execPath,
          args: [MAIN],
          env: { PATH: process.env.PATH!, LEGWORK_API_KEY: apiKey, LEGWORK_URL: url },
        }),
  )
  atEnd(() => client.close())

  return {
    client,
    /** The text of a tool result, and all of its blocks. */
    async call(name: string, args: Record<string, unknown> = {}, request: CallOptions = {}) {
      const result = await client.callTool({ name, arguments: args }, request)
      const blocks = result.content
      const texts = blocks.flatMap((block) => (block.type === 'text' ? [block.text] : []))
      const structured = result.structuredContent as Structured | undefined
      return { isError: result.isError ?? false, text: texts.join('\n'), texts, blocks, structured }
    },
  }
}

type CallOptions = NonNullable<Parameters<Client['callTool']>[1]>
export type TestClient = Awaited<ReturnType<typeof openClient>>

export function taskIdIn(text: string): string {
  const [id] = /task_[a-z0-9]{26}/.exec(text) ?? []
  assert(id, text)
  return id
}
