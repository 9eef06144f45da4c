/**
 * The packed node, loaded as n8n loads it, runs in a small host that gives it parameters and makes its HTTP calls to a
 * real server. Each
 * proof of mcp/test/injections.ts comes back as marked data, and nothing but the workflow's own steps moves money.
 */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import os from 'node:os'
import path from 'node:path'
import { describe, test } from 'node:test'
import { ESLint } from 'eslint'
import type { IDataObject, IExecuteFunctions, IHttpRequestOptions } from 'n8n-workflow'
import { INJECTIONS } from '../../mcp/test/injections.ts'
import { marketplace } from '../../server/test/harness.ts'
import { packN8n } from '../../scripts/pack-n8n.ts'
import type { Legwork } from '../nodes/Legwork/Legwork.node.ts'

const FOLDER = path.join(import.meta.dirname, '..')
const market = await marketplace()
const agent = await market.agent({ balanceCents: 1_000_000, freeTasks: false })
let executions = 0

const out = mkdtempSync(path.join(os.tmpdir(), 'legwork-n8n-'))
execFileSync('tar', ['-xzf', await packN8n({ out }), '-C', out])
const packed = path.join(out, 'package')
symlinkSync(path.join(FOLDER, 'node_modules'), path.join(packed, 'node_modules'))
const require = createRequire(path.join(packed, 'package.json'))
const manifest = require('./package.json') as {
  dependencies?: object
  n8n: { nodes: string[]; credentials: string[] }
}
const load = <Exports>(file: string) => require(`./${file}`) as Exports
const Node = load<{ Legwork: typeof Legwork }>(manifest.n8n.nodes[0]!).Legwork

/** The results of the operations. */
interface Shown {
  task_id: string
  status: string
  has_proof: boolean
  sent: string
  refunded_cents: number
  error: string
}

/** Runs the node once, with these parameters, and returns its output. */
async function execute(
  parameters: IDataObject,
  { execution = String((executions += 1)), run = 0, continues = false } = {},
): Promise<Shown> {
  const host = {
    getInputData: () => [{ json: {} }],
    getNode: () => ({ id: 'node-1', name: 'Legwork', type: 'legwork', typeVersion: 1 }),
    getExecutionId: () => execution,
    evaluateExpression: () => run,
    continueOnFail: () => continues,
    getNodeParameter: (name: string, _: number, fallback: unknown) => parameters[name] ?? fallback,
    getCredentials: () => Promise.resolve({ baseUrl: market.server.addresses.api! }),
    helpers: {
      async httpRequestWithAuthentication(_: string, options: IHttpRequestOptions) {
        const url = new URL(options.url)
        for (const [name, value] of Object.entries((options.qs ?? {}) as Record<string, string>))
          url.searchParams.set(name, value)
        const response = await fetch(url, {
          method: options.method!,
          headers: {
            ...(options.headers as Record<string, string>),
            authorization: `Bearer ${agent.api_key}`,
            'content-type': 'application/json',
          },
          ...(options.body ? { body: JSON.stringify(options.body) } : {}),
        })
        const body = (await response.json()) as IDataObject
        if (!response.ok) throw new Error(`${response.status} ${JSON.stringify(body)}`)
        return body
      },
    },
  }
  const [items] = await new Node().execute.call(host as unknown as IExecuteFunctions)
  return items![0]!.json as IDataObject & Shown
}

const ask = (question: string, more?: Parameters<typeof execute>[1]) =>
  execute({ operation: 'ask', question, budgetCents: 500 }, more)
const get = (taskId: string) => execute({ operation: 'get', taskId, waitSeconds: 0 })

async function state(taskId: string) {
  const { body } = await agent.get(`/tasks/${taskId}`)
  const { body: all } = await agent.get('/tasks?limit=1')
  const balance = await market.balance(agent.id)
  return { status: body.task.status as string, tasks: all.total as number, balance }
}

