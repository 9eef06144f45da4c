/** Runs the real CLI process as a user would, in a temporary folder against the test's server. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { atEnd } from '../../server/test/hooks.ts'

const MAIN = path.join(import.meta.dirname, '../src/main.ts')
const LOOK_MS = 20
/** Stripping types is most of the startup time; with the compile cache, a start takes a quarter as long. */
const CACHE = mkdtempSync(path.join(os.tmpdir(), 'legwork-cli-cache-'))
process.once('exit', () => rmSync(CACHE, { recursive: true, force: true }))

export interface Ended {
  code: number | null
  stdout: string
  stderr: string
  /** The objects printed with --json. */
  // oxlint-disable-next-line typescript/no-explicit-any
  objects: Record<string, any>[]
}

export interface Environment {
  LEGWORK_URL?: string
  LEGWORK_API_KEY?: string
  [name: string]: string | undefined
}

/** Creates a folder that is removed after the file's tests. */
export function openFolder(): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'legwork-cli-'))
  atEnd(async () => rmSync(folder, { recursive: true, force: true }))
  return folder
}

export function openCli(environment: Environment, folder = openFolder()) {
  return {
    folder,
    run: (...args: string[]): Promise<Ended> => start(args, { environment, folder }).ended,
    start: (...args: string[]) => start(args, { environment, folder }),
  }
}

function start(
  args: string[],
  { environment, folder }: { environment: Environment; folder: string },
) {
  const { PATH, HOME } = process.env
  const child = spawn(process.execPath, [MAIN, ...args], {
    cwd: folder,
    env: { PATH, HOME, NODE_COMPILE_CACHE: CACHE, ...environment },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  const said = collect(child)
  const ended = once(child, 'close').then(
    ([code]): Ended => ({
      code: code as number | null,
      ...said,
      objects: objectsOf(said.stdout),
    }),
  )
  // Except for `listen`, tests type nothing.
  if (args[0] !== 'listen') child.stdin.end()
  return {
    ended,
    said,
    objects: () => objectsOf(said.stdout.slice(0, said.stdout.lastIndexOf('\n') + 1)),
    type: (text: string) => child.stdin.write(text),
    kill: (signal: NodeJS.Signals = 'SIGKILL') => child.kill(signal),
    /** Polls until the condition holds; the test's timeout limits it. */
    async until(isSo: () => boolean): Promise<void> {
      while (!isSo()) {
        if (child.exitCode !== null) throw new Error(`it ended: ${said.stdout}${said.stderr}`)
        await pause(LOOK_MS)
      }
    },
  }
}

function collect(child: ChildProcess) {
  const said = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const)
    child[name]!.setEncoding('utf8').on('data', (text: string) => {
      said[name] += text
    })
  return said
}

function objectsOf(text: string): Ended['objects'] {
  return text
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Ended['objects'][number])
}
