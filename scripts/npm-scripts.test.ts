/**
 * Every script of package.json is run by `.ci/run`: by a check, by its own test, or here. A script that is never run
 * rots.
 */
import assert from 'node:assert/strict'
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, test } from 'node:test'
import { promisify, stripVTControlCharacters } from 'node:util'
import { freshDatabase } from '../server/test/harness.ts'
import { NESTED_ENV } from './nested-env.ts'
import { freePort } from './postgres.ts'

const ROOT = path.join(import.meta.dirname, '..')
const { scripts } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>
}
const run = promisify(execFile)
/** How long a server may take to start on a busy machine. */
const START_MAX_MS = 180_000

const npm = (args: string[], env: NodeJS.ProcessEnv = {}) =>
  run('npm', args, { cwd: ROOT, env: { ...NESTED_ENV, ...env }, maxBuffer: 100_000_000 })

/** Run by this test, or by `.ci/run` itself. */
const ELSEWHERE: Record<string, string> = {
  check: '.ci/run',
  'check:deep': '.ci/run',
  demo: 'scripts/demo.test.ts',
  dev: 'scripts/dev.test.ts',
  nightly: 'scripts/nightly.test.ts',
  pack: 'scripts/pack.test.ts',
  // Both use one world, because building it takes a minute.
  pictures: 'scripts/demo.test.ts',
  story: 'scripts/story.test.ts',
  // Trains, and compares with the committed weights instead of writing them.
  'train:wording': 'server/test/screening/train.test.ts',
}

/** `node scripts/test.ts <path>`: `.ci/run` runs the same tests, scaled down to fit. */
const TESTS = /^(?:[A-Z_]+=\S* )*node scripts\/test\.ts (?<paths>[\w/. -]+)$/

const HERE: Record<string, () => Promise<unknown>> = {
  test: () => npm(['test', '--', 'server/src/kit/money.test.ts']),
  build: () => npm(['run', 'build']),
  format: () => npm(['run', 'format']),
  screenshots: () => npm(['run', 'screenshots'], { SCREENS: 'not-found' }),
  'db:migrate': async () => {
    await npm(['run', 'db:migrate'], { DATABASE_URL: await freshDatabase() })
  },
  'dev:web': async () => {
    const port = await freePort()
    const child = spawn('npm', ['run', 'dev:web', '--', '--port', String(port)], {
      cwd: ROOT,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    await stops(child, said(child, `:${port}/`))
  },
  start: async () => {
    const child = spawn('npm', ['start'], {
      cwd: ROOT,
      detached: true,
      env: {
        ...NESTED_ENV,
        DATABASE_URL: await freshDatabase(),
        PORT: String(await freePort()),
        OPS_PORT: String(await freePort()),
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    await stops(child, said(child, 'started'))
  },
  // Ceph and ffmpeg aren't installed on every machine; without them, the scripts print how to install them.
  'test:s3': () => runsOrAsks(['run', 'test:s3']),
  'compare:media': () => runsOrAsks(['run', 'compare:media', '--', '--small']),
}

async function runsOrAsks(args: string[]): Promise<void> {
  const { code } = await npm(args).then(
    () => ({ code: 0 }),
    (error: { code: number; stderr: string; stdout: string }) => {
      assert.match(error.stderr + error.stdout, /apt-get install/)
      return error
    },
  )
  assert(code === 0 || code === 1)
}

describe('a script of package.json', () => {
  test('is run by a check, by a test, or here', () => {
    const checks = readFileSync(path.join(ROOT, 'scripts/check.ts'), 'utf8')
    const unstarted = Object.entries(scripts).filter(([name, command]) => {
      const file = /^node (?<file>\S+)$/.exec(command)?.groups?.file
      if (HERE[name] || checks.includes(`'${name}'`) || checks.includes(`'${file}'`)) return false
      if (ELSEWHERE[name]) return !existsSync(path.join(ROOT, ELSEWHERE[name]))
      const paths = TESTS.exec(command)?.groups?.paths?.split(' ') ?? []
      return paths.length === 0 || !paths.every((file) => existsSync(path.join(ROOT, file)))
    })
    assert.deepEqual(unstarted, [])
  })

  for (const [name, start] of Object.entries(HERE))
    test(`runs: ${name}`, async () => {
      await start()
    })
})

/** Resolves once the child has printed `text`; rejects if it exits before. */
async function said(child: ChildProcess, text: string): Promise<void> {
  let output = ''
  const { promise, resolve, reject } = Promise.withResolvers<undefined>()
  for (const stream of [child.stdout!, child.stderr!])
    stream.setEncoding('utf8').on('data', (part: string) => {
      output += stripVTControlCharacters(part)
      if (output.includes(text)) resolve(undefined)
    })
  child.once('exit', (code) => reject(new Error(`ended with ${code}:\n${output}`)))
  const late = setTimeout(() => reject(new Error(`has not said ${text}:\n${output}`)), START_MAX_MS)
  try {
    await promise
  } finally {
    clearTimeout(late)
  }
}

async function stops(child: ChildProcess, isUp: Promise<void>): Promise<void> {
  try {
    await isUp
  } finally {
    if (child.exitCode === null && child.pid !== undefined) {
      const ended = once(child, 'exit')
      process.kill(-child.pid, 'SIGTERM')
      await ended
    }
  }
}