describe('the n8n node', () => {
  test('asks, returns the proof, and pays only when the workflow approves', async () => {
    const before = await market.balance(agent.id)
    const { task_id } = await ask('Is it open?')
    await answer(task_id, { text: 'Open until six.' })

    const shown = await get(task_id)
    assert.deepEqual([shown.status, shown.has_proof], ['proof_submitted', true])
    assert.match(shown.sent, /<<<data \w+>>>[^]*│ text: Open until six\./)
    assert.equal(await market.balance(agent.id), before - 500)

    await execute({ operation: 'approve', taskId: task_id })
    assert.equal((await get(task_id)).status, 'completed')
  })

  test('disputes, and returns the refund', async () => {
    const { task_id } = await ask('Is it shut?')
    await answer(task_id, { text: 'No idea' })

    const { refunded_cents } = await execute({
      operation: 'dispute',
      taskId: task_id,
      reason: 'Another door',
    })

    assert.equal(refunded_cents, 500)
  })

  test('creates one task if n8n retries the node, and another in the next run or execution', async () => {
    const [first, again] = [
      await ask('Retry?', { execution: 'a' }),
      await ask('Retry?', { execution: 'a' }),
    ]
    const looped = await ask('Retry?', { execution: 'a', run: 1 })
    const other = await ask('Retry?', { execution: 'b' })

    assert.equal(first.task_id, again.task_id)
    assert.equal(new Set([first, looped, other].map(({ task_id }) => task_id)).size, 3)
  })

  test('stops at a refusal, or returns it if the workflow continues on failure', async () => {
    const wrong = { operation: 'ask', question: '', budgetCents: 500 }

    await assert.rejects(execute(wrong), { name: 'NodeApiError' })
    assert.match((await execute(wrong, { continues: true })).error, /400/)
  })

  for (const injection of INJECTIONS)
    test(`keeps ${injection.name} inside of the marks, and moves no money`, async () => {
      const { task_id: taskId } = await ask('Is it open?')
      await answer(taskId, injection)
      const before = await state(taskId)

      const { sent, ...ours } = await get(taskId)

      assert.deepEqual(await state(taskId), before)
      assert.equal(before.status, injection.appeal ? 'disputed' : 'proof_submitted')
      assert.deepEqual(ours, { task_id: taskId, status: before.status, has_proof: true, files: [] })
      const [head, begin, ...lines] = sent.split('\n')
      const [, mark] = /^The text between the two lines with the mark ([0-9a-f]{32}) /.exec(head!)!
      assert.equal(begin, `<<<data ${mark}>>>`)
      assert.equal(lines.pop(), `<<<end of data ${mark}>>>`)
      assert(lines.every((line) => line.startsWith('│ ')))
    })

  test('is packed with its icons, without dependencies and without paths of this machine', () => {
    const { LegworkApi } = load<{
      LegworkApi: new () => { icon: { light: string; dark: string } }
    }>(manifest.n8n.credentials[0]!)
    const icons = [
      new LegworkApi().icon,
      new Node().description.icon as { light: string; dark: string },
    ]

    assert.equal(manifest.dependencies, undefined)
    for (const [i, file] of [...manifest.n8n.credentials, ...manifest.n8n.nodes].entries()) {
      const text = readFileSync(path.join(packed, file), 'utf8')
      const imports = [...text.matchAll(/\brequire\(["']([^"']+)["']\)/g)].map((match) => match[1])
      assert.deepEqual(
        [...new Set(imports)].filter((name) => !['n8n-workflow', 'node:crypto'].includes(name!)),
        [],
        file,
      )
      assert(!text.includes(path.dirname(FOLDER)), `${file} names a path`)
      for (const icon of Object.values(icons[i]!))
        assert(existsSync(path.join(packed, path.dirname(file), icon.replace('file:', ''))), icon)
    }
  })

  test('passes n8n’s own linter without a finding; a node that breaks its rules does not', async () => {
    const eslint = new ESLint({ cwd: FOLDER })
    const results = await eslint.lintFiles(['.'])
    const findings = results.flatMap(({ filePath, messages }) =>
      messages.map(({ ruleId, message }) => `${path.basename(filePath)}: ${ruleId}: ${message}`),
    )
    const [control] = await eslint.lintText(
      "import fs from 'fs'\nexport class Legwork { async execute() { return setTimeout(fs.rm, process.pid) } }",
      { filePath: path.join(FOLDER, 'nodes/Legwork/Legwork.node.ts') },
    )

    assert.deepEqual(findings, [])
    const linted = results.map(({ filePath }) => path.basename(filePath))
    assert(linted.includes('Legwork.node.ts') && linted.includes('package.json'), linted.join())
    const rules = control!.messages.map(({ ruleId }) => ruleId)
    assert(rules.includes('@n8n/community-nodes/no-restricted-imports'), rules.join())
    assert(rules.includes('@n8n/community-nodes/no-restricted-globals'), rules.join())
  })
})

async function answer(
  taskId: string,
  { text, answer: value, worker: name, appeal, release }: Partial<(typeof INJECTIONS)[number]>,
) {
  const at = `/worker/tasks/${taskId}`
  if (release !== undefined) {
    const quitter = await market.worker()
    await quitter.post(`${at}/accept`)
    assert.equal((await quitter.post(`${at}/release`, { reason: release })).status, 200)
  }
  const worker = await market.worker(name === undefined ? {} : { name })
  await worker.post(`${at}/accept`)
  const proof = { text, ...(value === undefined ? {} : { answer: value }) }
  const sent = await worker.post(`${at}/proof`, proof)
  assert.equal(sent.status, 201, sent.text)
  if (appeal === undefined) return
  await agent.post(`/tasks/${taskId}/dispute`, { reason: 'Another door' })
  assert((await worker.post(`${at}/appeal`, { statement: appeal })).status < 300)
}
