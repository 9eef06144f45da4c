/**
 * Every code block of the docs does what its page says. Commands and programs run page by page, each in its own
 * folder, against a marketplace whose scripted workers act ten times as fast; JSON is checked against the schema that
 * it names, or sent. The samples of the reference are sent, those in TypeScript compiled. scripts/quickstart.test.ts
 * runs the quickstart and the page about Python from packed packages, and scripts/on-your-machine.test.ts runs the
 * tour with curl.
 */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { describe, test } from 'node:test'
import { openClient, taskIdIn } from '../mcp/test/clients.ts'
import { atEnd } from '../server/test/hooks.ts'
import { marketplace } from '../server/test/harness.ts'
import type { Fence } from '../web/docs/fences.ts'
import { fencesOf } from '../web/docs/test/fences-of.ts'
import { type Document, errorsOf, expand, JSON_TYPE, operationsOf } from '../web/docs/openapi.ts'
import { curlOf, samplesOf } from '../web/docs/samples.ts'
import { exampleOf } from '../web/docs/schema.ts'
import { misfits } from './misfits.ts'
import { freePort } from './postgres.ts'
import { copySdk, openPython } from './python.ts'

const ROOT = path.join(import.meta.dirname, '..')
const GUIDE = path.join(ROOT, 'docs/guide')
const LANGUAGES = ['bash', 'ts', 'python', 'json', 'text', 'http']
/** Pages that have their own test. */
const ELSEWHERE = new Set(['quickstart.md', 'python.md', 'on-your-machine.md'])
/** Pages whose calls test mode refuses. */
const LIVE = new Set(['ask-a-person.md'])
/** How much marketplace time passes with each tick. */
const TURN = { everyMs: 50, passesMs: 1000 }

const document = JSON.parse(readFileSync(path.join(ROOT, 'openapi.json'), 'utf8')) as Document
const operations = new Map(operationsOf(document).map((one) => [one.name, one]))
const errors = errorsOf(document)

const pages = globSync('*.md', { cwd: GUIDE })
  .sort()
  .map((file) => ({ file, fences: fencesOf(readFileSync(path.join(GUIDE, file), 'utf8')) }))

const folder = mkdtempSync(path.join(os.tmpdir(), 'legwork-guide-'))
atEnd(async () => rmSync(folder, { recursive: true, force: true }))
const market = await marketplace({ processor: true })
const python = await openPython()
atEnd(() => python.close())
await copySdk(python)

/** Runs programs in one process, each with variables of its own, which a preamble may set. */
async function runPython(
  programs: { name: string; code: string }[],
  { env, preamble = '' }: { env: Record<string, string>; preamble?: string },
): Promise<string> {
  const cwd = mkdtempSync(path.join(python.folder, 'programs-'))
  chmodSync(cwd, 0o777)
  writeFileSync(path.join(cwd, 'programs.json'), JSON.stringify(programs))
  writeFileSync(path.join(cwd, 'preamble.py'), preamble)
  const run = `
import json
from pathlib import Path

for program in json.loads(Path("programs.json").read_text()):
    print("=== " + program["name"], flush=True)
    variables = {"__name__": "__main__", "program": program}
    exec(compile(Path("preamble.py").read_text(), "preamble.py", "exec"), variables)
    exec(compile(program["code"], program["name"], "exec"), variables)`
  return python.run(['python3', '-c', run], {
    cwd: path.basename(cwd),
    env: { PYTHONPATH: path.join(python.inside, 'sdk/src'), ...env },
  })
}

/** Creates the executables that readers type, backed by the packages of this repository. */
function writePrograms(): string {
  const bin = path.join(folder, 'bin')
  mkdirSync(bin, { recursive: true })
  const write = (name: string, text: string) =>
    writeFileSync(path.join(bin, name), `#!/bin/bash\n${text}\n`, { mode: 0o755 })
  write('npx', `[ "$1" = @legwork/cli ] || exit 2\nexec node ${ROOT}/cli/src/main.ts "\${@:2}"`)
  write('npm', `case "$*" in "install @legwork/"*) ;; *) exit 2;; esac`)
  return bin
}

