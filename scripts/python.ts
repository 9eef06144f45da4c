/**
 * Runs Python with the packages that the Python SDK needs for its tests and its build: the `python3` of this machine if
 * it has them, otherwise the one of the Debian tree (scripts/debian-tree.ts), which needs root.
 */
import { execFile } from 'node:child_process'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { missingInTree, openTree } from './debian-tree.ts'

const ROOT = path.join(import.meta.dirname, '..')
const TIMEOUT_MS = 480_000
const IMPORTS = 'import anyio, build, hatchling, httpx, pydantic, pytest, twine, venv'
const HAS_ALL = `${IMPORTS}; import sys; assert sys.version_info >= (3, 10) and pydantic.VERSION[0] == "2"`
/** Changes to a folder and runs a command: a program in the tree begins at its root. */
const IN_FOLDER = ['-c', 'cd "$1" && shift && exec "$@"', 'sh']

interface RunOptions {
  cwd?: string
  env?: Record<string, string>
}

export interface Python {
  /** An empty folder as this machine sees it, removed by `close`. */
  folder: string
  /** The same folder as Python sees it. */
  inside: string
  /** Runs a command in a folder below `inside`, to its end. Throws with all of its output if it fails. */
  run(command: string[], options?: RunOptions): Promise<string>
  /** The folders of installed packages, as this machine sees them. */
  packages: string[]
  close(): Promise<void>
}

export async function openPython(): Promise<Python> {
  const run = promisify(execFile)
  const isHere = await run('python3', ['-c', HAS_ALL]).then(
    () => true,
    () => false,
  )
  if (!isHere && missingInTree() !== '')
    throw new Error(
      'python3 needs these packages: httpx pydantic>=2 pytest build hatchling twine; ' +
        `or run scripts/debian-tree.sh as root; missing: ${missingInTree()}`,
    )
  return isHere ? openHere() : openInTree()
}

async function openHere(): Promise<Python> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'legwork-python-'))
  const run = (command: string[], { cwd = '.', env = {} }: RunOptions = {}) =>
    output(async () => {
      const [program, ...args] = command
      const { stdout } = await promisify(execFile)(program!, args, {
        cwd: path.join(folder, cwd),
        env: { ...process.env, ...settings(env) },
        timeout: TIMEOUT_MS,
        maxBuffer: 64 * 1024 * 1024,
      })
      return stdout
    })
  const packages = await packagesOf(run)
  return {
    folder,
    inside: folder,
    // An environment made from another one, such as that of a developer, doesn't see the other's packages.
    run: (command, options = {}) => {
      const paths = [options.env?.PYTHONPATH, ...packages].filter((one) => one !== undefined)
      return run(command, { ...options, env: { ...options.env, PYTHONPATH: paths.join(':') } })
    },
    packages,
    close: () => rm(folder, { recursive: true, force: true }),
  }
}

async function openInTree(): Promise<Python> {
  const tree = await openTree('python')
  const root = tree.folder.slice(0, -tree.inside.length)
  const run = (command: string[], { cwd = '.', env = {} }: RunOptions = {}) =>
    output(() =>
      tree.run('/bin/sh', [...IN_FOLDER, path.join(tree.inside, cwd), ...command], {
        env: settings(env),
        timeoutMs: TIMEOUT_MS,
      }),
    )
  return {
    folder: tree.folder,
    inside: tree.inside,
    run,
    packages: (await packagesOf(run)).map((folder) => path.join(root, folder)),
    close: () => tree.stop(),
  }
}

/** Copies the Python SDK to the folder `sdk`, without anything built. */
export async function copySdk(python: Python): Promise<string> {
  const to = path.join(python.folder, 'sdk')
  await cp(path.join(ROOT, 'python'), to, {
    recursive: true,
    filter: (file) => !/\/(?:__pycache__|dist)$/.test(file),
  })
  return to
}

/** Builds and checks the wheel and the source distribution; returns their names, which are in the folder `dist`. */
export async function buildSdk(python: Python): Promise<{ wheel: string; sdist: string }> {
  await copySdk(python)
  // Without isolation the build takes hatchling from this Python instead of a package index.
  const args = ['--no-isolation', '--outdir', path.join(python.inside, 'dist')]
  const said = await python.run([
    'python3',
    '-m',
    'build',
    ...args,
    path.join(python.inside, 'sdk'),
  ])
  const [wheel, sdist] = [/\S+\.whl/, /legwork\S+\.tar\.gz/].map((name) => name.exec(said)?.[0])
  if (!wheel || !sdist) throw new Error(`the build names no wheel and no sdist:\n${said}`)
  await python.run([
    'python3',
    '-m',
    'twine',
    'check',
    '--strict',
    `dist/${wheel}`,
    `dist/${sdist}`,
  ])
  return { wheel, sdist }
}

async function packagesOf(run: Python['run']): Promise<string[]> {
  const code = [
    'import json, os, sys',
    'given = os.environ.get("PYTHONPATH", "").split(":")',
    'print(json.dumps([p for p in sys.path if p.endswith("-packages") or p in given]))',
  ].join('\n')
  const found = JSON.parse(await run(['python3', '-c', code])) as string[]
  return found.filter((folder) => folder !== '')
}

/** No setting of this machine's shell changes what a test does. */
const settings = (env: Record<string, string>) => ({
  PYTHONDONTWRITEBYTECODE: '1',
  PYTHONUTF8: '1',
  PIP_NO_INDEX: '1',
  PIP_FIND_LINKS: '',
  PIP_DISABLE_PIP_VERSION_CHECK: '1',
  ...env,
})

async function output(run: () => Promise<string>): Promise<string> {
  try {
    return await run()
  } catch (error) {
    const { stdout, stderr } = error as { stdout?: string; stderr?: string }
    // Without the error as its cause, which repeats the output.
    throw stdout === undefined ? error : new Error(`${stdout}\n${stderr ?? ''}`)
  }
}
