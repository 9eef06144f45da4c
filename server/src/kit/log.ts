import { pino } from 'pino'

export type Log = pino.Logger

/**
 * One JSON object a line. Whatever could identify a person or open a door is replaced before it is written,
 * wherever in the object it stands on the first three levels.
 */
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
    },
    destination ?? pino.destination({ dest: 1, sync: false, minLength: 0 }),
  )
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

/** A failed statement's `detail` and `where` can hold a row's values, so only what names the fault is kept. */
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