/** Advances the marketplace's clock while the work runs. */
async function withTime<T>(work: () => Promise<T>): Promise<T> {
  const state = { isOver: false }
  const turns = (async () => {
    while (!state.isOver) {
      market.advance(TURN.passesMs)
      await market.sweep()
      await market.work()
      await new Promise((resolveTurn) => setTimeout(resolveTurn, TURN.everyMs))
    }
  })()
  try {
    return await work()
  } finally {
    state.isOver = true
    await turns
  }
}

async function run(script: string, { cwd, env }: { cwd: string; env: Record<string, string> }) {
  const child = spawn('bash', ['-c', script], {
    cwd,
    env: { HOME: cwd, NO_COLOR: '1', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  const [code] = (await once(child, 'close')) as [number | null]
  endGroup(child.pid!)
  return { code, output }
}

/** Also kills what the page left running, and the children of that. */
function endGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

const PATH = [writePrograms(), path.dirname(process.execPath), process.env.PATH].join(
  path.delimiter,
)

/**
 * Runs the commands of a page in one shell, so that later ones see the variables of earlier ones. Programs are
 * independent of each other and run one after the other in one process.
 */
function scriptOf(fences: Fence[], cwd: string): string {
  const programs: string[] = []
  const blocks = fences.flatMap(({ language, about, code, line }) => {
    const mark = `=== line ${line}`
    if (language === 'ts') writeFileSync(path.join(cwd, about.file ?? `line-${line}.ts`), code)
    if (language === 'ts' && about.file === undefined)
      programs.push(`console.log('${mark}')\nawait import('./line-${line}.ts')`)
    if (language !== 'bash') return []
    // Commands that the page marks as background are not waited for.
    const isLeft = about.background !== undefined
    return [`echo "${mark}"`, isLeft ? `{\n${code}} > background-${line}.log 2>&1 &` : code]
  })
  writeFileSync(path.join(cwd, 'programs.mjs'), programs.join('\n'))
  if (programs.length > 0) blocks.push('node programs.mjs')
  // Events that a page triggers must reach the listeners that the page started.
  const [, triggered] = /\btrigger ([\w.]+)/.exec(fences.map(({ code }) => code).join('')) ?? []
  if (triggered !== undefined)
    blocks.push(
      `for log in background-*.log; do for i in {1..100}; do grep -q ${triggered} $log && continue 2; sleep 0.1; done`,
      'echo "$log has not heard of it:"; cat $log; exit 1; done',
    )
  return `set -euo pipefail\n${blocks.join('\n')}`
}

describe('docs/guide', () => {
  test('has only blocks of known languages, and each JSON block declares its meaning', () => {
    const KINDS = ['answer', 'body', 'error', 'event', 'tool', 'config']
    for (const { file, fences } of pages)
      for (const { language, about, line } of fences) {
        assert(LANGUAGES.includes(language), `${file}:${line}: ${language}`)
        const kinds = KINDS.filter((kind) => about[kind] !== undefined)
        assert.equal(
          kinds.length,
          language === 'json' ? 1 : 0,
          `${file}:${line}: the JSON block declares no meaning`,
        )
      }
  })

  for (const { file, fences } of pages) {
    const isRun = fences.some(({ language }) => ['bash', 'ts'].includes(language))
    if (!isRun || ELSEWHERE.has(file)) continue
    test(`${file}: every command and program runs`, async (t) => {
      const agent = await market.agent()
      const cwd = path.join(folder, file)
      mkdirSync(cwd)
      symlinkSync(path.join(ROOT, 'node_modules'), path.join(cwd, 'node_modules'))
      writeFileSync(path.join(cwd, 'package.json'), '{"type":"module"}')
      const secrets = {
        LEGWORK_API_KEY: LIVE.has(file) ? agent.api_key : agent.test_api_key,
        LEGWORK_WEBHOOK_SECRET: agent.webhook_secret,
      }
      const lines = Object.entries(secrets).map((pair) => pair.join('='))
      writeFileSync(path.join(cwd, '.env.local'), `${lines.join('\n')}\n`)
      const port = await freePort()
      const script = scriptOf(
        fences.map((fence) => ({
          ...fence,
          code: fence.code.replaceAll('3000', String(port)).replaceAll('?wait=5', '?wait=1'),
        })),
        cwd,
      )
      const env = { PATH, LEGWORK_URL: market.server.addresses.api!, ...secrets }

      const { code, output } = await withTime(() => run(script, { cwd, env }))

      assert.equal(code, 0, `docs/guide/${file}, after:\n${output.slice(-3000)}`)
      // curl exits with 0 on error responses, so an error is a failure unless the page declares it.
      for (const [, line, said] of output.matchAll(/=== line (\d+)\n([^]*?)(?==== line|$)/g)) {
        const refusal = /"code":"(\w+)","?/.exec(said!.replaceAll(/"warnings":\[.*?\]/g, ''))?.[1]
        const isMeant = fences.some(({ about }) => about.error === refusal)
        assert(refusal === undefined || isMeant, `docs/guide/${file}:${line}: ${said}`)
      }
      t.diagnostic(`${output.split('=== line').length - 1} blocks`)
    })
  }

  for (const { file, fences } of pages) {
    const programs = fences
      .filter(({ language, about }) => language === 'python' && about.file === undefined)
      .map(({ code, line }) => ({ name: `line ${line}`, code }))
    if (programs.length === 0 || ELSEWHERE.has(file)) continue
    test(`${file}: every Python program runs`, async (t) => {
      const agent = await market.agent()
      const env = {
        LEGWORK_URL: market.server.addresses.api!,
        LEGWORK_API_KEY: LIVE.has(file) ? agent.api_key : agent.test_api_key,
        LEGWORK_WEBHOOK_SECRET: agent.webhook_secret,
      }

      const output = await withTime(() => runPython(programs, { env }))

      assert.equal(output.split('=== line').length - 1, programs.length)
      t.diagnostic(output)
    })
  }

  for (const { file, fences } of pages) {
    const calls = fences.filter(({ about }) => about.tool !== undefined)
    if (calls.length === 0) continue
    test(`${file}: every tool call works, in the order of the page`, async () => {
      const { test_api_key } = await market.agent()
      const mcp = await openClient(market, test_api_key)
      let taskId = ''
      for (const { about, code, line } of calls) {
        const args = JSON.parse(code.replaceAll('$TASK_ID', taskId)) as Record<string, unknown>
        const { isError, text } = await withTime(() => mcp.call(about.tool!, args))
        assert(!isError, `docs/guide/${file}:${line}: ${text}`)
        if (about.tool === 'ask_human') taskId = taskIdIn(text)
      }
    })
  }

  for (const { file, fences } of pages)
    for (const { about, code, line, language } of fences.filter((one) => one.language === 'json')) {
      const what = Object.entries(about)
        .map((pair) => pair.join('='))
        .join(' ')
      test(`${file}:${line}: the JSON matches its declaration (${language} ${what})`, async () => {
        const value = JSON.parse(code) as Record<string, unknown>
        if (about.answer !== undefined) {
          const schema = operations.get(about.answer)?.success.schema
          assert(schema, `there is no ${about.answer}`)
          assert.deepEqual(misfits(value, schema, { isPartial: true }), [])
        } else if (about.error !== undefined) {
          const { schema, message } = errors.get(about.error) ?? {}
          assert(schema, `no endpoint answers with ${about.error}`)
          assert.deepEqual(misfits(value, schema, { isPartial: true }), [])
          assert.equal(value.error, message, 'the message is that of the server')
        } else if (about.event !== undefined) {
          const schema =
            document.webhooks[about.event]?.post.requestBody?.content[JSON_TYPE]?.schema
          assert(schema, `there is no event ${about.event}`)
          assert.deepEqual(misfits(value, expand(schema, document), { isPartial: true }), [])
        } else if (about.body !== undefined) {
          const [method, target] = about.body.split(' ')
          const { test: agent } = await market.agent()
          const send = method === 'PATCH' ? agent.patch : agent.post
          const { status, text } = await send(target!, value)
          assert(![400, 404, 405, 500].includes(status), text)
          assert(!text.includes('"warnings"'), text)
        }
      })
    }
})

/** Objects that the samples of the reference refer to, by the variables that stand for them. */
async function valuesOfSamples(): Promise<Record<string, string>> {
  const agent = await market.agent({ balanceCents: 100_000 })
  const worker = await market.worker({ approvals: 100 })
  const task = await market.taskIn(agent, 'proof_submitted')
  const key = await agent.post('/agents/keys', { name: 'Another' })
  const event = await agent.post('/webhooks/ping', { url: 'http://127.0.0.1:9/hooks' })
  const id = (prefix: string) => `${prefix}_${'0'.repeat(26)}`
  return {
    LEGWORK_URL: market.server.addresses.api!,
    LEGWORK_ORIGIN: new URL(market.server.addresses.api!).origin,
    LEGWORK_API_KEY: agent.api_key,
    TEST_KEY: agent.test_api_key,
    WORKER_TOKEN: worker.token,
    WORKER_ID: worker.id,
    TASK_ID: task.id,
    KEY_ID: (key.body.key as { id: string }).id,
    CLIENT_ID: id('client'),
    CONNECTION_ID: id('grant'),
    EVENT_ID: String(event.body.event_id),
    REQUEST_ID: id('req'),
    QUESTION_ID: id('wqn'),
    UPLOAD_ID: id('upl'),
    DEVICE_ID: id('psh'),
    SESSION_ID: id('wss'),
    FILE_ID: id('upl'),
    LINK_TOKEN: 'x'.repeat(43),
    EXPIRES: '1',
    SIGNATURE: 'x',
  }
}

/** A sample may be refused for the state of its object, but not for its form. */
const isRefused = ({ status, body }: { status: number; body: string }) =>
  ([0, 400, 405, 413, 415, 422, 500].includes(status) && !body.includes('invalid_mail_link')) ||
  body.includes('route_not_found') ||
  body.includes('"warnings"') ||
  status === 401

describe('the reference', () => {
  const names = [...operations.values()]

  // Operations that end a session or a key run last, and after those the one that ends all sessions.
  const isLate = ({ method, path: route }: { method: string; path: string }) =>
    Number(method === 'DELETE') + Number(route === '/worker/sessions')
  const order = names.toSorted((a, b) => isLate(a) - isLate(b))
  const pythonIn = (operation: (typeof names)[number]) =>
    samplesOf(operation).find(({ language }) => language === 'python')?.code ?? ''

  test('shows responses that match their schema', () => {
    const wrong = names.flatMap(({ name, success }) =>
      success.schema?.properties
        ? misfits(exampleOf(success.schema), success.schema).map((text) => `${name}${text}`)
        : [],
    )
    assert.deepEqual(wrong, [])
  })

  test('has curl samples that the server accepts', async () => {
    const env = { PATH, ...(await valuesOfSamples()) }
    const cwd = path.join(folder, 'reference')
    mkdirSync(cwd)
    writeFileSync(path.join(cwd, 'photo.jpg'), 'x')
    const script = order
      .map((operation) => {
        const asTest = operation.path.startsWith('/test/') ? 'LEGWORK_API_KEY=$TEST_KEY; ' : ''
        const curl = curlOf(operation).replace('curl ', `curl -sS -m 20 -w '\\n%{http_code}' `)
        return `echo '=== ${operation.name}'\n(${asTest}${curl})\necho`
      })
      .join('\n')

    const { output } = await run(script.replaceAll('wait=30', 'wait=1'), { cwd, env })

    const said = [...output.matchAll(/=== (.+)\n([^]*?)\n(\d{3})\n/g)].map(
      ([, name, body, status]) => ({ name, body: body!.slice(0, 500), status: Number(status) }),
    )
    assert.deepEqual(
      said.map(({ name }) => name),
      order.map(({ name }) => name),
    )
    assert.deepEqual(said.filter(isRefused), [])
  })

  test('has Python samples that the server accepts', async () => {
    const { LEGWORK_URL, LEGWORK_ORIGIN, LEGWORK_API_KEY, ...values } = await valuesOfSamples()
    const variables = {
      base_url: LEGWORK_URL,
      origin: LEGWORK_ORIGIN,
      api_key: LEGWORK_API_KEY,
      ...Object.fromEntries(
        Object.entries(values).map(([name, value]) => [name.toLowerCase(), value]),
      ),
    }
    const preamble = `
import json
from pathlib import Path
from legwork import Legwork, LegworkError

Path("photo.jpg").write_bytes(b"x")
${Object.entries(variables)
  .map(([name, value]) => `${name} = ${JSON.stringify(value)}`)
  .join('\n')}
key = test_key if " /test/" in program["name"] else api_key
legwork = Legwork(api_key=key, base_url=base_url, max_retries=0)`
    const programs = order.map((operation) => ({
      name: operation.name,
      code: `
try:
${pythonIn(operation).replaceAll(/^(?=.)/gm, '    ')}
except LegworkError as error:
    said = [error.status, f"{error.code} {error}"]
else:
    said = [response.status_code, response.text] if "response" in globals() else [200, ""]
print(json.dumps(said))`.replaceAll('wait=30', 'wait=1'),
    }))

    const output = await runPython(programs, { env: { LEGWORK_URL: LEGWORK_URL! }, preamble })

    const said = [...output.matchAll(/^=== (.+)\n(\[.*\])$/gm)].map(([, name, answer]) => {
      const [status, body] = JSON.parse(answer!) as [number | null, string]
      return { name, status: status ?? 0, body: body.slice(0, 500) }
    })
    assert.deepEqual(
      said.map(({ name }) => name),
      order.map(({ name }) => name),
      output.slice(-2000),
    )
    assert.deepEqual(said.filter(isRefused), [])
  })

  test('has CLI samples that the CLI accepts', async () => {
    const agent = await market.agent()
    const task = await market.taskIn(agent.test, 'proof_submitted')
    const event = await agent.test.post('/webhooks/ping', { url: 'http://127.0.0.1:9/hooks' })
    const cwd = path.join(folder, 'cli')
    mkdirSync(cwd)
    const env = {
      PATH,
      LEGWORK_URL: market.server.addresses.api!,
      LEGWORK_API_KEY: agent.test_api_key,
      TASK_ID: task.id,
      EVENT_ID: String(event.body.event_id),
    }
    // Skips commands that a page of the guide already runs in the same form.
    const formOf = (command: string) =>
      [/@legwork\/cli (\w+)/.exec(command)?.[1], ...command.matchAll(/ --\w+/g)].join('')
    const isRun = new Set(
      pages.flatMap(({ fences }) => fences.flatMap(({ code }) => code.split('\n').map(formOf))),
    )
    const samples = names.flatMap((operation) => samplesOf(operation))
    const commands = samples
      .filter(({ about, code }) => about.tab === 'CLI' && !isRun.has(formOf(code)))
      .map(({ code }) => code)
    const script = commands.map((one) => `${one} > said 2>&1; echo "$?: ${one}"; cat said`)

    const { output } = await run(script.join('\n'), { cwd, env })

    assert(commands.length > 2)
    // Exit code 2 is a usage error.
    assert.deepEqual([...output.matchAll(/^2: .*\n.*/gm)].map(String), [])
    assert.equal([...output.matchAll(/^\d: /gm)].length, commands.length)
  })

  test('has TypeScript samples that compile', async () => {
    const cwd = path.join(folder, 'types')
    mkdirSync(cwd)
    symlinkSync(path.join(ROOT, 'node_modules'), path.join(cwd, 'node_modules'))
    const samples = names.flatMap((operation) =>
      samplesOf(operation)
        .filter(({ language }) => language === 'ts')
        .map(({ code }) => `// ${operation.name}\n{\n${code}\n}`),
    )
    const ids = [
      'taskId',
      'keyId',
      'connectionId',
      'clientId',
      'eventId',
      'requestId',
      'workerId',
      'deviceId',
      'linkToken',
      'sessionId',
      'questionId',
    ]
    const programs = pages.flatMap(({ file: page, fences }) =>
      fences
        .filter(({ language, about }) => language === 'ts' && about.file === undefined)
        .map(({ code, line }) => ({ name: `${page}-${line}.ts`, code })),
    )
    for (const { name, code } of programs) writeFileSync(path.join(cwd, name), code)
    const file = `import { Legwork } from '@legwork/sdk'
import { LegworkWorker } from '@legwork/sdk/worker'
declare const legwork: Legwork
declare const worker: LegworkWorker
${ids.map((id) => `declare const ${id}: string`).join('\n')}
${samples.join('\n')}\n`
    writeFileSync(path.join(cwd, 'package.json'), '{"type":"module"}')
    writeFileSync(path.join(cwd, 'samples.ts'), file)
    writeFileSync(
      path.join(cwd, 'tsconfig.json'),
      JSON.stringify({
        extends: path.join(ROOT, 'tsconfig.json'),
        compilerOptions: {
          noUnusedLocals: false,
          lib: ['es2024', 'esnext', 'dom'],
          typeRoots: [path.join(ROOT, 'node_modules/@types')],
        },
        include: ['*.ts'],
      }),
    )

    const { code, output } = await run(`${ROOT}/node_modules/.bin/tsc --noEmit -p .`, {
      cwd,
      env: { PATH },
    })

    assert(samples.length > 30)
    assert.equal(code, 0, output)
  })
})
