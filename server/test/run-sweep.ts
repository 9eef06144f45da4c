import type { Background, Sweep } from '../src/kit/job.ts'
import { sweepOnce } from '../src/runner/sweep.ts'

/** Runs one pass of a timer over the rows due now, and returns how many it moved. */
export const runSweep = async (background: Background, sweep: Sweep): Promise<number> =>
  (await sweepOnce(background, sweep, new Map())).moved
