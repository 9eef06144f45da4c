/**
 * Runs servers from the Debian tree that scripts/debian-tree.sh makes. Each program runs in a chroot as an
 * unprivileged user, in its own mount namespace with its own /proc and /dev/shm, and in its own process group. Needs
 * root.
 */
import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, closeSync, openSync, readFileSync } from 'node:fs'
import { chown, mkdir, mkdtemp, rm } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'

const MAKE = path.join(import.meta.dirname, 'debian-tree.sh')
const TREE = process.env.LEGWORK_TREE ?? '/var/cache/legwork/forky'
const PATHS = ['/usr/lib/postgresql/18/bin', '/usr/local/bin', '/usr/bin', '/bin', '/usr/sbin']
const RUN_TIMEOUT_MS = 120_000
const STOP_TIMEOUT_MS = 30_000

/** Mounts are seen only by the program, so nothing has to be unmounted. */
const ENTER = `
  mount -t proc proc "$1/proc" && mount -t tmpfs -o mode=1777 tmpfs "$1/dev/shm" || exit 1
  tree=$1; user=$2; shift 2
  exec chroot --userspec="$user:$user" "$tree" "$@"`

/** Kills every recorded process group and removes the run folder when the test process is gone. */
const CLEAN_UP = `
  read -r line
  if [ -e "$1/groups" ]; then while read -r group; do kill -KILL "-$group" 2>/dev/null; done <"$1/groups"; fi
  rm -rf "$1"`

export interface Launch {
  /** Default postgres. */
  user?: string
  env?: Record<string, string>
  /** A network namespace that exists on this machine, by its name. */
  network?: string
  /** Receives stdout and stderr; a path on this machine. */
  log?: string
  /** How long `run` waits; two minutes by default. */
  timeoutMs?: number
}

export interface Tree {
  /** The run folder as this machine sees it. It belongs to the user postgres and is removed by `stop`. */
  folder: string
  /** The same folder as a program in the tree sees it. */
  inside: string
  /** Starts a program in its own process group. */
  start(program: string, args: string[], launch?: Launch): Promise<ChildProcess>
  /** Runs a program to its end; throws with its output if it fails. */
  run(program: string, args: string[], launch?: Launch): Promise<string>
  /** Kills every process group that `start` began, and removes the folder. */
  stop(): Promise<void>
}

/** Names the missing programs, or returns an empty string. */
export function missingInTree(): string {
  return spawnSync(MAKE, ['--check'], { encoding: 'utf8' }).stderr.trim()
}

export async function openTree(name: string): Promise<Tree> {
  const missing = missingInTree()
  if (missing !== '') throw new Error(`run scripts/debian-tree.sh as root; missing: ${missing}`)
  const runs = path.join(TREE, 'var/tmp')
  await mkdir(runs, { recursive: true })
  const folder = await mkdtemp(path.join(runs, `legwork-${name}-`))
  const { uid, gid } = userInTree('postgres')
  await chown(folder, uid, gid)
  const groups = path.join(folder, 'groups')
  const children: ChildProcess[] = []

  const guard = spawn('/bin/sh', ['-c', CLEAN_UP, 'sh', folder], {
    cwd: '/',
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  guard.stdin.on('error', () => {})
  guard.unref()

  return {
    folder,
    inside: `/${path.relative(TREE, folder)}`,
    async start(program, args, launch = {}) {
      const log = launch.log === undefined ? 'ignore' : openSync(launch.log, 'a')
      const [command, ...rest] = commandLine(program, args, launch)
      const child = spawn(command!, rest, {
        cwd: '/',
        env: environment(launch),
        detached: true,
        stdio: ['ignore', log, log],
      })
      if (log !== 'ignore') closeSync(log)
      await once(child, 'spawn')
      appendFileSync(groups, `${child.pid}\n`)
      children.push(child)
      child.unref()
      return child
    },
    async run(program, args, launch = {}) {
      const [command, ...rest] = commandLine(program, args, launch)
      const { stdout } = await promisify(execFile)(command!, rest, {
        cwd: '/',
        env: environment(launch),
        timeout: launch.timeoutMs ?? RUN_TIMEOUT_MS,
        maxBuffer: 64 * 1024 * 1024,
      })
      return stdout
    },
    async stop() {
      for (const child of children) await killGroup(child)
      guard.ref()
      const ended = once(guard, 'exit')
      guard.stdin.end()
      await ended
      await rm(folder, REMOVAL)
    },
  }
}

/** For folders of a killed server: PostgreSQL's processes write on for a moment after the first of them was killed. */
export const REMOVAL = { recursive: true, force: true, maxRetries: 20, retryDelay: 100 } as const

/** Kills a program and what it started, unless that began a session of its own. */
export async function killGroup(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.ref()
  const exited = once(child, 'exit', { signal: AbortSignal.timeout(STOP_TIMEOUT_MS) })
  try {
    process.kill(-child.pid!, 'SIGKILL')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
  await exited
}

/** The ids of a user of the tree; this machine may give another user the same id. */
export function userInTree(name: string): { uid: number; gid: number } {
  const line = readFileSync(path.join(TREE, 'etc/passwd'), 'utf8')
    .split('\n')
    .map((one) => one.split(':'))
    .find(([user]) => user === name)
  if (!line) throw new Error(`the Debian tree has no user ${name}`)
  return { uid: Number(line[2]), gid: Number(line[3]) }
}

function commandLine(program: string, args: string[], { user = 'postgres', network }: Launch) {
  const inNetwork = network === undefined ? [] : ['ip', 'netns', 'exec', network]
  const enter = ['unshare', '--mount', '--propagation', 'private', '/bin/sh', '-c', ENTER, 'sh']
  return [...inNetwork, ...enter, TREE, user, program, ...args]
}

function environment({ env }: Launch): NodeJS.ProcessEnv {
  const search = [...PATHS, '/sbin', '/usr/local/sbin'].join(':')
  return { PATH: search, HOME: '/tmp', LC_ALL: 'C.UTF-8', TZ: 'UTC', ...env }
}
