/** Processes that get killed, each restarted at once. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { kill } from '../jobs-child.ts'

interface Scope {
  after(end: () => Promise<unknown>): void
}

export type Fleet = Awaited<ReturnType<typeof startFleet>>

/** Resolves when all of them have reported ready. */
export async function startFleet(
  scope: Scope,
  { file, size, env }: { file: string; size: number; env: Record<string, string> },
) {
  const children: ChildProcess[] = []
  const ready: Promise<void>[] = []
  const unasked: string[] = []
  const condemned = new Set<ChildProcess>()
  let leapMs = 0
  let killed = 0
  let isStopping = false

  async function start(n: number): Promise<void> {
    const child = fork(file, {
      // Without our own flags: they may include --test, and the child is not a test.
      execArgv: [],
      env: { ...env, LEAP_MS: String(leapMs) },
    })
    children[n] = child
    child.once('exit', (code, signal) => {
      if (isStopping) return
      if (!condemned.has(child)) unasked.push(`${file} ended by itself: ${code ?? signal}`)
      ready[n] = start(n)
    })
    await Promise.race([once(child, 'message'), once(child, 'exit')])
  }

  for (let n = 0; n < size; n += 1) ready.push(start(n))
  await Promise.all(ready)
  async function stop(): Promise<void> {
    isStopping = true
    await Promise.all(children.map(kill))
  }
  scope.after(stop)

  return {
    size,
    get killed() {
      return killed
    },
    /** Deaths that the test did not cause. */
    unasked,

    /** Resolves when all of them are running. */
    async whole(): Promise<void> {
      await Promise.all(ready)
    },

    /** Kills with SIGKILL. */
    async kill(n: number): Promise<void> {
      await ready[n]
      const child = children[n]!
      condemned.add(child)
      killed += 1
      await kill(child)
    },

    /** Freezes it in the middle of whatever it does; it resumes when thawed. */
    async freeze(n: number): Promise<() => void> {
      await ready[n]
      const child = children[n]!
      child.kill('SIGSTOP')
      return () => child.kill('SIGCONT')
    },

    /** Makes their clocks skip this much time. */
    async leap(ms: number): Promise<void> {
      leapMs += ms
      await Promise.all(ready)
      for (const child of children) child.send(leapMs)
    },

    /** Kills all of them without a restart. */
    stop,
  }
}
