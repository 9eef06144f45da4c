/**
 * `npm run test:quickstart`: runs the commands of docs/guide/quickstart.md in an empty folder with the packages as npm
 * would publish them, up to an approved task with a scripted worker, and those of docs/guide/python.md with the wheel.
 * Prints how long each took.
 */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { describe, test } from 'node:test'
import { parseEnv, promisify } from 'node:util'
import { marketplace } from '../server/test/harness.ts'
import { packAll } from './pack.ts'
import { buildSdk, openPython, type Python } from './python.ts'

const PAGE = path.join(import.meta.dirname, '../docs/guide/quickstart.md')
const PYTHON_PAGE = path.join(import.meta.dirname, '../docs/guide/python.md')
const BLOCK = /^```(\w+)([^\n]*)\n([^]*?)^```/gm
const MINUTES_MAX = 3
/** A reader doesn't have the commands of this repository in PATH. */
const PATH_WITHOUT_OURS = process.env
  .PATH!.split(path.delimiter)
  .filter((folder) => !folder.includes('node_modules'))
const run = promisify(execFile)

interface Block {
  language: string
  /** The file that the reader is told to save it to. */
  file: string | undefined
  text: string
  /** The output that the page shows. */
  prints?: string
}

describe('docs/guide/quickstart.md', () => {
  test(`its own commands reach an approved task in under ${MINUTES_MAX} minutes`, {
    timeout: (MINUTES_MAX + 1) * 60_000,
  }, async (t) => {
    assert(existsSync(PAGE), 'there is no docs/guide/quickstart.md')
    const blocks = readBlocks(readFileSync(PAGE, 'utf8'))
    const market = await marketplace({ roles: ['api', 'jobs'], clock: 'real' })
    const [folder, packs] = ['quickstart', 'packs'].map((name) =>
      mkdtempSync(path.join(os.tmpdir(), `legwork-${name}-`)),
    ) as [string, string]
    t.after(() => {
      for (const one of [folder, packs]) rmSync(one, { recursive: true, force: true })
    })
    const tarballs = await packAll({ out: packs })

    const startedAt = performance.now()
    for (const block of blocks) {
      const blockAt = performance.now()
      const said = await follow(block, { folder, tarballs, url: market.server.addresses.api! })
      if (block.prints !== undefined) assert.match(said, asPrinted(block.prints))
      if (block.file === undefined)
        t.diagnostic(`${secondsSince(blockAt)} s  ${block.text.trim().split('\n')[0]}`)
    }
    const seconds = secondsSince(startedAt)
    t.diagnostic(`${seconds} s  from an empty folder to an approved task`)

    const env = parseEnv(readFileSync(path.join(folder, '.env.local'), 'utf8'))
    const { body } = await market.client(env.LEGWORK_API_KEY!).get('/tasks')
    assert(body.total > 0)
    assert(
      body.tasks.every(
        ({ status, mode }: Record<string, string>) => `${mode} ${status}` === 'test completed',
      ),
    )
    assert(Number(seconds) < MINUTES_MAX * 60, `it took ${seconds} s`)
  })

  test('the parser returns commands and files, and ignores other blocks', () => {
    const fence = '```'
    const text = [
      `${fence}bash\nnpx @legwork/cli init\n${fence}`,
      `${fence}text\nCreated\n${fence}`,
      `${fence}ts file=ask.mjs\nawait 1\n${fence}`,
      `${fence}json answer=x\n{}\n${fence}`,
    ].join('\n\n')

    assert.deepEqual(readBlocks(text), [
      { language: 'bash', file: undefined, text: 'npx @legwork/cli init\n', prints: 'Created\n' },
      { language: 'ts', file: 'ask.mjs', text: 'await 1\n' },
    ])
  })
})

