import { after } from 'node:test'

/**
 * What is done when all tests of this process have run, and must not fail. Were the hook to throw, the runner would
 * count no failure, end with 0, and leave out the hooks after it.
 */
export function atEnd(run: () => Promise<void>): void {
  after(async () => {
    try {
      await run()
    } catch (error) {
      process.exitCode = 1
      console.error(error)
    }
  })
}
