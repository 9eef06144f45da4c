/** The parent side: a small pool of media processes, each with one file at a time and limits on memory and time. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { unavailable } from '../kit/errors.ts'
import { inSpan } from '../kit/traces.ts'
import { openCage } from './cage.ts'
import { FileRefused } from './refused.ts'
import type { Order, Outcome, Report } from './media-child.ts'

const CHILD = path.join(import.meta.dirname, 'media-child.ts')
/** The JavaScript heap only; pictures are not on it. */
const HEAP_MAX_MB = 96
const WATCH_MS = 20
const START_MAX_MS = 30_000
const WAITING_MAX = 100
const PAGE_BYTES = 4096
const TICK_MS = 10
/** `timeoutMs` limits CPU time. On a busy machine that takes longer, so the wall-clock limit is this many times it. */
const WALL_FACTOR = 4
/** A nice process gets about a third of the others' CPU time on a busy machine, so it gets a longer limit. */
const NICENESS = 5
const NICE_FACTOR = 3

export interface MediaLimits {
  processes: number
  timeoutMs: number
  rssMaxMb: number
  /** Run with a lower priority than other processes. */
  isNice?: boolean
}

/** Resource usage, for tests and for sizing machines. */
export interface MediaUse {
  peakRssMb: number
  slowestCpuMs: number
  killed: number
}

export type Media = ReturnType<typeof openMedia>

class TooMuchMemory extends FileRefused {
  constructor() {
    super('needs too much memory to check: send a smaller file')
  }
}

export function openMedia({ processes, timeoutMs, rssMaxMb, isNice = false }: MediaLimits) {
  const idle: ChildProcess[] = []
  const all = new Set<ChildProcess>()
  const used = new WeakSet<ChildProcess>()
  const waiting: ((child: ChildProcess | undefined) => void)[] = []
  const wallMs = timeoutMs * WALL_FACTOR * (isNice ? NICE_FACTOR : 1)
  const use: MediaUse = { peakRssMb: 0, slowestCpuMs: 0, killed: 0 }
  let busy = 0
  let isClosed = false

  /** Cleans a file and writes the result to `output`. Throws FileRefused if the file is refused. */
  const clean = (order: Order): Promise<Outcome> => inSpan('clean file', {}, () => cleanIn(order))

  async function cleanIn(order: Order): Promise<Outcome> {
    let child = await take()
    try {
      if (used.has(child)) {
        try {
          return await run(child, order)
        } catch (error) {
          // Memory left over from earlier files counted against this one, so retry it in a new process.
          if (!(error instanceof TooMuchMemory)) throw error
          child = await start()
        }
      }
      used.add(child)
      return await run(child, order)
    } finally {
      giveBack(child)
    }
  }

  const run = (child: ChildProcess, order: Order) =>
    runOrder(child, order, { timeoutMs, wallMs, rssMaxMb, use, onDead: () => all.delete(child) })

  async function take(): Promise<ChildProcess> {
    if (isClosed || waiting.length >= WAITING_MAX) throw unavailable({ retry_after_seconds: 2 })
    const free = busy < processes
    if (free) busy += 1
    const child = free ? idle.pop() : await new Promise<ChildProcess | undefined>(queue)
    try {
      return child ?? (await start())
    } catch (error) {
      giveBack(undefined)
      throw error
    }
  }

  const queue = (resolve: (child: ChildProcess | undefined) => void) => void waiting.push(resolve)

  function giveBack(child: ChildProcess | undefined): void {
    const alive = child !== undefined && all.has(child) ? child : undefined
    const next = waiting.shift()
    if (next) return next(alive)
    busy -= 1
    if (alive) idle.push(alive)
  }

  async function start(): Promise<ChildProcess> {
    const { command } = await openCage()
    if (isClosed) throw unavailable({ retry_after_seconds: 2 })
    const child = forkChild(command)
    all.add(child)
    if (isNice && child.pid !== undefined) giveWay(child.pid)
    child.once('exit', () => {
      all.delete(child)
      const at = idle.indexOf(child)
      if (at >= 0) idle.splice(at, 1)
    })
    // An unhandled 'error' event would end the server. The exit listener handles the rest.
    child.on('error', () => all.delete(child))
    if (!(await becomesReady(child))) throw unavailable({ retry_after_seconds: 2 })
    // An idle process must not keep the server from exiting.
    child.unref()
    child.channel?.unref()
    return child
  }

  return {
    clean,
    use: (): Readonly<MediaUse> => use,
    async close(): Promise<void> {
      isClosed = true
      const children = [...all]
      const gone = children.map((child) => once(child, 'exit'))
      for (const child of children) {
        child.ref()
        child.kill('SIGKILL')
      }
      await Promise.all(gone)
    },
  }
}

