/**
 * Hooks for a single test file.
 *
 * Several files share one process, which imports all of them before the first test. A hook registered outside of a
 * suite therefore applies to all files: `afterEach` would run after each test of every other file, and `after` only
 * when all files are done, while everything the file has started keeps running until then. If `after` threw, the runner
 * would count no failure, exit with 0, and skip the remaining hooks.
 */
import { after, afterEach, beforeEach } from 'node:test'

interface End {
  /** Undefined for what files share: that ends with the process. */
  file: string | undefined
  run(): Promise<void>
}

const STACK_DEPTH = 50
let ends: End[] = []
let current: string | undefined

/** Runs when the tests of this file are done. */
export function atEnd(run: End['run']): void {
  ends.push({ file: callingFile(), run })
}

/** Runs after each test of this file. */
export function afterEachHere(run: () => Promise<unknown>): void {
  const here = callingFile()
  afterEach(async (test) => {
    if (fileOf(test) === here) await run()
  })
}

beforeEach(async (test) => {
  const file = fileOf(test)
  if (file === current) return
  const ended = current
  current = file
  if (ended !== undefined) await end((one) => one.file === ended)
})

after(() => end(() => true))

async function end(isOver: (end: End) => boolean): Promise<void> {
  const { over = [], later = [] } = Object.groupBy(ends, (one) => (isOver(one) ? 'over' : 'later'))
  ends = later
  // In reverse order, because later resources may need earlier ones.
  for (const { run } of over.toReversed()) {
    try {
      await run()
    } catch (error) {
      process.exitCode = 1
      console.error(error)
    }
  }
}

/** The runner's types do not include a test's file path yet. */
const fileOf = (test: object) => (test as { filePath?: string }).filePath

function callingFile(): string | undefined {
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = STACK_DEPTH
  const { stack = '' } = new Error('where')
  Error.stackTraceLimit = stackTraceLimit
  return /file:\/\/(\S+\.test\.ts):\d/.exec(stack)?.[1]
}
