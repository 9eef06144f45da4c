/**
 * Three machines on one switch, as network namespaces of this machine: a link can be cut, and everything that runs on
 * a machine is known by its namespace. The addresses are from the range for benchmarks and have no route to any other
 * network. Needs root.
 */
import { execFileSync, spawn } from 'node:child_process'
import { randomBytes, randomInt } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

const NAMES = ['db1', 'db2', 'db3'] as const

/** Kills everything in the namespaces and removes them when the test process is gone. */
const CLEAN_UP = `
  read -r line
  for space in "$@"; do ip netns pids "$space" | xargs -r kill -KILL; done
  for space in "$@"; do ip netns delete "$space"; done`

export interface Machine {
  name: string
  namespace: string
  address: string
  /** What runs on it: the process ids, optionally only those of a program or with a word in their title. */
  processes(of?: { program?: string; word?: string }): number[]
  /** Kill -9 of everything on it. */
  killAll(): Promise<void>
  cut(): void
  heal(): void
}

export type Network = Awaited<ReturnType<typeof openNetwork>>

export async function openNetwork() {
  const id = randomBytes(3).toString('hex')
  const subnet = `198.18.${randomInt(256)}`
  const hub = `legwork-${id}-hub`
  const namespaces = [hub, ...NAMES.map((name) => `legwork-${id}-${name}`)]

  const guard = spawn('/bin/sh', ['-c', CLEAN_UP, 'sh', ...namespaces], {
    cwd: '/',
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  await once(guard, 'spawn')
  guard.stdin.on('error', () => {})
  guard.unref()

  // The switch has a namespace of its own, because a firewall of this machine could drop what crosses a bridge.
  ip('netns', 'add', hub)
  inside(hub, 'link', 'add', 'switch', 'type', 'bridge')
  inside(hub, 'link', 'set', 'switch', 'up')
  const uplink = `legwork${id}`
  plug(hub, 'uplink', { name: uplink, of: String(process.pid) })
  ip('address', 'add', `${subnet}.1/24`, 'dev', uplink)
  ip('link', 'set', uplink, 'up')

  const machines = NAMES.map((name, i): Machine => {
    const namespace = `legwork-${id}-${name}`
    const address = `${subnet}.${11 + i}`
    ip('netns', 'add', namespace)
    plug(hub, name, { name: 'eth0', of: namespace })
    inside(namespace, 'address', 'add', `${address}/24`, 'dev', 'eth0')
    inside(namespace, 'link', 'set', 'eth0', 'up')
    inside(namespace, 'link', 'set', 'lo', 'up')
    const processes: Machine['processes'] = ({ program, word } = {}) =>
      ip('netns', 'pids', namespace)
        .split('\n')
        .filter(Boolean)
        .map(Number)
        .filter((pid) => program === undefined || read(pid, 'comm').trim() === program)
        .filter((pid) => word === undefined || read(pid, 'cmdline').includes(word))
    return {
      name,
      namespace,
      address,
      processes,
      async killAll() {
        for (let pids = processes(); pids.length > 0; pids = processes()) {
          signal(pids, 'SIGKILL')
          await sleep(20)
        }
      },
      cut: () => void inside(hub, 'link', 'set', name, 'down'),
      heal: () => void inside(hub, 'link', 'set', name, 'up'),
    }
  })

  return {
    machines,
    async close() {
      for (const machine of machines) await machine.killAll()
      guard.ref()
      const ended = once(guard, 'exit')
      guard.stdin.end()
      await ended
    },
  }
}

/** A process may exit after it was listed. */
export function signal(pids: number[], name: NodeJS.Signals): void {
  for (const pid of pids)
    try {
      process.kill(pid, name)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
    }
}

/** A cable from a port of the switch to an interface of another namespace, given by its name or a process of it. */
function plug(hub: string, port: string, { name, of }: { name: string; of: string }): void {
  inside(hub, 'link', 'add', port, 'type', 'veth', 'peer', 'name', name, 'netns', of)
  inside(hub, 'link', 'set', port, 'master', 'switch')
  inside(hub, 'link', 'set', port, 'up')
}

function ip(...args: string[]): string {
  return execFileSync('ip', args, { encoding: 'utf8' })
}

function inside(namespace: string, ...args: string[]): string {
  return ip('-netns', namespace, ...args)
}

function read(pid: number, file: 'comm' | 'cmdline'): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8')
  } catch {
    return ''
  }
}
