/** The dependencies of the HTTP server. */
import type { Authenticator } from '../agents/authenticate.ts'
import type { ConsoleSessions } from '../agents/console-sessions.ts'
import type { RequestLog } from '../agents/request-log.ts'
import type { Config } from '../config.ts'
import type { Clock } from '../kit/clock.ts'
import type { AnyEndpoint } from '../kit/endpoint.ts'
import type { Log } from '../kit/log.ts'
import type { Metrics } from '../kit/metrics.ts'
import type { Switches } from '../kit/switches.ts'
import type { Sessions } from '../workers/authenticate.ts'
import type { RequestCounts } from './count-requests.ts'
import type { LargeBodies } from './large-bodies.ts'
import type { Limiter } from './limiter.ts'
import type { Policies } from './limits.ts'
import type { Shedding } from './shedding.ts'
import type { TestModeParts } from './test-mode.ts'

export interface ServerParts extends TestModeParts {
  clock: Clock
  config: Config
  log: Log
  metrics: Metrics
  authenticator: Authenticator
  consoleSessions: ConsoleSessions
  requestLog?: RequestLog
  requestCounts?: RequestCounts
  sessions: Sessions
  switches: Switches
  limiter: Limiter | undefined
  policies: Policies
  endpoints: readonly AnyEndpoint[]
  /** The OpenAPI document of the whole API, or of the part that agents call. */
  openapi: (part: 'all' | 'agents') => string
  largeBodies: LargeBodies
  shedding: Shedding
  /**
   * Aborted when the process receives a stop signal. It still serves requests, but closes each connection after its
   * response.
   */
  draining: AbortSignal
  /** Aborted when the drain ends and the listener closes: long polls return immediately. */
  stopping: AbortSignal
}
