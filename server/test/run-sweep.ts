import type { Background, Job, Sweep } from '../src/kit/job.ts'
import { sweepOnce } from '../src/runner/sweep.ts'

/** Runs one pass of a timer over the rows due now, and returns how many it moved. */
export const runSweep = async (background: Background, sweep: Sweep): Promise<number> =>
  (await sweepOnce(background, sweep, new Map())).moved

interface Places {
  backgrounds(work: { isGlobal?: boolean | undefined }): Background[]
}

/** Runs one pass of a timer in every schema that it works in. */
export async function sweepEverywhere(market: Places, sweep: Sweep): Promise<number> {
  let moved = 0
  for (const background of market.backgrounds(sweep)) moved += await runSweep(background, sweep)
  return moved
}

/** Runs a scheduled job in every schema that it works in. */
export async function runEverywhere(market: Places, job: Job): Promise<void> {
  for (const background of market.backgrounds(job))
    await job.run({ ...background, payload: undefined })
}
