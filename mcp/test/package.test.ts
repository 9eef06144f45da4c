import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, test } from 'node:test'
import { Client, InMemoryTransport } from '@modelcontextprotocol/client'
import { type McpOptions, openMcp } from '../src/server.ts'
import { VERSION } from '../src/version.ts'

const read = (name: string) => readFileSync(path.join(import.meta.dirname, '..', name), 'utf8')

async function connected(options: McpOptions) {
  const [here, there] = InMemoryTransport.createLinkedPair()
  const client = new Client({ name: 'test', version: '1' })
  await openMcp(options).connect(there)
  await client.connect(here)
  return client
}

describe('the package', () => {
  test('reports its own version', () => {
    assert.equal((JSON.parse(read('package.json')) as { version: string }).version, VERSION)
  })

  test('has a README that names all of its tools, resources and prompts', async () => {
    const client = await connected({})

    const { tools } = await client.listTools()
    const { resourceTemplates } = await client.listResourceTemplates()
    const { prompts } = await client.listPrompts()
    await client.close()

    const page = read('README.md')
    const names = [
      ...tools.map(({ name }) => name),
      ...resourceTemplates.map(({ uriTemplate }) => uriTemplate),
      ...prompts.map(({ name }) => name),
    ]
    assert.equal(names.length, 6 + 1 + 3)
    for (const name of names) assert(page.includes(`\`${name}\``), name)
  })

  test('hides internal errors from the model and reports them to its operator', async () => {
    const defects: unknown[] = []
    const client = await connected({
      apiKey: 'lw_test_none',
      fetch: () => Promise.resolve(Response.json({})),
      onDefect: (error) => defects.push(error),
    })

    const { isError, content } = await client.callTool({ name: 'get_budget', arguments: {} })
    await client.close()

    assert.equal(isError, true)
    assert.match(JSON.stringify(content), /Something went wrong on our side/)
    assert.doesNotMatch(JSON.stringify(content), /undefined/)
    assert(defects[0] instanceof TypeError)
  })
})