function forkChild(command: readonly string[]): ChildProcess {
  const [program, ...args] = [...command, process.execPath]
  return fork(CHILD, [], {
    // The programs of the cage replace themselves with Node, so its process id is the child's.
    execPath: program!,
    execArgv: [
      ...args,
      `--max-old-space-size=${HEAP_MAX_MB}`,
      '--disable-warning=ExperimentalWarning',
    ],
    // Pass none of our environment: it contains keys and the database URL.
    env: { MALLOC_ARENA_MAX: '2', TZ: 'UTC' },
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
}

async function becomesReady(child: ChildProcess): Promise<boolean> {
  const late = setTimeout(() => child.kill('SIGKILL'), START_MAX_MS)
  const isReady = await Promise.race([
    once(child, 'message').then(() => true),
    once(child, 'exit').then(() => false),
  ]).catch(() => false)
  clearTimeout(late)
  return isReady
}

interface RunOptions extends Pick<MediaLimits, 'timeoutMs' | 'rssMaxMb'> {
  wallMs: number
  /** Is updated while the order runs. */
  use: MediaUse
  /** Called when the process was killed or has exited. */
  onDead: () => void
}

/** Sends a file to a process, waits for the result, and kills the process if it exceeds a limit. */
function runOrder(
  child: ChildProcess,
  order: Order,
  { timeoutMs, wallMs, rssMaxMb, use, onDead }: RunOptions,
): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const kill = (refusal: FileRefused) => {
      use.killed += 1
      onDead()
      child.kill('SIGKILL')
      end(() => reject(refusal))
    }
    const tooLong = () =>
      kill(new FileRefused('takes too long to check: send a smaller or simpler file'))
    const timer = setTimeout(tooLong, wallMs)
    const cpuBefore = cpuMsOf(child)
    const watch = setInterval(() => {
      const rssMb = rssOf(child)
      use.peakRssMb = Math.max(use.peakRssMb, rssMb)
      if (rssMb > rssMaxMb) kill(new TooMuchMemory())
      else if (cpuMsOf(child) - cpuBefore > timeoutMs) tooLong()
    }, WATCH_MS)
    const onExit = () => {
      onDead()
      end(() => reject(new FileRefused('can’t be opened: send another file')))
    }
    const onMessage = (report: Report) => {
      if ('isReady' in report) return
      use.slowestCpuMs = Math.max(use.slowestCpuMs, report.cpuMs)
      use.peakRssMb = Math.max(use.peakRssMb, rssOf(child))
      if ('outcome' in report) end(() => resolve(report.outcome))
      else if ('refused' in report) end(() => reject(new FileRefused(report.refused)))
      else if ('diskError' in report)
        end(() => reject(Object.assign(new Error(report.message), { code: report.diskError })))
      else end(() => reject(new Error(`the media process failed: ${report.defect}`)))
    }
    function end(tell: () => void) {
      clearTimeout(timer)
      clearInterval(watch)
      child.off('exit', onExit).off('message', onMessage)
      tell()
    }
    child.on('exit', onExit).on('message', onMessage)
    child.send(order, (error) => error && onExit())
  })
}

/** Best effort: the process may have exited already, and not every system supports priorities. */
function giveWay(pid: number): void {
  try {
    os.setPriority(pid, NICENESS)
  } catch {
    // It runs with normal priority.
  }
}

/** Resident memory in MB; 0 if the system has no /proc. */
const rssOf = ({ pid }: ChildProcess) =>
  (Number(procOf(pid, 'statm')?.split(' ')[1] ?? 0) * PAGE_BYTES) / 1_048_576

/** CPU time in ms: fields 14 and 15 of /proc/pid/stat, counted after the process name, which may contain spaces. */
function cpuMsOf({ pid }: ChildProcess): number {
  const fields = procOf(pid, 'stat')?.split(') ')[1]?.split(' ')
  return (Number(fields?.[11] ?? 0) + Number(fields?.[12] ?? 0)) * TICK_MS
}

function procOf(pid: number | undefined, file: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'latin1')
  } catch {
    return undefined
  }
}
