import type { Background } from './job.ts'
import type { HomeSchema } from './layout.ts'

export interface OperatorBackground extends Background {
  /** Makes the empty tables of a schema in another database; only the command line can. */
  addSchema?(url: string, schema: HomeSchema): Promise<void>
}
