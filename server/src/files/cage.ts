/**
 * The cage of a process that opens untrusted files, made of programs that every Debian has. It needs no root.
 *
 * - In a user namespace of its own the process can't read the environment or the memory of the server, although both
 *   run as the same user. Without it, /proc/<parent>/environ is open to the process.
 * - In a network namespace of its own it has no network, not even loopback.
 * - It can't fill the disk with one file or with a core dump, and can't open many files.
 *
 * Where the system forbids namespaces, as many containers do, the limits remain; see docs/security.md.
 */
import { execFile } from 'node:child_process'

const NAMESPACES = ['/usr/bin/unshare', '--user', '--map-current-user', '--net', '--ipc', '--']
/** Larger than any cleaned file. */
const FILE_MAX_BYTES = 268_435_456
const FILES_OPEN_MAX = 128
const LIMITS = [
  '/usr/bin/prlimit',
  '--core=0',
  `--nofile=${FILES_OPEN_MAX}`,
  `--fsize=${FILE_MAX_BYTES}`,
  '--',
]

export interface Cage {
  /** The command that runs the program which follows it in the cage. Empty where the system has no such programs. */
  command: string[]
  /** False where the system forbids namespaces. */
  hasNamespaces: boolean
}

let known: Promise<Cage> | undefined

export function openCage(): Promise<Cage> {
  known ??= find()
  return known
}

async function find(): Promise<Cage> {
  const [hasNamespaces, hasLimits] = await Promise.all([runs(NAMESPACES), runs(LIMITS)])
  const command = [...(hasNamespaces ? NAMESPACES : []), ...(hasLimits ? LIMITS : [])]
  return { command, hasNamespaces }
}

const runs = ([program, ...args]: string[]) =>
  new Promise<boolean>((resolve) => {
    execFile(program!, [...args, '/usr/bin/true'], { env: {} }, (error) => resolve(error === null))
  })
