/**
 * `npm run test:python`: builds the Python SDK, checks what is in the wheel and the sdist, and runs its tests, its
 * examples and the type checker with the wheel. scripts/quickstart.test.ts installs it as users do.
 */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { openToolbox } from '../mcp/src/toolbox.ts'
import { asData } from '../mcp/src/untrusted.ts'
import { INJECTIONS } from '../mcp/test/injections.ts'
import { Legwork } from '../sdk/src/legwork.ts'
import { renderOpenApi } from '../server/src/openapi.ts'
import { marketplace } from '../server/test/harness.ts'
import { buildSdk, openPython, type Python } from './python.ts'

const ROOT = path.join(import.meta.dirname, '..')
const PYRIGHT = path.join(ROOT, 'node_modules/pyright/index.js')
const GENERATED = ['_sync/', 'models.py', 'inputs.py', 'error_classes.py']

const market = await marketplace({ roles: ['api', 'jobs'], clock: 'real' })

describe('the Python SDK', () => {
  let python: Python
  let built: { wheel: string; sdist: string }
  let installed: Record<string, string>
  before(async () => {
    python = await openPython()
    built = await buildSdk(python)
    await python.run(['python3', '-m', 'zipfile', '-e', `dist/${built.wheel}`, 'installed'])
    installed = { PYTHONPATH: path.join(python.inside, 'installed') }
  })
  after(() => python.close())

  const listed = async (command: string[]) =>
    (await python.run(command, { env: installed })).trim().split('\n').filter(Boolean).sort()

  test('is built as a wheel that contains the package, its marker of types and the license', async () => {
    const code = 'import sys, zipfile; print("\\n".join(zipfile.ZipFile(sys.argv[1]).namelist()))'
    const files = await listed(['python3', '-c', code, `dist/${built.wheel}`])

    const others = files.filter((file) => !/^legwork\/(?:_a?sync\/)?\w+\.py$/.test(file))
    assert.deepEqual(others, [
      'legwork-0.1.0.dist-info/METADATA',
      'legwork-0.1.0.dist-info/RECORD',
      'legwork-0.1.0.dist-info/WHEEL',
      'legwork-0.1.0.dist-info/licenses/LICENSE',
      'legwork/py.typed',
    ])
    assert(files.includes('legwork/_sync/client.py') && files.includes('legwork/models.py'))
  })

  test('is built as a source distribution with tests and examples, and without what was built from them', async () => {
    const files = await listed(['tar', '-tzf', `dist/${built.sdist}`])

    for (const name of [
      'pyproject.toml',
      'README.md',
      'LICENSE',
      'tests/conftest.py',
      'examples/first_task.py',
    ])
      assert(files.includes(`legwork-0.1.0/${name}`), name)
    assert.deepEqual(
      files.filter((file) => /__pycache__|\.pyc$|dist\/|\.venv/.test(file)),
      [],
    )
  })

  test('has the version of the repository', async () => {
    const manifest = JSON.parse(readFileSync(path.join(ROOT, 'sdk/package.json'), 'utf8')) as {
      version: string
    }

    const code =
      'import importlib.metadata, legwork; print(legwork.__version__, importlib.metadata.version("legwork"))'
    const said = await python.run(['python3', '-c', code], { env: installed })

    assert.equal(said.trim(), `${manifest.version} ${manifest.version}`)
  })

  test('has the license of the repository', () => {
    const [own, whole] = ['python/LICENSE', 'LICENSE'].map((file) =>
      readFileSync(path.join(ROOT, file), 'utf8'),
    )

    assert.equal(own, whole)
  })

  test('names its source in everything that is generated, and no machine', async () => {
    const code =
      'import legwork, pathlib; print(*pathlib.Path(legwork.__file__).parent.rglob("*.py"), sep="\\n")'
    const files = await listed(['python3', '-c', code])
    const inPackage = files.map((file) => file.slice(file.lastIndexOf('/legwork/') + 9))

    for (const name of inPackage) {
      const text = readFileSync(path.join(ROOT, 'python/src/legwork', name), 'utf8')
      if (GENERATED.some((one) => name.startsWith(one)))
        assert.match(text, /^# Generated from /, name)
      assert(!text.includes(ROOT), name)
    }
  })

  test('passes its tests and runs its examples, against a real server', async (t) => {
    writeFileSync(path.join(python.folder, 'openapi.json'), renderOpenApi('agents'))
    writeFileSync(path.join(python.folder, 'human-tools.json'), renderHumanTools())

    const said = await python.run(['python3', '-m', 'pytest', '-q', '--durations=8', '-rA'], {
      cwd: 'sdk',
      env: {
        ...installed,
        LEGWORK_URL: market.server.addresses.api!,
        OPENAPI_AGENTS: path.join(python.inside, 'openapi.json'),
        HUMAN_TOOLS: path.join(python.inside, 'human-tools.json'),
      },
    })

    const counts = /^(\d+) passed(?:, .*)? in /m.exec(said)
    assert(counts && !/\b(?:failed|error|skipped|xfailed|deselected)\b/.test(counts[0]), said)
    assert(Number(counts[1]) > 60, counts[0])
    t.diagnostic(`pytest: ${said.trim().split('\n').at(-1)}`)
  })

  test('has complete types: strict for Python 3.10, with its tests and examples', async (t) => {
    const said = await checkTypes(python)

    assert.match(said, /^0 errors, 0 warnings/m, said)
    t.diagnostic(`pyright: ${said.trim().split('\n').at(-1)}`)
  })

  test('has types that find a wrong argument, status, attribute and a missing await', async () => {
    const file = path.join(python.folder, 'sdk/tests/wrong.py')
    const wrong = [
      'legwork.verify(question="Is it open?", prof="photo")',
      'legwork.tasks.list(status="complete")',
      'legwork.tasks.get("task_1").balance',
      'legwork.tasks.create(description="Look")',
      'legwork.tasks.get("task_1").status == "complete"',
      'later.tasks.get("task_1").status',
    ]
    writeFileSync(
      file,
      `from legwork import AsyncLegwork, Legwork\n\nlegwork, later = Legwork(), AsyncLegwork()\n${wrong
        .map((line) => `print(${line})`)
        .join('\n')}\n`,
    )

    const said = await checkTypes(python).finally(() => rmSync(file))

    const lines = [...said.matchAll(/wrong\.py:(\d+):\d+ - error/g)].map(([, line]) => Number(line))
    assert.deepEqual([...new Set(lines)], [4, 5, 6, 7, 8, 9])
  })
})

/** The MCP server's tools, hostile proofs, and what the server makes of them, for tests/test_tools.py. */
function renderHumanTools(): string {
  const client = new Legwork({ apiKey: 'lw_test_none', baseUrl: market.server.addresses.api! })
  const texts = INJECTIONS.flatMap(({ text, answer, worker, appeal }) =>
    [text, answer, worker, appeal].filter((one) => one !== undefined),
  )
  const lines = [...texts, 'x\u0000\ud800\r\ny\u2028z', `${'😀'.repeat(8001)}`]
  return JSON.stringify({
    tools: openToolbox({ client, canReview: true }),
    injections: INJECTIONS,
    data: lines.map((line) => ({ line, shown: asData([line]) })),
  })
}

/** Returns the report of pyright on the sources, with the packages of the Python that runs them. */
async function checkTypes(python: Python): Promise<string> {
  const folder = path.join(python.folder, 'sdk')
  const config = path.join(folder, 'pyrightconfig.json')
  writeFileSync(
    config,
    JSON.stringify({
      include: ['src', 'tests', 'examples'],
      typeCheckingMode: 'strict',
      pythonVersion: '3.10',
      extraPaths: ['src', ...python.packages],
    }),
  )
  const { stdout } = await promisify(execFile)(process.execPath, [PYRIGHT, '-p', config], {
    cwd: folder,
  }).catch((error: { stdout: string }) => error)
  return stdout
}
