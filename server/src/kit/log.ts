import { pino } from 'pino'
import { currentTraceId } from './traces.ts'

export type Log = pino.Logger

/** Logs one JSON object per line. Personal data and secrets are redacted on the first three levels of the object. */
export function openLog(level: string, destination?: pino.DestinationStream): Log {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: {
        paths: [
          ...SECRETS.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]),
          '*["x-api-key"]',
          '*["set-cookie"]',
        ],
        censor: '[redacted]',
      },
      serializers: { error: describeError },
      mixin: traceOf,
    },
    destination ?? pino.destination({ dest: 1, sync: false, minLength: 0 }),
  )
}

/**
 * Work that is not sampled has no trace, so its lines have no `trace_id`. A new object each time, because pino writes
 * the fields of the line into it.
 */
function traceOf(): object {
  const trace_id = currentTraceId()
  return trace_id === undefined ? {} : { trace_id }
}

const SECRETS = [
  'authorization',
  'cookie',
  'api_key',
  'test_api_key',
  'key_hash',
  'password',
  'token',
  'webhook_secret',
  'email',
  'number',
  'photo',
  'photos',
]

/**
 * A failed statement's `detail` and `where` can contain row values, so only fields that identify the fault are kept.
 */
function describeError(error: unknown) {
  if (!(error instanceof Error)) return { message: String(error) }
  const { code, constraint, table, routine } = error as unknown as Record<string, unknown>
  return {
    name: error.name,
    message: error.message,
    code,
    constraint,
    table,
    routine,
    stack: error.stack,
    ...(error.cause instanceof Error ? { cause: error.cause.message } : {}),
  }
}