describe('docs/guide/python.md', () => {
  test(`its own commands reach an approved task in under ${MINUTES_MAX} minutes, and its other programs run`, {
    timeout: (MINUTES_MAX + 1) * 60_000,
  }, async (t) => {
    const blocks = readBlocks(readFileSync(PYTHON_PAGE, 'utf8'))
    const market = await marketplace({ roles: ['api', 'jobs'], clock: 'real' })
    const python = await openPython()
    t.after(() => python.close())
    const { wheel } = await buildSdk(python)
    await python.run(['mkdir', 'quickstart'])
    const url = market.server.addresses.api!

    const startedAt = performance.now()
    let said = ''
    for (const block of blocks.filter(({ language, file }) => language === 'bash' || file)) {
      const blockAt = performance.now()
      const output = await followInPython(block, python, { wheel, url })
      if (block.prints !== undefined) assert.match(output, asPrinted(block.prints))
      if (block.file === undefined)
        t.diagnostic(`${secondsSince(blockAt)} s  ${block.text.trim().split('\n')[0]}`)
      said += output
    }
    const seconds = secondsSince(startedAt)
    t.diagnostic(`${seconds} s  from an empty folder to an approved task, in Python`)

    const key = /LEGWORK_API_KEY=(\S+)/.exec(said)![1]!
    const { body } = await market.client(key).get('/tasks')
    assert.deepEqual(
      body.tasks.map(({ status, mode }: Record<string, string>) => `${mode} ${status}`),
      ['test completed'],
    )
    assert(Number(seconds) < MINUTES_MAX * 60, `it took ${seconds} s`)

    const programs = blocks.filter(({ language, file }) => language === 'python' && !file)
    assert.equal(programs.length, 5)
    for (const { text } of programs)
      await python.run([path.join(python.inside, 'quickstart/.venv/bin/python'), '-c', text], {
        cwd: 'quickstart',
        env: { LEGWORK_URL: url, LEGWORK_API_KEY: key },
      })
  })
})

function readBlocks(text: string): Block[] {
  const found = [...text.matchAll(BLOCK)]
  return found
    .map(([, language, info, inside], i) => ({
      language: language!,
      file: /\bfile=(\S+)/.exec(info!)?.[1],
      text: inside!,
      ...(found[i + 1]?.[1] === 'text' ? { prints: found[i + 1]![3]! } : {}),
    }))
    .filter(({ language, file }) => ['bash', 'python'].includes(language) || file !== undefined)
}

/** Matches the page's output with any ids, seconds and names, and with the test's address. */
function asPrinted(text: string): RegExp {
  const pattern = text
    .trimEnd()
    .split(/(\n|https:\/\/legwork\.example|…|\d+(?= s\))|(?<=Sim )\w+)/)
    .map((part, i) => (i % 2 === 0 ? RegExp.escape(part) : anySuch(part)))
  return new RegExp(String.raw`^ *${pattern.join('')}$`, 'm')
}

function anySuch(part: string): string {
  if (part === '\n') return String.raw`\n *`
  if (part.startsWith('https')) return String.raw`http://[\w.:]+`
  return part === '…' ? String.raw`\S*` : String.raw`\w+`
}

async function follow(
  { file, text }: Block,
  { folder, tarballs, url }: { folder: string; tarballs: Record<string, string>; url: string },
): Promise<string> {
  if (file !== undefined) {
    writeFileSync(path.join(folder, file), text)
    return ''
  }
  // Our packages aren't published and nothing else is needed, so no step contacts a registry.
  const script = text.replaceAll(/^npm install .*$/gm, (line) =>
    line.replaceAll(/@legwork\/\w+/g, (name) => tarballs[name] ?? name),
  )
  const { HOME } = process.env
  try {
    const { stdout } = await run('bash', ['-euo', 'pipefail', '-c', script], {
      cwd: folder,
      // Without the variables set by `npm test`, which would point npm at this repository.
      env: {
        HOME,
        PATH: [path.dirname(process.execPath), ...PATH_WITHOUT_OURS].join(path.delimiter),
        LEGWORK_URL: url,
        npm_config_offline: 'true',
        npm_config_audit: 'false',
        npm_config_fund: 'false',
        npm_config_update_notifier: 'false',
      },
    })
    return stdout
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string }
    assert.fail(`this block of the quickstart failed:\n${text}\n${stdout}\n${stderr}`)
  }
}

async function followInPython(
  { file, text }: Block,
  python: Python,
  { wheel, url }: { wheel: string; url: string },
): Promise<string> {
  if (file !== undefined) {
    const code = `import pathlib, sys; pathlib.Path(sys.argv[1]).write_text(sys.argv[2])`
    await python.run(['python3', '-c', code, file, text], { cwd: 'quickstart' })
    return ''
  }
  // Our wheel isn't published and there is no package index, so what it needs comes from the Python that made the
  // environment.
  const script = text
    .replaceAll('-m venv ', '-m venv --system-site-packages ')
    .replaceAll(/(pip install.*) legwork$/gm, `$1 ${path.join(python.inside, 'dist', wheel)}`)
  return python.run(['bash', '-euo', 'pipefail', '-c', script], {
    cwd: 'quickstart',
    env: { LEGWORK_URL: url },
  })
}

const secondsSince = (at: number) => ((performance.now() - at) / 1000).toFixed(1)
