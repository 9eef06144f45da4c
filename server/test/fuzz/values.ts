/** Values that break programs, and ways to put them into a request. */
import type { Random } from './random.ts'
import { boundaries, isJsonObject, type JsonSchema } from './schema.ts'

/** Literal JSON text that no JavaScript value can represent. */
export class Raw {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

const TEXTS = [
  '',
  ' ',
  '\t\n',
  'a'.repeat(5000),
  '\u0000',
  'a\u0000b',
  '\ud800',
  'x\udfffy',
  '\ufeff',
  '\u202e\u2066abc',
  '💥'.repeat(300),
  'ﷺ'.repeat(50),
  'Z\u0351\u036b\u0343\u0311\u0308'.repeat(20),
  "' or 1=1 --",
  '"; drop table tasks; --',
  '%00',
  '%s%n%x',
  '{{7*7}}',
  '<script>alert(1)</script>',
  'javascript:alert(1)',
  '../../../../etc/passwd',
  'file:///etc/passwd',
  'http://169.254.169.254/',
  'https://127.0.0.1:9/',
  'null',
  'NaN',
  'Infinity',
  '-0',
  '1e400',
  '0x10',
  '9999999999999999999999',
  '2020-02-30T25:61:61Z',
  '+275760-09-14T00:00:00.000Z',
  '9999-12-31T23:59:59.999Z',
  '0001-01-01T00:00:00Z',
  '99999999d',
  '-5m',
  'data:image/png;base64,AAAA',
  'data:text/html,<script>',
  'a@b',
  `${'a'.repeat(250)}@x.com`,
  'x@example.com\r\nBcc: y@example.com',
  'İ',
  'ﬀ',
  '\u2028\u2029',
  '__proto__',
  'constructor',
  'hasOwnProperty',
  '(a+)+$',
  'task_00000000000000000000000000',
  `task_${'z'.repeat(26)}`,
  'Etc/GMT+25',
  'America/../UTC',
  '9-1',
  '1-1',
  '-1e308-1e308',
]

const NUMBERS = [
  0,
  -0,
  -1,
  1,
  2,
  99,
  100,
  101,
  1_000_001,
  2 ** 31 - 1,
  2 ** 31,
  -(2 ** 31) - 1,
  2 ** 53 - 1,
  2 ** 53,
  2 ** 63,
  -(2 ** 63),
  1e21,
  1e308,
  -1e308,
  5e-324,
  0.1,
  1.5,
  90.000_000_1,
  180.0001,
]

const RAWS = [
  '1e400',
  '-1e400',
  '-0',
  '00',
  '.5',
  'NaN',
  'Infinity',
  '1'.repeat(400),
  '"\\u0000"',
  '"\\ud800"',
  '"\\uDBFF\\u0041"',
  '"\\x"',
  'undefined',
  '{"a":1,"a":2}',
  '{"__proto__":{"x":1}}',
  '{"constructor":{"prototype":{"x":1}}}',
  '['.repeat(70) + ']'.repeat(70),
  '{"a":'.repeat(40) + '1' + '}'.repeat(40),
  '['.repeat(3000) + ']'.repeat(3000),
  `[${'1,'.repeat(2000)}1]`,
  `"${'\\u0041'.repeat(500)}"`,
  '{"\\u0000":1}',
  '{"\\ud800":1}',
  '""',
  '[]',
  '{}',
]

/** Bodies that are malformed as a whole. */
export const BROKEN_BODIES = [
  '',
  ' ',
  '{',
  '"',
  '{"a"',
  '\ufeff{}',
  '{}{}',
  '\u0000',
  'null',
  '[]',
  '1',
  '"text"',
  'a=1&b=2',
  ...RAWS,
]

export const PATH_PARTS = [
  '%00',
  'a%00b',
  '%ff',
  '%c0%af',
  '%ED%A0%80',
  '%2e%2e%2f%2e%2e',
  '..%2f..%2f',
  '%25',
  '%',
  '%zz',
  '%20',
  '%0d%0aX:%20y',
  'a'.repeat(128),
  'a'.repeat(129),
  'a'.repeat(9000),
  '__proto__',
  'constructor',
  ':id',
  '*',
  '-1',
  'task_%30',
  'TASK_ABC',
  '.',
  '..',
  '%2f',
  ';x=1',
  '%E2%80%AE',
]

/** Every kind of header that the server reads, with values that must not break it. */
export const HEADERS: readonly [string, readonly string[]][] = [
  ['idempotency-key', ['', ' ', '""', 'a'.repeat(255), 'a'.repeat(256), '\xc3\xa9', '\xff', 'a,b']],
  [
    'content-type',
    [
      '',
      'text/plain',
      'application/json; charset=utf-16',
      'application/JSON',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'application/offset+octet-stream',
      ';',
      'a'.repeat(3000),
      '/',
      'application/merge-patch+json',
    ],
  ],
  ['accept', ['*/*', 'text/html', 'text/event-stream', '', 'a'.repeat(5000)]],
  ['accept-encoding', ['gzip', 'br', 'identity;q=0, *;q=0', 'gzip;q=NaN', ','.repeat(3000)]],
  ['content-encoding', ['gzip', 'identity', 'x']],
  ['if-none-match', ['*', '"x"', 'W/"x"', ','.repeat(2000)]],
  ['range', ['bytes=0-', 'bytes=-1', 'bytes=99999999999999999999-', 'bytes=0-0,1-1', 'x']],
  ['origin', ['null', 'https://evil.example', 'http://[', 'a'.repeat(5000)]],
  ['host', ['evil.example', '', 'a b', '[::1]', 'x'.repeat(3000)]],
  ['x-forwarded-for', ['1.2.3.4', '::1', 'x', '1.2.3.4, 5.6.7.8', 'a'.repeat(3000), '\xff']],
  ['x-forwarded-host', ['evil.example']],
  ['x-http-method-override', ['DELETE']],
  ['x-request-id', ['x'.repeat(3000)]],
  ['cookie', ['a=b', '__Host-legwork=x; __Host-legwork=y', ';'.repeat(3000), '__Host-legwork="']],
  ['upload-offset', ['0', '-1', 'x', '9999999999999999999', '1.5', '']],
  ['tus-resumable', ['1.0.0', 'x']],
  ['user-agent', ['', 'x'.repeat(8192), 'x'.repeat(8193), '<script>', '\xff', 'M\xc3\xbcller']],
  [
    'authorization',
    ['Bearer', 'Bearer  ', 'Basic x', `Bearer ${'a'.repeat(7000)}`, 'Bearer a.b.c'],
  ],
  ['x-api-key', ['', 'x', 'lw_live_', `lw_test_${'a'.repeat(6000)}`]],
  ['stripe-signature', ['', 't=1,v1=x', 't=,v1=', 'x', `t=${'9'.repeat(500)}`]],
]

/** A value that does not fit, or only just: half of the time at the boundaries of the schema. */
export function hostileValue(random: Random, schema?: JsonSchema): unknown {
  const edges = schema === undefined ? [] : boundaries(schema)
  if (edges.length > 0 && random.chance(0.5)) return random.pick(edges)
  switch (random.below(8)) {
    case 0:
    case 1:
    case 2:
      return random.pick(TEXTS)
    case 3:
    case 4:
      return random.pick(NUMBERS)
    case 5:
      return new Raw(random.pick(RAWS))
    case 6:
      return random.pick([null, true, false])
    default:
      return random.chance(0.5)
        ? [random.pick(TEXTS), random.pick(NUMBERS)]
        : { [random.pick(['a', 'lat', 'type', 'sim', 'constructor'])]: random.pick(TEXTS) }
  }
}

const EXTRA_NAMES = ['x', 'status', 'balance_cents', 'agent_id', 'mode', 'toString', '', '\ud800']

/** The same value with one mutation somewhere inside it. */
export function mutate(
  random: Random,
  value: unknown,
  schema: JsonSchema | undefined,
  depth = 0,
): unknown {
  const isDeep = depth >= 5 || random.chance(0.15)
  if (Array.isArray(value) && !isDeep) {
    if (value.length === 0 || random.chance(0.3))
      return [...value, hostileValue(random, schema?.items)]
    const at = random.below(value.length)
    return value.with(at, mutate(random, value[at], schema?.items, depth + 1))
  }
  if (isJsonObject(value) && !isDeep) {
    const known = Object.keys(schema?.properties ?? {})
    const names = Object.keys(value)
    if (random.chance(0.1)) return { ...value, [random.pick(EXTRA_NAMES)]: hostileValue(random) }
    if (names.length > 0 && random.chance(0.1)) {
      const gone = random.pick(names)
      return Object.fromEntries(Object.entries(value).filter(([name]) => name !== gone))
    }
    // Missing fields are as good a target as present ones.
    const name = random.pick(random.chance(0.5) && known.length > 0 ? known : [...names, ...known])
    if (name === undefined) return { [random.pick(EXTRA_NAMES)]: hostileValue(random) }
    const field = schema?.properties?.[name]
    return {
      ...value,
      [name]: Object.hasOwn(value, name)
        ? mutate(random, value[name], field, depth + 1)
        : hostileValue(random, field),
    }
  }
  return hostileValue(random, schema)
}

/** JSON text; names may appear twice, and `Raw` is inserted verbatim. */
export function render(value: unknown): string {
  if (value instanceof Raw) return value.text
  if (Array.isArray(value)) return `[${value.map(render).join(',')}]`
  if (isJsonObject(value))
    return `{${Object.entries(value)
      .filter(([, field]) => field !== undefined)
      .map(([name, field]) => `${JSON.stringify(name)}:${render(field)}`)
      .join(',')}}`
  return Object.is(value, -0) ? '-0' : (JSON.stringify(value) ?? 'null')
}
