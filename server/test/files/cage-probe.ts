/** Tries, inside the cage, what a file that took over the media process would try, and reports what happened. */
import { openSync, readFileSync, writeSync } from 'node:fs'
import { connect } from 'node:net'

export interface Tried {
  /** An error code, or `done`. */
  network: string
  environment: string
  memory: string
  largeFile: string
}

const [port, file] = process.argv.slice(2)

const attempt = (action: () => unknown) => {
  try {
    action()
    return 'done'
  } catch (error) {
    return String((error as NodeJS.ErrnoException).code)
  }
}

const network = await new Promise<string>((resolve) => {
  connect(Number(port), '127.0.0.1')
    .on('connect', () => resolve('done'))
    .on('error', ({ code }: NodeJS.ErrnoException) => resolve(String(code)))
})
const tried: Tried = {
  network,
  environment: attempt(() => readFileSync(`/proc/${process.ppid}/environ`)),
  memory: attempt(() => readFileSync(`/proc/${process.ppid}/maps`)),
  // A sparse file, so that it costs the test nothing.
  largeFile: attempt(() => writeSync(openSync(file!, 'w'), 'x', 300_000_000)),
}
process.send!(tried, () => process.exit())
