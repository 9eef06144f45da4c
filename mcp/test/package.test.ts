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

  test('has an entry for the registry that matches the package and what it reads', () => {
    const { name, version, mcpName } = JSON.parse(read('package.json')) as Record<string, string>
    const entry = JSON.parse(read('server.json')) as {
      name: string
      version: string
      description: string
      packages: { identifier: string; version: string; environmentVariables: { name: string }[] }[]
      remotes: { type: string; url: string }[]
    }

    assert.deepEqual([entry.name, entry.version], [mcpName, version])
    assert.match(entry.name, /^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/)
    assert(entry.description.length <= 100)
    assert.deepEqual(
      entry.packages.map((one) => [one.identifier, one.version]),
      [[name, version]],
    )
    const variables = [...read('README.md').matchAll(/^\| `(LEGWORK_\w+)`/gm)].map(([, one]) => one)
    assert.deepEqual(
      entry.packages[0]!.environmentVariables.map((one) => one.name),
      variables,
    )
    assert.deepEqual(
      entry.remotes.map(({ type, url }) => [type, new URL(url).pathname]),
      [['streamable-http', '/mcp']],
    )
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
