/**
 * The log of rejected and failed requests, for the agent's developers. It is written in batches after the response was
 * sent and never delays a request: entries that can't be stored are dropped and counted.
 */
import type { Shards } from '../kit/db.ts'
import type { AgentCaller } from '../kit/endpoint.ts'
import type { Log } from '../kit/log.ts'
import type { Metrics } from '../kit/metrics.ts'
import { cutText, withoutSecrets, withoutSecretsIn } from './blank-secrets.ts'

const WAITING_MAX = 1000
const WRITTEN_TOGETHER = 200
const WRITE_AFTER_MS = 200
const BODY_BYTES_MAX = 8192
/** Larger bodies are not redacted or stored: that would take longer than the request did. */
const READ_BYTES_MAX = 65_536
const MINUTE_MS = 60_000
/**
 * All agents of a mode together may log this many times `perMinuteMax`. The modes have separate budgets, because anyone
 * can create any number of test agents.
 */
const BUSY_AGENTS = { live: 5, test: 2 }

/** `sent` is the parsed body, or its text if it could not be parsed. */
export interface RefusedRequest {
  id: string
  agent: AgentCaller
  at: Date
  method: string
  url: string
  status: number
  code: string
  ms: number
  userAgent: string | undefined
  sent: unknown
  /** Bytes actually read, whatever Content-Length says. */
  sentBytes: number
  answered: string
}

interface Row {
  id: string
  agent_id: string
  key_id: string
  method: string
  path: string
  status: number
  code: string
  ms: number
  user_agent: string | null
  request_body: string | null
  response_body: string | null
  created_at: Date
}

export type RequestLog = ReturnType<typeof openRequestLog>

export function openRequestLog({
  shards,
  log,
  metrics,
  perMinuteMax,
}: {
  shards: Shards
  log: Log
  metrics: Metrics
  /** Limit per agent in this process; 0 disables the log. */
  perMinuteMax: number
}) {
  let waiting: Row[] = []
  let writing: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined
  let minute = 0
  const counts = new Map<string, number>()

  function isTooMany({ id, mode }: AgentCaller, at: Date): boolean {
    const now = Math.floor(at.getTime() / MINUTE_MS)
    if (now !== minute) counts.clear()
    minute = now
    const own = counts.get(id) ?? 0
    const all = counts.get(mode) ?? 0
    if (own >= perMinuteMax || all >= perMinuteMax * BUSY_AGENTS[mode]) return true
    counts.set(id, own + 1)
    counts.set(mode, all + 1)
    return false
  }

  async function write(): Promise<void> {
    while (waiting.length > 0) {
      const rows = waiting.slice(0, WRITTEN_TOGETHER)
      waiting = waiting.slice(WRITTEN_TOGETHER)
      for (const [db, some] of Map.groupBy(rows, ({ agent_id }) => shards.at(agent_id)))
        await db
          .call('log_requests', LOG_REQUESTS, [JSON.stringify(some)])
          .catch((error: unknown) => {
            metrics.requestsUnlogged.inc({ reason: 'failed' }, some.length)
            log.warn({ error, requests: some.length }, 'could not log refused requests')
          })
    }
  }

  function begin(): void {
    timer = undefined
    writing ??= write().finally(() => {
      writing = undefined
    })
  }

  return {
    add(request: RefusedRequest): void {
      if (perMinuteMax === 0) return
      if (isTooMany(request.agent, request.at))
        return metrics.requestsUnlogged.inc({ reason: 'too many' })
      if (waiting.length >= WAITING_MAX) return metrics.requestsUnlogged.inc({ reason: 'full' })
      waiting.push(rowOf(request))
      timer ??= setTimeout(begin, WRITE_AFTER_MS).unref()
    },

    /** Flushes pending entries. */
    async close(): Promise<void> {
      clearTimeout(timer)
      await writing
      await write()
    },
  }
}

function rowOf(request: RefusedRequest): Row {
  const { id, agent, at, method, url, status, code, ms, userAgent } = request
  return {
    id,
    agent_id: agent.id,
    key_id: agent.keyId,
    method,
    path: keptText(url, 2000),
    status,
    code,
    ms: Math.round(ms),
    user_agent: userAgent === undefined ? null : keptText(userAgent, 400),
    request_body: sentBody(request),
    response_body: keptText(request.answered, BODY_BYTES_MAX),
    created_at: at,
  }
}

/** Truncates before the redaction, which is slow, and after it, because a redacted text may be longer. */
const keptText = (text: string, bytesMax: number): string =>
  cutText(withoutSecretsIn(cutText(text, 2 * bytesMax)), bytesMax)

function sentBody({ sent, sentBytes }: RefusedRequest): string | null {
  if (sentBytes > READ_BYTES_MAX) return `(${sentBytes} bytes, not kept)`
  if (sent === undefined || sent === null || sentBytes === 0) return null
  return typeof sent === 'string'
    ? keptText(sent, BODY_BYTES_MAX)
    : cutText(withoutSecrets(sent), BODY_BYTES_MAX)
}

const LOG_REQUESTS = `
  insert into refused_requests (id, agent_id, key_id, method, path, status, code, ms, user_agent, request_body,
                                response_body, created_at)
    select id, agent_id, key_id, method, path, status, code, ms, user_agent, request_body, response_body, created_at
      from json_to_recordset($1) x(id text, agent_id text, key_id text, method text, path text, status smallint,
        code text, ms integer, user_agent text, request_body text, response_body text, created_at timestamptz)`
