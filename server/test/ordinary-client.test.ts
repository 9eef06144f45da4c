/**
 * Requests as ordinary clients send them: each line is a request by somebody who has read only the interface, in
 * Python, Go, PHP or with curl, with the exact bytes that their libraries send. None may be refused because of how it
 * is written, and the response must contain what they read. A few lines are mistakes, which must be refused as the
 * interface says, with a helpful message.
 */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { call, type Json, marketplace, PHOTO, startOn, type TestWorker } from './harness.ts'
import { atEnd } from './hooks.ts'
import { assertHas, type Author, type Received, send } from './ordinary-client.ts'

const market = await marketplace({ processor: true })
const base = market.server.addresses.api!
const rich = await market.agent({ balanceCents: 900_000_000, freeTasks: false })
const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

/** The rows that must exist before a line's state can be entered. */
interface Scene {
  key?: string
  task?: Json
  worker?: TestWorker
  workers?: TestWorker[]
  [more: string]: unknown
}

interface Line {
  by: Author
  name: string
  given?: () => Promise<Scene>
  /** Method and path below base_url; a path with a host is sent unchanged. */
  send: string | ((scene: Scene) => string)
  /** The key or token; by default that of an agent with money. null: none. */
  as?: ((scene: Scene) => string) | null
  headers?: Record<string, string | undefined>
  body?: string | Buffer | ((scene: Scene) => string)
  chunked?: true
  status: number
  has?: Json | ((scene: Scene) => Json)
  /** Fields that must not be in the response. */
  lacks?: string[]
  answers?: Record<string, RegExp>
  afterwards?: (scene: Scene, received: Received) => Promise<void> | void
}

const later = (ms: number) => new Date(market.now().getTime() + ms)
const HOUR = 3_600_000
const DAY = 24 * HOUR
const asWorker = ({ worker }: Scene) => worker!.token
const asKey = ({ key }: Scene) => key!

/** A task of the rich agent in this status. */
const task =
  (status: Parameters<typeof market.taskIn>[1], fields: Json = {}) =>
  async (): Promise<Scene> => {
    const made = await market.taskIn(rich, status, fields)
    return { task: made, worker: made.workers[0]!, workers: made.workers }
  }
/** A pending task and a worker who can take it. */
const open =
  (fields: Json = {}, worker: Parameters<typeof market.worker>[0] = {}) =>
  async (): Promise<Scene> => ({
    ...(await task('pending', fields)()),
    worker: await market.worker(worker),
  })
/** A task held by its worker. */
const held = (fields: Json = {}) => task('in_progress', fields)
const newAgent =
  (options: Parameters<typeof market.agent>[0] = {}) =>
  async (): Promise<Scene> => {
    const agent = await market.agent(options)
    return { key: agent.api_key, agent }
  }
const newWorker =
  (fields: Parameters<typeof market.worker>[0] = {}) =>
  async (): Promise<Scene> => ({ worker: await market.worker(fields) })

/** A task whose two workers disagree. */
async function conflict(path: string, body: string): Promise<Scene> {
  const created = await rich.post(path, body)
  assert.equal(created.status, 201, created.text)
  const task = created.body.task as Json
  const answers: Record<string, unknown[]> = { boolean: [true, false], integer: [1, 10] }
  const given = answers[task.answer_schema?.type as string] ?? [undefined, undefined]
  for (const [i, answer] of given.entries()) {
    const worker = await market.worker()
    await worker.post(`/worker/tasks/${task.id}/accept`)
    const proof = { text: `Answer ${i}`, ...(answer === undefined ? {} : { answer }) }
    const { status, text } = await worker.post(`/worker/tasks/${task.id}/proof`, proof)
    assert.equal(status, 201, text)
  }
  return { task }
}
/** The same marketplace with production settings, as it is while there are few workers. */
let youngServer: ReturnType<typeof startOn> | undefined
async function young(): Promise<string> {
  if (youngServer === undefined) {
    youngServer = startOn(market.url, {
      settings: { LEVEL_WORKERS_MIN: 50, ELIGIBLE_WARNING: 'on' },
    })
    const { stop } = await youngServer
    atEnd(stop)
  }
  return (await youngServer).addresses.api!
}
/** Creates more tasks in the feed than fit on a page. */
let isFilled: Promise<unknown> | undefined
async function manyOpen(): Promise<Scene> {
  isFilled ??= Promise.all(
    Array.from({ length: 60 }, (_, i) =>
      rich.post('/tasks', { description: `Look ${i}`, budget_cents: 3000 + i }),
    ),
  ).then(() => market.work())
  await isFilled
  return { worker: await market.worker() }
}
const PIXEL = {
  png: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  gif: 'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7',
  webp: 'UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA',
}

const DEFAULTS = {
  status: 'pending',
  type: 'custom',
  urgency: 'standard',
  proof_required: 'text',
  consensus_count: 1,
  context: {},
  callback_url: null,
}
let emails = 0
const email = () => `ordinary-${(emails += 1)}@example.com`

const sections: Record<string, Line[]> = {
  'empty values, as each language writes them': [
    {
      by: 'Python',
      name: 'None in every optional field of a task',
      send: 'POST /tasks',
      body: '{"description": "Look", "budget_cents": 500, "type": null, "urgency": null, "proof_required": null, "deadline": null, "context": null, "consensus_count": null, "callback_url": null}',
      status: 201,
      has: { task: DEFAULTS },
      lacks: ['warnings'],
    },
    {
      by: 'Go',
      name: 'a struct without omitempty: empty strings, nil map, zero int',
      send: 'POST /tasks',
      body: '{"description":"Look","budget_cents":500,"type":"","urgency":"","proof_required":"","deadline":"","context":null,"consensus_count":0,"callback_url":""}\n',
      status: 201,
      has: { task: DEFAULTS, warnings: [{ code: 'zero_ignored', path: 'consensus_count' }] },
    },
    {
      by: 'Go',
      name: 'a zero time.Time as the deadline, which omitempty does not leave out',
      send: 'POST /tasks',
      body: '{"description":"Look","budget_cents":500,"deadline":"0001-01-01T00:00:00Z"}\n',
      status: 201,
      has: { task: { deadline: ISO } },
      lacks: ['warnings'],
    },
    {
      by: 'PHP',
      name: 'an empty array as the context',
      send: 'POST /tasks',
      body: '{"description":"Look","budget_cents":500,"context":[]}',
      status: 201,
      has: { task: { context: {} } },
    },
    {
      by: 'Python',
      name: 'None in the fields of a shorthand',
      send: 'POST /verify',
      body: '{"question": "Is it open?", "location": null, "proof": null, "budget_cents": null}',
      status: 201,
      has: { task: { type: 'verification', budget_cents: 500, proof_required: 'photo' } },
      lacks: ['warnings'],
    },
    {
      by: 'Go',
      name: 'zero values in the fields of a shorthand, the budget by default',
      send: 'POST /gut-check',
      body: '{"content":"A logo","question":"Do you like it?","scale":"","consensus":0,"budget_cents":0}\n',
      status: 201,
      has: {
        task: { type: 'gut_check', budget_cents: 300, consensus_count: 1, answer_schema: null },
        warnings: (list: Json[]) => list.every(({ code }) => code === 'zero_ignored'),
      },
    },
    {
      by: 'Go',
      name: 'nil slices in a field mission',
      send: 'POST /field',
      body: '{"mission":"Count the chairs","location":"","checklist":null,"skills":null,"criteria":null}\n',
      status: 201,
      has: { task: { type: 'field_mission', skills: [], criteria: null, location: null } },
    },
    {
      by: 'Python',
      name: 'None inside of a place',
      send: 'POST /tasks',
      body: '{"description": "Look", "budget_cents": 500, "location": {"address": null, "lat": 52.52, "lng": 13.4, "radius_m": null}}',
      status: 201,
      has: { task: { location: { lat: 52.52, lng: 13.4 } } },
    },
    {
      by: 'Python',
      name: 'None inside of the context stays',
      send: 'POST /tasks',
      body: '{"description": "Look", "budget_cents": 500, "context": {"order": null, "note": "", "tags": []}}',
      status: 201,
      has: {
        task: { context: { order: null, note: '', tags: [] } },
      },
    },
    {
      by: 'Python',
      name: 'None in a required field is refused as missing',
      send: 'POST /tasks',
      body: '{"description": null, "budget_cents": 500}',
      status: 400,
      has: {
        error: 'description is required',
        details: [{ path: 'description', message: 'is required' }],
      },
    },
    {
      by: 'Python',
      name: 'a webhook_url of None at registration',
      send: 'POST /agents/register',
      as: null,
      body: () => `{"name": "Py", "email": "${email()}", "webhook_url": null}`,
      status: 201,
      has: { agent: { api_key: /^lw_live_/, balance_cents: 0, free_tasks_remaining: 3 } },
      lacks: ['warnings'],
    },
    {
      by: 'Go',
      name: 'an empty webhook_url at registration',
      send: 'POST /agents/register',
      as: null,
      body: () => `{"name":"Go","email":"${email()}","webhook_url":""}\n`,
      status: 201,
      has: { agent: { id: /^agent_/, name: 'Go' } },
    },
    {
      by: 'Python',
      name: 'PATCH with a webhook_url of None sends events nowhere',
      given: newAgent({ webhook_url: 'https://example.com/hook' }),
      send: 'PATCH /agents/me',
      as: asKey,
      body: '{"webhook_url": null, "name": null}',
      status: 200,
      has: { agent: { webhook_url: null } },
      lacks: ['warnings'],
    },
    {
      by: 'PHP',
      name: 'PATCH with an empty webhook_url sends events nowhere, as null does',
      given: newAgent({ webhook_url: 'https://example.com/hook' }),
      send: 'PATCH /agents/me',
      as: asKey,
      body: '{"webhook_url":""}',
      status: 200,
      has: { agent: { webhook_url: null } },
    },
    {
      by: 'Python',
      name: 'None in a profile leaves skills and preferences as they are',
      given: newWorker({ skills: ['driving'], preferences: { min_pay_cents: 100 } }),
      send: 'PUT /worker/profile',
      as: asWorker,
      body: '{"skills": null, "languages": null, "preferences": null, "name": "Ada"}',
      status: 200,
      has: {
        worker: { name: 'Ada', skills: ['driving'], preferences: { min_pay_cents: 100 } },
      },
    },
    {
      by: 'PHP',
      name: 'an empty array as the preferences',
      given: newWorker(),
      send: 'PUT /worker/profile',
      as: asWorker,
      body: '{"skills":["photo"],"location":"Berlin","preferences":[]}',
      status: 200,
      has: { worker: { skills: ['photo'], location: { label: /Berlin/ } } },
    },
    {
      by: 'Python',
      name: 'None in every optional field of a proof',
      given: held(),
      send: ({ task }) => `POST /worker/tasks/${task!.id}/proof`,
      as: asWorker,
      body: '{"text": "Done", "photos": null, "photo": null, "video": null, "audio": null, "answer": null, "location": null, "captured_at": null, "outcome": null}',
      status: 201,
      has: { proof: { text: 'Done', outcome: 'done' }, task: { status: 'proof_submitted' } },
      lacks: ['warnings'],
    },
    {
      by: 'Go',
      name: 'an empty text beside a photo',
      given: held({ proof_required: 'photo' }),
      send: ({ task }) => `POST /worker/tasks/${task!.id}/proof`,
      as: asWorker,
      body: `{"text":"","photos":["${PHOTO}"],"video":""}\n`,
      status: 201,
      has: { proof: { text: null, files: [{ kind: 'photo' }] } },
    },
    {
      by: 'Python',
      name: 'an override_result of None counts as absent',
      given: task('proof_submitted', { answer_schema: { type: 'boolean' } }),
      send: ({ task }) => `POST /tasks/${task!.id}/approve`,
      body: '{"override_result": null}',
      status: 200,
      has: { task: { status: 'completed' } },
      lacks: ['warnings'],
    },
    {
      by: 'Python',
      name: 'an override_result of None does not decide a conflict',
      given: async () => {
        const made = await task('in_progress', { consensus_count: 2, budget_cents: 1000 })()
        for (const [i, worker] of made.workers!.entries())
          await worker.post(`/worker/tasks/${made.task!.id}/proof`, { text: `Answer ${i}` })
        return made
      },
      send: ({ task }) => `POST /tasks/${task!.id}/approve`,
      body: '{"override_result": null}',
      status: 409,
      has: { error: /./, code: 'consensus_conflict' },
    },
    {
      by: 'Python',
      name: 'None beside the reason of a dispute',
      given: task('proof_submitted'),
      send: ({ task }) => `POST /tasks/${task!.id}/dispute`,
      body: '{"reason": "Wrong door", "category": null, "criteria": null}',
      status: 200,
      has: { task: { status: 'disputed' } },
    },
    {
      by: 'PHP',
      name: 'json_encode([]) as the body where none is needed',
      given: task('proof_submitted'),
      send: ({ task }) => `POST /tasks/${task!.id}/approve`,
      body: '[]',
      status: 200,
      has: { task: { status: 'completed' } },
    },
    {
      by: 'Go',
      name: 'json.Marshal(nil) as the body where none is needed',
      given: task('proof_submitted'),
      send: ({ task }) => `POST /tasks/${task!.id}/approve`,
      body: 'null',
      status: 200,
      has: { task: { status: 'completed' } },
    },
    {
      by: 'Go',
      name: 'empty query parameters of url.Values',
      send: 'GET /tasks?limit=&offset=&status=&type=',
      status: 200,
      has: { limit: 50, offset: 0, total: Number.isInteger },
    },
    {
      by: 'Python',
      name: 'an empty filter of the feed',
      given: newWorker(),
      send: 'GET /worker/feed?type=&lat=&lng=&limit=',
      as: asWorker,
      status: 200,
      has: { tasks: Array.isArray },
    },
    {
      by: 'Python',
      name: 'an empty period of earnings and leaderboard',
      given: newWorker(),
      send: 'GET /worker/earnings?period=&from=&to=',
      as: asWorker,
      status: 200,
      has: { period: /./ },
    },
  ],

  'numbers, texts and times': [
    {
      by: 'Go',
      name: 'a float64 with an exponent',
      send: 'POST /tasks',
      body: '{"description":"Look","budget_cents":5e+02}\n',
      status: 201,
      has: { task: { budget_cents: 500 } },
    },
    {
      by: 'Python',
      name: 'a NaN of json.dumps is refused as invalid JSON',
      send: 'POST /tasks',
      body: '{"description": "Look", "budget_cents": NaN}',
      status: 400,
      has: { error: 'The body is not valid JSON' },
    },
    {
      by: 'Python',
      name: 'a budget as a Decimal, which is a string',
      send: 'POST /verify',
      body: '{"question": "Open?", "budget_cents": "750.00", "consensus": "3"}',
      status: 201,
      has: { task: { budget_cents: 750, consensus_count: 3 } },
    },
    {
      by: 'PHP',
      name: 'a budget in dollars is refused',
      send: 'POST /tasks',
      body: '{"description":"Look","budget_cents":"$5.00"}',
      status: 400,
      has: { error: 'budget_cents must be a number' },
    },
    {
      by: 'PHP',
      name: 'a budget from $_POST, which is a string',
      send: 'POST /tasks',
      body: '{"description":"Look","budget_cents":"500","consensus_count":"1"}',
      status: 201,
      has: { task: { budget_cents: 500, consensus_count: 1 } },
    },
    {
      by: 'Python',
      name: 'a budget that is a float without a fraction',
      send: 'POST /tasks',
      body: '{"description": "Look", "budget_cents": 500.0}',
      status: 201,
      has: { task: { budget_cents: 500 } },
    },
    {
      by: 'Python',
      name: 'half a cent is refused',
      send: 'POST /tasks',
      body: '{"description": "Look", "budget_cents": 499.99}',
      status: 400,
      has: { error: 'budget_cents must be a whole number' },
    },
    {
      by: 'Go',
      name: 'a required budget of 0 is refused',
      send: 'POST /tasks',
      body: '{"description":"Look","budget_cents":0}\n',
      status: 400,
      has: { error: 'budget_cents must be at least 1' },
    },
    {
      by: 'PHP',
      name: 'a deposit from $_POST',
      send: 'POST /wallet/deposit',
      body: '{"amount_cents":"500"}',
      status: 201,
      has: { checkout_url: /^https?:/, session_id: /./, transaction_id: /^txn_/ },
    },
    {
      by: 'PHP',
      name: 'coordinates from a database, which are strings',
      send: 'POST /tasks',
      body: '{"description":"Look","budget_cents":500,"location":{"lat":"52.5200","lng":"13.4050"}}',
      status: 201,
      has: { task: { location: { lat: 52.52, lng: 13.405 } } },
    },
    {
      by: 'Python',
      name: 'json.dumps escapes every non-ASCII letter',
      send: 'POST /tasks',
      body: '{"description": "Caf\\u00e9 \\ud83d\\ude00", "budget_cents": 500}',
      status: 201,
      has: { task: { description: 'Café 😀' } },
    },
    {
      by: 'Python',
      name: 'unescaped UTF-8',
      send: 'POST /tasks',
      body: '{"description": "Café 😀 東京", "budget_cents": 500}',
      status: 201,
      has: { task: { description: 'Café 😀 東京' } },
    },
    {
      by: 'Go',
      name: 'json.Marshal escapes <, > and &',
      send: 'POST /tasks',
      body: '{"description":"1 \\u003c 2 \\u0026 3 \\u003e 2","budget_cents":500}\n',
      status: 201,
      has: { task: { description: '1 < 2 & 3 > 2' } },
    },
    {
      by: 'PHP',
      name: 'json_encode escapes slashes',
      send: 'POST /tasks',
      body: '{"description":"See https:\\/\\/example.com\\/a","budget_cents":500,"callback_url":"https:\\/\\/example.com\\/hook"}',
      status: 201,
      has: {
        task: {
          description: 'See https://example.com/a',
          callback_url: 'https://example.com/hook',
        },
      },
    },
    {
      by: 'curl',
      name: 'Windows line breaks and spaces around a description',
      send: 'POST /tasks',
      body: '{"description":"  Look\\r\\ntwice  ","budget_cents":500}',
      status: 201,
      has: { task: { description: 'Look\r\ntwice' } },
    },
    {
      by: 'Python',
      name: 'a description of 5000 non-ASCII characters',
      send: 'POST /tasks',
      body: `{"description": "${'\\ud83d\\ude00'.repeat(5000)}", "budget_cents": 500}`,
      status: 201,
      has: { task: { description: (text: string) => Array.from(text).length === 5000 } },
    },
    ...(
      [
        [
          'Python',
          'datetime.now(timezone.utc).isoformat()',
          (t: Date) => t.toISOString().replace('Z', '123+00:00'),
        ],
        [
          'Python',
          'datetime.utcnow().isoformat(), without a zone',
          (t: Date) => t.toISOString().replace('Z', '456'),
        ],
        [
          'Python',
          'isoformat() of a time without microseconds',
          (t: Date) => t.toISOString().slice(0, 19),
        ],
        [
          'Python',
          'str(datetime), with a blank',
          (t: Date) => `${t.toISOString().slice(0, 19).replace('T', ' ')}+00:00`,
        ],
        [
          'Python',
          'isoformat() of a time zone',
          (t: Date) =>
            new Date(t.getTime() + 5.5 * HOUR)
              .toISOString()
              .replace('.', '.')
              .replace('Z', '+05:30'),
        ],
        ['Go', 'time.RFC3339Nano', (t: Date) => t.toISOString().replace('Z', '456789Z')],
        ['Go', 'time.RFC3339', (t: Date) => `${t.toISOString().slice(0, 19)}Z`],
        ['PHP', "date('c')", (t: Date) => `${t.toISOString().slice(0, 19)}+00:00`],
        [
          'PHP',
          'DATE_ISO8601, without a colon',
          (t: Date) => `${t.toISOString().slice(0, 19)}+0000`,
        ],
        ['curl', 'date -u +%FT%RZ', (t: Date) => `${t.toISOString().slice(0, 16)}Z`],
      ] as const
    ).map(
      ([by, name, write]): Line => ({
        by,
        name: `a deadline by ${name}`,
        send: 'POST /tasks',
        body: () => {
          const at = new Date(Math.floor(later(3 * DAY).getTime() / 60_000) * 60_000)
          return JSON.stringify({ description: 'Look', budget_cents: 500, deadline: write(at) })
        },
        status: 201,
        has: {
          task: {
            deadline: (text: string) =>
              Math.abs(Date.parse(text) - later(3 * DAY).getTime()) <= 61_000,
          },
        },
      }),
    ),
    ...(
      [
        ['30m', 30 * 60_000],
        ['2h', 2 * HOUR],
        ['3d', 3 * DAY],
        ['2H', 2 * HOUR],
        ['90 m', 90 * 60_000],
      ] as const
    ).map(
      ([deadline, ms]): Line => ({
        by: 'Python',
        name: `a deadline of ${deadline}`,
        send: 'POST /tasks',
        body: JSON.stringify({ description: 'Look', budget_cents: 500, deadline }),
        status: 201,
        has: { task: { deadline: (text: string) => Date.parse(text) === later(ms).getTime() } },
      }),
    ),
  ],

  'headers and bodies on the wire': [
    {
      by: 'Go',
      name: 'http.NewRequest with a body and no content type',
      send: 'POST /tasks',
      headers: { 'content-type': undefined },
      body: '{"description":"Look","budget_cents":500}',
      status: 201,
      has: { task: { id: /^task_/ } },
    },
    ...[
      'application/json; charset=utf-8',
      'application/json;charset=UTF-8',
      'APPLICATION/JSON',
      'text/json',
      'application/vnd.api+json',
    ].map(
      (type): Line => ({
        by: 'PHP',
        name: `a content type of ${type}`,
        send: 'POST /tasks',
        headers: { 'content-type': type },
        body: '{"description":"Look","budget_cents":500}',
        status: 201,
        has: { task: { id: /^task_/ } },
      }),
    ),
    {
      by: 'curl',
      name: 'curl -d without a header declares a form, and the error says what to send',
      send: 'POST /tasks',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: '{"description":"Look","budget_cents":500}',
      status: 415,
      has: { error: /application\/json/, hint: /curl -d/ },
    },
    {
      by: 'Python',
      name: 'a gzip body is refused with a hint',
      send: 'POST /tasks',
      headers: { 'content-encoding': 'gzip' },
      body: Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3]),
      status: 415,
      has: { error: 'The body must not be compressed' },
    },
    {
      by: 'PHP',
      name: 'a byte order mark before the JSON',
      send: 'POST /tasks',
      body: '\uFEFF{"description":"Look","budget_cents":500}',
      status: 201,
      has: { task: { description: 'Look' } },
    },
    {
      by: 'PHP',
      name: 'Expect: 100-continue before a body of more than a kilobyte',
      send: 'POST /tasks',
      headers: { expect: '100-continue' },
      body: JSON.stringify({ description: 'x'.repeat(3000), budget_cents: 500 }),
      status: 201,
      has: { task: { id: /^task_/ } },
    },
    {
      by: 'Go',
      name: 'a stream as the body, in chunks and without a length',
      send: 'POST /tasks',
      chunked: true,
      body: '{"description":"Look","budget_cents":500}\n',
      status: 201,
      has: { task: { id: /^task_/ } },
    },
    {
      by: 'Python',
      name: 'requests.post(url) without a body',
      given: task('proof_submitted'),
      send: ({ task }) => `POST /tasks/${task!.id}/approve`,
      headers: { 'content-length': '0' },
      status: 200,
      has: { task: { status: 'completed' } },
    },
    {
      by: 'curl',
      name: "curl -X POST -d '' declares a form with nothing in it",
      given: task('proof_submitted'),
      send: ({ task }) => `POST /tasks/${task!.id}/approve`,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: '',
      status: 200,
      has: { task: { status: 'completed' } },
    },
    {
      by: 'Python',
      name: 'a session that always sends the JSON header, without a body',
      given: open(),
      send: ({ task }) => `POST /worker/tasks/${task!.id}/accept`,
      as: asWorker,
      headers: { 'content-type': 'application/json', 'content-length': '0' },
      status: 200,
      has: { assignment: { id: /^asg_/, expires_at: ISO } },
    },
    {
      by: 'Python',
      name: 'the same session on a GET',
      send: 'GET /wallet',
      headers: { 'content-type': 'application/json' },
      status: 200,
      has: { balance_cents: Number.isInteger },
    },
    {
      by: 'Go',
      name: 'the same on a DELETE',
      given: async () => ({ other: await market.key(rich, {}) }),
      send: ({ other }) => `DELETE /agents/keys/${(other as Json).id}`,
      headers: { 'content-type': 'application/json' },
      status: 200,
      has: ({ other }) => ({ key: { id: (other as Json).id } }),
    },
    {
      by: 'PHP',
      name: 'a base_url with a trailing slash',
      send: 'GET //wallet',
      status: 200,
      has: { balance_cents: Number.isInteger },
    },
    {
      by: 'PHP',
      name: 'a path with a trailing slash',
      send: 'POST /tasks/',
      body: '{"description":"Look","budget_cents":500}',
      status: 201,
      has: { task: { id: /^task_/ } },
    },
    {
      by: 'curl',
      name: 'HEAD responds like GET, without a body',
      send: 'HEAD /wallet',
      status: 200,
      answers: { 'content-type': /^application\/json/ },
      afterwards: (_, { text }) => assert.equal(text, ''),
    },
    {
      by: 'curl',
      name: 'a wrong method names the right ones',
      send: 'PUT /tasks',
      body: '{}',
      status: 405,
      has: { error: /./ },
      answers: { allow: /POST/ },
    },
    {
      by: 'Python',
      name: 'an unknown path',
      send: 'GET /task',
      status: 404,
      has: { error: /./ },
      answers: { 'content-type': /^application\/json/ },
    },
    {
      by: 'Python',
      name: 'JSON with single quotes',
      send: 'POST /tasks',
      body: "{'description': 'Look', 'budget_cents': 500}",
      status: 400,
      has: { error: 'The body is not valid JSON' },
    },
  ],

  'API keys and tokens': [
    {
      by: 'Python',
      name: 'a worker’s token on an agent’s endpoint',
      given: newWorker(),
      send: 'GET /wallet',
      as: asWorker,
      status: 401,
      has: { error: 'Missing or invalid API key' },
    },
    {
      by: 'Go',
      name: 'the eleventh login in 15 minutes gets Retry-After',
      given: async () => {
        const { addresses, stop } = await startOn(market.url, { settings: { RATE_LIMITS: 'on' } })
        atEnd(stop)
        const url = `${addresses.api!}/worker/login`
        const body = '{"email":"many@example.com","password":"wrong horse"}'
        const login = { by: 'Go' as const, method: 'POST', url, headers: {}, body }
        for (let i = 0; i < 10; i += 1) assert.equal((await send(login)).status, 401)
        return { url }
      },
      send: ({ url }) => `POST ${String(url)}`,
      as: null,
      body: '{"email":"many@example.com","password":"wrong horse"}\n',
      status: 429,
      has: { error: /./, retry_after_seconds: (n: number) => n > 0 && n <= 900 },
      answers: { 'retry-after': /^\d+$/ },
    },
    {
      by: 'Go',
      name: 'x-api-key in the canonical case of Go',
      send: 'GET /wallet',
      as: null,
      headers: { 'X-Api-Key': rich.api_key },
      status: 200,
      has: { balance_cents: Number.isInteger },
    },
    {
      by: 'PHP',
      name: 'X-API-KEY in capitals',
      send: 'GET /wallet',
      as: null,
      headers: { 'X-API-KEY': rich.api_key },
      status: 200,
      has: { balance_cents: Number.isInteger },
    },
    {
      by: 'curl',
      name: 'bearer in small letters',
      send: 'GET /wallet',
      as: null,
      headers: { authorization: `bearer ${rich.api_key}` },
      status: 200,
      has: { balance_cents: Number.isInteger },
    },
    {
      by: 'PHP',
      name: 'spaces around the key',
      send: 'GET /wallet',
      as: null,
      headers: { authorization: `Bearer   ${rich.api_key}  ` },
      status: 200,
      has: { balance_cents: Number.isInteger },
    },
    {
      by: 'Python',
      name: 'the key in both headers',
      send: 'GET /wallet',
      headers: { 'x-api-key': rich.api_key },
      status: 200,
      has: { balance_cents: Number.isInteger },
    },
    {
      by: 'Python',
      name: 'a proxy’s Basic authorization beside x-api-key',
      send: 'GET /wallet',
      as: null,
      headers: { authorization: 'Basic cHJveHk6cHJveHk=', 'x-api-key': rich.api_key },
      status: 200,
      has: { balance_cents: Number.isInteger },
    },
    {
      by: 'curl',
      name: 'a key without Bearer is refused with a hint',
      send: 'GET /wallet',
      as: null,
      headers: { authorization: rich.api_key },
      status: 401,
      has: { error: 'Missing or invalid API key', hint: /Authorization: Bearer/ },
    },
    {
      by: 'curl',
      name: 'no key',
      send: 'GET /wallet',
      as: null,
      status: 401,
      has: { error: 'Missing or invalid API key' },
    },
    {
      by: 'Python',
      name: 'the placeholder of the documentation',
      send: 'GET /wallet',
      as: () => '<API_KEY>',
      status: 401,
      has: { error: 'Missing or invalid API key' },
    },
    {
      by: 'Python',
      name: 'registering again with the key gives a new one',
      given: newAgent(),
      send: 'POST /agents/register',
      as: asKey,
      body: ({ agent }) =>
        JSON.stringify({ name: (agent as Json).name, email: (agent as Json).email }),
      status: 201,
      has: ({ agent }) => ({ agent: { id: (agent as Json).id, api_key: /^lw_live_/ } }),
    },
    {
      by: 'Python',
      name: 'a registered email',
      given: newAgent(),
      send: 'POST /agents/register',
      as: null,
      body: ({ agent }) =>
        JSON.stringify({ name: 'Other', email: String((agent as Json).email).toUpperCase() }),
      status: 409,
      has: { error: /./ },
    },
    {
      by: 'PHP',
      name: 'a worker registers with unknown fields',
      send: 'POST /worker/register',
      as: null,
      body: () =>
        `{"name":"Zo\\u00eb","email":"${email()}","password":"correct horse","phone":"","terms":true}`,
      status: 201,
      has: { worker: { id: /^worker_/, name: 'Zoë' } },
    },
    {
      by: 'PHP',
      name: 'a login before the email is verified',
      given: async () => {
        const address = email()
        await market.call('POST', '/worker/register', {
          body: { name: 'Eve', email: address, password: 'correct horse' },
        })
        return { address }
      },
      send: 'POST /worker/login',
      as: null,
      body: ({ address }) => JSON.stringify({ email: address, password: 'correct horse' }),
      status: 403,
      has: { error: 'Email not verified' },
    },
    {
      by: 'PHP',
      name: 'a login with a wrong password',
      send: 'POST /worker/login',
      as: null,
      body: '{"email":"nobody@example.com","password":"wrong horse"}',
      status: 401,
      has: { error: 'Invalid password' },
    },
    {
      by: 'curl',
      name: 'a worker’s endpoint without a token',
      send: 'GET /worker/profile',
      as: null,
      status: 401,
      has: { error: /./ },
    },
    {
      by: 'curl',
      name: 'a public profile needs no key',
      given: newWorker({ name: 'Grace' }),
      send: ({ worker }) => `GET /worker/${worker!.id}/public`,
      as: null,
      status: 200,
      has: { worker: { name: 'Grace' } },
    },
  ],

  tasks: [
    {
      by: 'Go',
      name: 'an Idempotency-Key by uuid.NewString()',
      send: 'POST /tasks',
      headers: { 'Idempotency-Key': '6f1d6d3e-9f0b-4a57-8a0e-3c1f6f6a2b11' },
      body: '{"description":"Once","budget_cents":500}\n',
      status: 201,
      has: { task: { description: 'Once' } },
    },
    {
      by: 'Go',
      name: 'a limit of 0 is refused with a hint',
      send: 'GET /tasks?limit=0',
      status: 400,
      has: { error: 'limit must be at least 1' },
    },
    {
      by: 'Python',
      name: 'only the required fields',
      send: 'POST /tasks',
      body: '{"description": "Is the shop open?", "budget_cents": 500}',
      status: 201,
      has: {
        task: {
          ...DEFAULTS,
          id: /^task_/,
          agent_id: rich.id,
          description: 'Is the shop open?',
          budget_cents: 500,
          created_at: ISO,
        },
      },
      lacks: ['warnings'],
    },
    {
      by: 'Python',
      name: 'every documented field',
      send: 'POST /tasks',
      body: '{"description": "Look", "budget_cents": 600, "type": "field_mission", "urgency": "scheduled", "proof_required": "audio", "deadline": "36h", "context": {"location": "Main Street 5", "metadata": {"id": 7}}, "consensus_count": 3, "callback_url": "https://example.com/hook?x=1"}',
      status: 201,
      has: {
        task: {
          type: 'field_mission',
          urgency: 'scheduled',
          proof_required: 'audio',
          context: { location: 'Main Street 5', metadata: { id: 7 } },
          consensus_count: 3,
          callback_url: 'https://example.com/hook?x=1',
        },
      },
      lacks: ['warnings'],
    },
    {
      by: 'Go',
      name: 'the whole task of a response sent back as a new one',
      given: task('pending'),
      send: 'POST /tasks',
      body: ({ task }) => JSON.stringify(task),
      status: 201,
      has: ({ task }) => ({
        task: {
          id: (id: string) => id !== task!.id,
          status: 'pending',
          description: task!.description,
        },
      }),
    },
    {
      by: 'Python',
      name: 'a field with a typo is ignored and named',
      send: 'POST /tasks',
      body: '{"description": "Look", "budget_cents": 500, "urgancy": "urgent"}',
      status: 201,
      has: { warnings: [{ code: 'unknown_field', path: 'urgancy' }] },
    },
    {
      by: 'Python',
      name: 'an unknown type is refused with the list of types',
      send: 'POST /tasks',
      body: '{"description": "Look", "budget_cents": 500, "type": "errand"}',
      status: 400,
      has: { error: /type must be one of verification, voice_proxy/ },
    },
    {
      by: 'Python',
      name: 'two missing fields are both named',
      send: 'POST /tasks',
      body: '{}',
      status: 400,
      has: {
        error: /is required/,
        details: (list: Json[]) =>
          ['description', 'budget_cents'].every((name) => list.some(({ path }) => path === name)),
      },
    },
    {
      by: 'Python',
      name: 'the list has its four fields',
      send: 'GET /tasks?status=pending&type=custom&limit=2&offset=1',
      status: 200,
      has: {
        tasks: [{ id: /^task_/ }, { id: /^task_/ }],
        total: Number.isInteger,
        limit: 2,
        offset: 1,
      },
    },
    {
      by: 'Go',
      name: 'a limit above the maximum counts as the maximum',
      send: 'GET /tasks?limit=1000',
      status: 200,
      has: { limit: 100, offset: 0 },
    },
    {
      by: 'Python',
      name: 'an offset beyond the end is an empty page with the total',
      send: 'GET /tasks?offset=9999',
      status: 200,
      has: { tasks: [], total: (n: number) => n > 0, offset: 9999 },
    },
    {
      by: 'PHP',
      name: 'unknown query parameters',
      send: 'GET /tasks?page=1&per_page=20&sort%5B%5D=new',
      status: 200,
      has: { tasks: Array.isArray },
    },
    {
      by: 'Python',
      name: 'an unknown status is refused with the list of statuses',
      send: 'GET /tasks?status=done',
      status: 400,
      has: { error: /status must be one of pending, in_progress/ },
    },
    {
      by: 'Python',
      name: 'the detail has proofs and transactions from the start',
      given: task('pending'),
      send: ({ task }) => `GET /tasks/${task!.id}`,
      status: 200,
      has: { task: { proofs: [], transactions: [{ type: 'escrow_lock' }] } },
    },
    {
      by: 'Python',
      name: 'the detail of a consensus task has its consensus',
      given: task('in_progress', { consensus_count: 2, budget_cents: 1000 }),
      send: ({ task }) => `GET /tasks/${task!.id}`,
      status: 200,
      has: { task: { consensus: { needed: 2, received: 0 } } },
    },
    {
      by: 'Python',
      name: 'the proof of a task without one is an empty list',
      given: task('pending'),
      send: ({ task }) => `GET /tasks/${task!.id}/proof`,
      status: 200,
      has: { proofs: [] },
    },
    {
      by: 'PHP',
      name: 'the proof has the photo as a data URL',
      given: task('proof_submitted', { proof_required: 'photo' }),
      send: ({ task }) => `GET /tasks/${task!.id}/proof`,
      status: 200,
      has: { proofs: [{ text: 'Done', photos: [/^data:image\/\w+;base64,/] }] },
    },
    {
      by: 'Python',
      name: 'an unknown task',
      send: 'GET /tasks/task_00000000000000000000000000',
      status: 404,
      has: { error: /./ },
    },
    {
      by: 'Python',
      name: 'a malformed id is 404, too',
      send: 'GET /tasks/42',
      status: 404,
      has: { error: /./ },
    },
    {
      by: 'Python',
      name: 'a task of another agent is 404, too',
      given: async () => ({ ...(await task('pending')()), ...(await newAgent()()) }),
      send: ({ task }) => `GET /tasks/${task!.id}`,
      as: asKey,
      status: 404,
      has: { error: /./ },
    },
    {
      by: 'Go',
      name: 'approving pays the budget less 18 percent',
      given: task('proof_submitted', { budget_cents: 1000 }),
      send: ({ task }) => `POST /tasks/${task!.id}/approve`,
      body: '{}\n',
      status: 200,
      has: {
        task: { status: 'completed' },
        settlement: { commission_cents: 180, workers: [{ net_cents: 820 }] },
      },
    },
    {
      by: 'Go',
      name: 'approving again after a timeout returns the same response',
      given: task('completed', { budget_cents: 1000 }),
      send: ({ task }) => `POST /tasks/${task!.id}/approve`,
      body: '{}\n',
      status: 200,
      has: { task: { status: 'completed' } },
    },
    {
      by: 'Python',
      name: 'approving before there is proof',
      given: task('pending'),
      send: ({ task }) => `POST /tasks/${task!.id}/approve`,
      status: 409,
      has: { error: /./, status: 'pending' },
    },
    {
      by: 'Python',
      name: 'a dispute without a reason',
      given: task('proof_submitted'),
      send: ({ task }) => `POST /tasks/${task!.id}/dispute`,
      status: 400,
      has: { error: 'reason is required' },
    },
    {
      by: 'PHP',
      name: 'a dispute refunds the agent',
      given: task('proof_submitted', { budget_cents: 700 }),
      send: ({ task }) => `POST /tasks/${task!.id}/dispute`,
      body: '{"reason":"The photo shows another door"}',
      status: 200,
      has: { task: { status: 'disputed' }, refunded_cents: 700 },
    },
    {
      by: 'Python',
      name: 'a payout of a completed task',
      given: task('completed'),
      send: ({ task }) => `POST /tasks/${task!.id}/payout`,
      status: 200,
      has: { payouts: [{ status: /./, amount_cents: Number.isInteger }] },
    },
    {
      by: 'Python',
      name: 'a payout of a task that is not completed',
      given: task('pending'),
      send: ({ task }) => `POST /tasks/${task!.id}/payout`,
      status: 409,
      has: { error: /./ },
    },
  ],

  shorthands: [
    ...(
      [
        [
          '/verify',
          '{"question": "Is it open?", "location": "5 Main St, Springfield", "proof": "photo", "budget_cents": 600}',
          { type: 'verification', budget_cents: 600, proof_required: 'photo' },
        ],
        [
          '/verify',
          '{"question": "Is it open?", "location": "5 Main St"}',
          { type: 'verification', budget_cents: 500 },
        ],
        [
          '/call',
          '{"description": "Ask for the opening hours", "number": "+1 415 555 2671", "script": "Hello"}',
          { type: 'voice_proxy', budget_cents: 1000 },
        ],
        [
          '/gut-check',
          '{"content": "A slogan", "question": "Good?", "scale": "1-10", "consensus": 3}',
          { type: 'gut_check', budget_cents: 300, consensus_count: 3 },
        ],
        [
          '/field',
          '{"description": "Count the chairs", "location": "Town hall"}',
          { type: 'field_mission', budget_cents: 1500 },
        ],
        [
          '/escalate',
          '{"description": "Calm an angry customer"}',
          { type: 'empathy_escalation', budget_cents: 2000 },
        ],
        [
          '/vibe',
          '{"description": "What is the mood in the café?"}',
          { type: 'vibe_reader', budget_cents: 800 },
        ],
      ] as const
    ).map(
      ([path, body, shown]): Line => ({
        by: 'Python',
        name: `POST ${path} with ${Object.keys(JSON.parse(body) as Json).join(', ')}`,
        send: `POST ${path}`,
        body,
        status: 201,
        has: { task: { ...shown, status: 'pending' } },
        lacks: ['warnings'],
      }),
    ),
    {
      by: 'PHP',
      name: 'a shorthand accepts the fields of POST /tasks',
      send: 'POST /verify',
      body: '{"description":"Is it open?","proof_required":"text","urgency":"instant","deadline":"1h","callback_url":"https:\\/\\/example.com\\/","context":{"ref":1}}',
      status: 201,
      has: { task: { proof_required: 'text', urgency: 'instant', context: { ref: 1 } } },
    },
  ],

  money: [
    {
      by: 'Python',
      name: 'the wallet has its four fields',
      send: 'GET /wallet',
      status: 200,
      has: {
        balance_cents: Number.isInteger,
        balance_formatted: /^\$[\d,]+\.\d\d$/,
        transactions: Array.isArray,
        summary: (list: Json[]) =>
          list.every(
            ({ type, total_cents, count }) =>
              typeof type === 'string' && Number.isInteger(total_cents) && Number.isInteger(count),
          ),
      },
    },
    {
      by: 'Go',
      name: 'a new wallet has empty lists and no null',
      given: newAgent(),
      send: 'GET /wallet',
      as: asKey,
      status: 200,
      has: { balance_cents: 0, balance_formatted: '$0.00', transactions: [], summary: [] },
    },
    {
      by: 'Go',
      name: 'the stats of a new agent are zeros and empty lists, and no null',
      given: newAgent(),
      send: 'GET /stats',
      as: asKey,
      status: 200,
      has: {
        tasks: { total: 0 },
        spend: { total_cents: 0, by_type: Array.isArray },
        top_workers: [],
        partner_count: 0,
      },
    },
    {
      by: 'Python',
      name: 'a deposit below the minimum is refused with the minimum',
      send: 'POST /wallet/deposit',
      body: '{"amount_cents": 100}',
      status: 400,
      has: { error: /at least 500/ },
    },
    {
      by: 'Python',
      name: 'three free tasks need no deposit',
      given: newAgent(),
      send: 'POST /tasks',
      as: asKey,
      body: '{"description": "Look", "budget_cents": 500}',
      status: 201,
      has: { task: { status: 'pending', budget_cents: 500 } },
    },
    {
      by: 'Python',
      name: 'insufficient funds are 402 with the balance and the deposit URL',
      given: newAgent({ freeTasks: false, balanceCents: 120 }),
      send: 'POST /tasks',
      as: asKey,
      body: '{"description": "Look", "budget_cents": 500}',
      status: 402,
      has: { error: 'Insufficient funds', balance_cents: 120, deposit_url: /wallet\/deposit$/ },
    },
  ],

  workers: [
    {
      by: 'Python',
      name: 'the profile as it was read, changed and sent back',
      given: async () => {
        const worker = await market.worker({
          skills: ['photo'],
          location: { label: 'Berlin', lat: 52.5, lng: 13.4, radius_km: 20 },
        })
        const { body } = await worker.get('/worker/profile')
        return { worker, profile: body.worker as Json }
      },
      send: 'PUT /worker/profile',
      as: asWorker,
      body: ({ profile }) => JSON.stringify({ ...(profile as Json), skills: ['photo', 'driving'] }),
      status: 200,
      has: {
        worker: { skills: ['photo', 'driving'], location: { lat: 52.5, radius_km: 20 }, level: 1 },
      },
    },
    {
      by: 'PHP',
      name: 'accepting a task that another worker holds',
      given: async () => ({ ...(await held()()), worker: await market.worker() }),
      send: ({ task }) => `POST /worker/tasks/${task!.id}/accept`,
      as: asWorker,
      body: '[]',
      status: 409,
      has: { error: /./, code: 'no_slot' },
    },
    {
      by: 'Go',
      name: 'a proof of a task that the worker does not hold',
      given: open(),
      send: ({ task }) => `POST /worker/tasks/${task!.id}/proof`,
      as: asWorker,
      body: '{"text":"Done"}\n',
      status: 404,
      has: { error: /./ },
    },
    {
      by: 'Python',
      name: 'an unknown public profile',
      send: 'GET /worker/worker_00000000000000000000000000/public',
      as: null,
      status: 404,
      has: { error: /./ },
    },
    {
      by: 'Python',
      name: 'an answer to a yes-or-no question, written in the text',
      given: held({ type: 'verification', answer_schema: { type: 'boolean' } }),
      send: ({ task }) => `POST /worker/tasks/${task!.id}/proof`,
      as: asWorker,
      body: '{"text": "Yes"}',
      status: 201,
      has: { proof: { answer: true } },
    },
    {
      by: 'Python',
      name: 'accepting without a body',
      given: open(),
      send: ({ task }) => `POST /worker/tasks/${task!.id}/accept`,
      as: asWorker,
      status: 200,
      has: { task: { status: 'in_progress' }, assignment: { id: /^asg_/ } },
    },
    {
      by: 'Python',
      name: 'accepting twice returns the same assignment',
      given: held(),
      send: ({ task }) => `POST /worker/tasks/${task!.id}/accept`,
      as: asWorker,
      body: '{}',
      status: 200,
      has: { assignment: { id: /^asg_/ } },
    },
    {
      by: 'Python',
      name: 'a proof as type and content',
      given: held(),
      send: ({ task }) => `POST /worker/tasks/${task!.id}/proof`,
      as: asWorker,
      body: '{"type": "text", "content": "It is open"}',
      status: 201,
      has: { proof: { text: 'It is open' } },
    },
    {
      by: 'PHP',
      name: 'a photo as type and content',
      given: held({ proof_required: 'photo' }),
      send: ({ task }) => `POST /worker/tasks/${task!.id}/proof`,
      as: asWorker,
      body: `{"type":"photo","content":"${PHOTO.replaceAll('/', '\\/')}"}`,
      status: 201,
      has: { proof: { files: [{ kind: 'photo' }] } },
    },
    {
      by: 'Go',
      name: 'one photo, not in a list',
      given: held({ proof_required: 'photo' }),
      send: ({ task }) => `POST /worker/tasks/${task!.id}/proof`,
      as: asWorker,
      body: `{"text":"The door","photo":"${PHOTO}"}\n`,
      status: 201,
      has: { proof: { text: 'The door', files: [{ kind: 'photo' }] } },
    },
    {
      by: 'Python',
      name: 'a proof without the required content is refused by name',
      given: held({ proof_required: 'photo' }),
      send: ({ task }) => `POST /worker/tasks/${task!.id}/proof`,
      as: asWorker,
      body: '{"text": "Done"}',
      status: 400,
      has: { error: /^photos/ },
    },
    {
      by: 'Python',
      name: 'the feed has tasks with what to do and what it pays',
      given: async () => {
        const made = await open({ description: 'Feed me', budget_cents: 4800 })()
        await market.work()
        return made
      },
      send: 'GET /worker/feed?sort=pay',
      as: asWorker,
      status: 200,
      has: ({ task }) => ({
        tasks: (list: Json[]) =>
          list.some(
            ({ id, description, budget_cents, type, urgency, proof_required }) =>
              id === task!.id &&
              description === 'Feed me' &&
              budget_cents === 4800 &&
              type === 'custom' &&
              urgency === 'standard' &&
              proof_required === 'text',
          ),
      }),
    },
    {
      by: 'Python',
      name: 'the profile has trust score, badges and level',
      given: newWorker(),
      send: 'GET /worker/profile',
      as: asWorker,
      status: 200,
      has: { worker: { trust_score: 70, level: 1, badges: Array.isArray, skills: [] } },
    },
    {
      by: 'PHP',
      name: 'a profile with skills, a place by its name, and preferences',
      given: newWorker(),
      send: 'PUT /worker/profile',
      as: asWorker,
      body: '{"skills":["Photography","german"],"location":"Berlin","preferences":{"types":["verification"],"theme":"dark"}}',
      status: 200,
      has: {
        worker: {
          skills: ['photography', 'german'],
          location: { lat: (lat: number) => Math.abs(lat - 52.5) < 0.5 },
          preferences: { types: ['verification'], theme: 'dark' },
        },
      },
    },
    {
      by: 'Python',
      name: 'earnings by period, without earnings',
      given: newWorker(),
      send: 'GET /worker/earnings?period=week',
      as: asWorker,
      status: 200,
      has: { period: 'week', net_cents: 0 },
    },
    {
      by: 'Python',
      name: 'the leaderboard',
      given: newWorker(),
      send: 'GET /worker/leaderboard',
      as: asWorker,
      status: 200,
      has: { entries: Array.isArray },
    },
    {
      by: 'PHP',
      name: 'a payout account without a body',
      given: newWorker(),
      send: 'POST /worker/stripe/connect',
      as: asWorker,
      headers: { 'content-length': '0' },
      status: 200,
      has: { onboarding_url: /^https?:/, account_id: /./ },
    },
    {
      by: 'PHP',
      name: 'the status of a missing payout account',
      given: newWorker(),
      send: 'GET /worker/stripe/status',
      as: asWorker,
      status: 200,
      has: { connected: false, status: 'not_connected' },
    },
  ],
  'a phone number, a scale, a deadline': [
    ...(
      [
        ['+1-555-0100', '+1-555-0100'],
        ['555-0123', '555-0123'],
        ['020 7946 0958', '020 7946 0958'],
        ['+1234567890', '+1234567890'],
        ['+1-800-FLOWERS', '+18003569377'],
        ['72727', '72727'],
        ['(415) 555-2671', '+14155552671'],
      ] as const
    ).map(
      ([number, kept]): Line => ({
        by: 'Python',
        name: `a call to ${number}`,
        send: 'POST /call',
        body: `{"description": "Ask for the opening hours", "number": "${number}", "script": "Hello"}`,
        status: 201,
        has: { task: { type: 'voice_proxy', context: { number: kept, script: 'Hello' } } },
      }),
    ),
    {
      by: 'PHP',
      name: 'a number that JSON_NUMERIC_CHECK has turned into one',
      send: 'POST /call',
      body: '{"description":"Ask for the opening hours","number":4155552671}',
      status: 201,
      has: { task: { context: { number: '+14155552671' } } },
    },
    {
      by: 'Go',
      name: 'a call without a number',
      send: 'POST /call',
      body: '{"description":"Call the shop on the corner","number":"","script":""}\n',
      status: 201,
      has: { task: { type: 'voice_proxy', description: 'Call the shop on the corner' } },
    },
    ...['911', '112', '999'].map(
      (number): Line => ({
        by: 'Python',
        name: `an emergency number, ${number}, is refused with the reason`,
        send: 'POST /call',
        body: `{"description": "Call", "number": "${number}"}`,
        status: 400,
        has: { error: /emergency/ },
      }),
    ),
    ...(
      [
        ['0.0-1.0', { type: 'number', minimum: 0, maximum: 1 }],
        ['1 - 10', { type: 'integer', minimum: 1, maximum: 10 }],
        ['1–10', { type: 'integer', minimum: 1, maximum: 10 }],
        ['1-10', { type: 'integer', minimum: 1, maximum: 10 }],
      ] as const
    ).map(
      ([scale, answer_schema]): Line => ({
        by: 'Python',
        name: `a scale of ${scale}`,
        send: 'POST /gut-check',
        body: JSON.stringify({ content: 'A slogan', question: 'Good?', scale, consensus: 3 }),
        status: 201,
        has: { task: { answer_schema, consensus_count: 3 } },
      }),
    ),
    ...(['120d', '5000h', '2099-12-31T23:59:59Z'] as const).map(
      (deadline): Line => ({
        by: 'Go',
        name: `a deadline of ${deadline} is capped at 90 days`,
        send: 'POST /tasks',
        body: `{"description":"Look","budget_cents":500,"deadline":"${deadline}"}\n`,
        status: 201,
        has: {
          task: { deadline: (text: string) => Date.parse(text) === later(90 * DAY).getTime() },
          warnings: [{ code: 'deadline_clamped', path: 'deadline', message: /90 days/ }],
        },
      }),
    ),
    {
      by: 'Python',
      name: 'a deadline that has passed is refused',
      send: 'POST /tasks',
      body: '{"description": "Look", "budget_cents": 500, "deadline": "2020-01-01T00:00:00Z"}',
      status: 400,
      has: { error: 'deadline must be in the future' },
    },
  ],

  'an override by the agent': [
    ...(
      [
        [
          '/verify',
          '{"question": "Is it open?", "consensus": 2, "proof": "text", "budget_cents": 1000}',
          '"yes"',
          true,
        ],
        [
          '/verify',
          '{"question": "Is it open?", "consensus": 2, "proof": "text", "budget_cents": 1000}',
          '"True"',
          true,
        ],
        [
          '/verify',
          '{"question": "Is it open?", "consensus": 2, "proof": "text", "budget_cents": 1000}',
          'false',
          false,
        ],
        ['/gut-check', '{"content": "A slogan", "scale": "1-10", "consensus": 2}', '"7"', 7],
        [
          '/tasks',
          '{"description": "Look", "budget_cents": 1000, "consensus_count": 2}',
          '"blue"',
          'blue',
        ],
        [
          '/tasks',
          '{"description": "Look", "budget_cents": 1000, "consensus_count": 2}',
          '{"door": ["open", null]}',
          { door: ['open', null] },
        ],
        ['/tasks', '{"description": "Look", "budget_cents": 1000, "consensus_count": 2}', '42', 42],
      ] as const
    ).map(
      ([path, body, override, result]): Line => ({
        by: 'Python',
        name: `an override_result of ${override} on a task of ${path}`,
        given: () => conflict(path, body),
        send: ({ task }) => `POST /tasks/${task!.id}/approve`,
        body: `{"override_result": ${override}}`,
        status: 200,
        has: { task: { status: 'completed' } },
        lacks: ['warnings'],
        afterwards: async ({ task }) => {
          const { body: detail } = await rich.get(`/tasks/${task!.id}`)
          assert.deepEqual(detail.task.consensus.result, result)
          assert.equal(detail.task.consensus.resolved_by, 'agent')
        },
      }),
    ),
    {
      by: 'Python',
      name: 'an override_result outside of the shorthand’s schema causes a warning',
      given: () =>
        conflict(
          '/verify',
          '{"question": "Is it open?", "consensus": 2, "proof": "text", "budget_cents": 1000}',
        ),
      send: ({ task }) => `POST /tasks/${task!.id}/approve`,
      body: '{"override_result": "closed on Mondays"}',
      status: 200,
      has: {
        task: { status: 'completed' },
        warnings: [{ code: 'result_misfit', path: 'override_result' }],
      },
    },
    {
      by: 'Python',
      name: 'an override_result outside of the agent’s own schema is refused',
      given: () =>
        conflict(
          '/tasks',
          '{"description": "Look", "budget_cents": 1000, "consensus_count": 2, "answer_schema": {"type": "boolean"}}',
        ),
      send: ({ task }) => `POST /tasks/${task!.id}/approve`,
      body: '{"override_result": "closed on Mondays"}',
      status: 400,
      has: { error: /^override_result/ },
    },
    {
      by: 'Go',
      name: 'an override_result on a task without a conflict is accepted',
      given: task('proof_submitted'),
      send: ({ task }) => `POST /tasks/${task!.id}/approve`,
      body: '{"override_result":"approved"}\n',
      status: 200,
      has: { task: { status: 'completed' } },
    },
  ],

  'large budgets and insufficient funds': [
    {
      by: 'Python',
      name: 'a budget of a million dollars that the wallet has',
      send: 'POST /tasks',
      body: '{"description": "Look", "budget_cents": 100000000}',
      status: 201,
      has: { task: { budget_cents: 100_000_000, escrow_cents: 100_000_000 } },
    },
    {
      by: 'Python',
      name: 'a budget of a million dollars that the wallet does not have is 402',
      given: newAgent({ freeTasks: false, balanceCents: 700 }),
      send: 'POST /tasks',
      as: asKey,
      body: '{"description": "Look", "budget_cents": 100000000}',
      status: 402,
      has: { error: 'Insufficient funds', balance_cents: 700, deposit_url: /wallet\/deposit$/ },
    },
    {
      by: 'Python',
      name: 'a budget above a million dollars is 400',
      send: 'POST /tasks',
      body: '{"description": "Look", "budget_cents": 100000001}',
      status: 400,
      has: { error: /^budget_cents must be at most/ },
    },
    {
      by: 'Python',
      name: 'a task too large to be free says how many are left, and how large',
      given: newAgent(),
      send: 'POST /tasks',
      as: asKey,
      body: '{"description": "Look", "budget_cents": 2001}',
      status: 402,
      has: {
        balance_cents: 0,
        deposit_url: /./,
        free_tasks_remaining: 3,
        free_task_max_cents: 2000,
      },
    },
    {
      by: 'Go',
      name: 'a shorthand without money is 402 with the same fields',
      given: newAgent({ freeTasks: false }),
      send: 'POST /escalate',
      as: asKey,
      body: '{"description":"Calm a customer"}\n',
      status: 402,
      has: { error: 'Insufficient funds', balance_cents: 0, deposit_url: /wallet\/deposit$/ },
    },
    {
      by: 'Go',
      name: 'the cap of a key is 402 with the same fields',
      given: async () => {
        const agent = await market.agent({ freeTasks: false, balanceCents: 5000 })
        return { key: (await market.key(agent, { task_max_cents: 100 })).api_key }
      },
      send: 'POST /tasks',
      as: asKey,
      body: '{"description":"Look","budget_cents":500}\n',
      status: 402,
      has: { error: /./, balance_cents: 5000, deposit_url: /wallet\/deposit$/ },
    },
    ...(['base_url', 'the origin'] as const).map(
      (to): Line => ({
        by: 'Python',
        name: `deposit_url works when it is joined to ${to}`,
        given: async () => {
          const agent = await market.agent({ freeTasks: false })
          const { body } = await agent.post('/tasks', { description: 'Look', budget_cents: 500 })
          const start = to === 'base_url' ? base : new URL(base).origin
          return { key: agent.api_key, url: start + String(body.deposit_url) }
        },
        send: ({ url }) => `POST ${String(url)}`,
        as: asKey,
        body: '{"amount_cents": 500}',
        status: 201,
        has: { checkout_url: /^https?:/, session_id: /./, transaction_id: /./ },
      }),
    ),
  ],

  'accepting a task': [
    {
      by: 'Python',
      name: 'a worker without the required skill',
      given: open({ skills: ['welding'] }),
      send: ({ task }) => `POST /worker/tasks/${task!.id}/accept`,
      as: asWorker,
      status: 403,
      has: { error: /./, code: 'skill_missing' },
    },
    {
      by: 'Python',
      name: 'a worker with the skill, in other capitals',
      given: open({ skills: ['Welding'] }, { skills: ['welding'] }),
      send: ({ task }) => `POST /worker/tasks/${task!.id}/accept`,
      as: asWorker,
      status: 200,
      has: { task: { status: 'in_progress' } },
    },
    {
      by: 'Python',
      name: 'a worker who is far away may accept',
      given: open(
        { location: { lat: 52.5, lng: 13.4 } },
        { location: { label: 'Lima', lat: -12, lng: -77, radius_km: 5 } },
      ),
      send: ({ task }) => `POST /worker/tasks/${task!.id}/accept`,
      as: asWorker,
      status: 200,
      has: { task: { status: 'in_progress' } },
    },
    {
      by: 'Python',
      name: 'a new worker accepts a task of $600 while few have a higher level',
      given: async () => {
        const url = await young()
        const { status, body, text } = await call(url, 'POST', '/tasks', {
          body: { description: 'Look', budget_cents: 60_000 },
          headers: { authorization: `Bearer ${rich.api_key}` },
        })
        assert.equal(status, 201, text)
        return { url, task: body.task as Json, worker: await market.worker() }
      },
      send: ({ url, task }) => `POST ${String(url)}/worker/tasks/${task!.id}/accept`,
      as: asWorker,
      status: 200,
      has: { task: { status: 'in_progress' } },
    },
    {
      by: 'Python',
      name: 'a task that nobody can accept is created with a warning',
      given: async () => ({ url: await young() }),
      send: ({ url }) => `POST ${String(url)}/tasks`,
      body: '{"description": "Weld the hull", "budget_cents": 500, "skills": ["underwater welding"]}',
      status: 201,
      has: {
        task: { status: 'pending' },
        warnings: [{ code: 'no_eligible_workers', eligible_workers: 0, message: /./ }],
      },
    },
  ],

  'the feed': [
    {
      by: 'Python',
      name: 'has 50 tasks on a page, as lists do',
      given: manyOpen,
      send: 'GET /worker/feed',
      as: asWorker,
      status: 200,
      has: { tasks: (list: Json[]) => list.length === 50 },
    },
    {
      by: 'Go',
      name: 'understands limit and offset',
      given: async () => {
        const scene = await manyOpen()
        const { body } = await scene.worker!.get('/worker/feed?sort=pay&limit=20')
        return { ...scene, first: (body.tasks as Json[]).map(({ id }) => id as unknown) }
      },
      send: 'GET /worker/feed?sort=pay&limit=10&offset=10',
      as: asWorker,
      status: 200,
      has: ({ first }) => ({
        tasks: (list: Json[]) =>
          JSON.stringify(list.map(({ id }) => id as unknown)) ===
          JSON.stringify((first as unknown[]).slice(10)),
      }),
    },
    {
      by: 'Go',
      name: 'an offset of 0 is the first page',
      given: manyOpen,
      send: 'GET /worker/feed?limit=5&offset=0',
      as: asWorker,
      status: 200,
      has: { tasks: (list: Json[]) => list.length === 5 },
    },
    {
      by: 'Python',
      name: 'a card has the fields of a task',
      given: manyOpen,
      send: 'GET /worker/feed?limit=1&sort=pay',
      as: asWorker,
      status: 200,
      has: {
        tasks: [
          {
            id: /^task_/,
            agent_id: /^agent_/,
            type: /./,
            status: 'pending',
            description: /./,
            budget_cents: Number.isInteger,
            urgency: /./,
            proof_required: /./,
            created_at: ISO,
          },
        ],
      },
    },
  ],

  photos: [
    {
      by: 'Go',
      name: 'the proof of a task shows links on request',
      given: task('proof_submitted', { proof_required: 'photo' }),
      send: ({ task }) => `GET /tasks/${task!.id}/proof?media=url`,
      status: 200,
      has: { proofs: [{ photos: [], media: [{ kind: 'photo', url: /^http/ }] }] },
    },
    ...(
      [
        ['Python', 'a PNG of one pixel', `data:image/png;base64,${PIXEL.png}`],
        ['Python', 'a GIF', `data:image/gif;base64,${PIXEL.gif}`],
        ['Go', 'a WebP', `data:image/webp;base64,${PIXEL.webp}`],
        ['PHP', 'a type in capitals', `data:IMAGE/PNG;base64,${PIXEL.png}`],
        ['PHP', 'the scheme and the encoding in capitals', `DATA:image/png;BASE64,${PIXEL.png}`],
        [
          'Go',
          'base64.RawStdEncoding, without padding',
          `data:image/png;base64,${PIXEL.png.replace(/=+$/, '')}`,
        ],
        [
          'PHP',
          'chunk_split, with line breaks',
          `data:image/png;base64,${PIXEL.png.replaceAll(/(.{76})/g, '$1\r\n')}`,
        ],
        [
          'Python',
          'base64.encodebytes, with blanks',
          `data:image/png;base64, ${PIXEL.png.replaceAll(/(.{40})/g, '$1 ')}`,
        ],
      ] as const
    ).map(
      ([by, name, photo]): Line => ({
        by,
        name: `a photo as ${name}`,
        given: held({ proof_required: 'photo' }),
        send: ({ task }) => `POST /worker/tasks/${task!.id}/proof`,
        as: asWorker,
        body: JSON.stringify({ photos: [photo], text: '' }),
        status: 201,
        has: { proof: { files: [{ kind: 'photo' }] }, task: { status: 'proof_submitted' } },
      }),
    ),
    {
      by: 'Python',
      name: 'the detail of a task shows a small photo as a data URL',
      given: task('proof_submitted', { proof_required: 'photo' }),
      send: ({ task }) => `GET /tasks/${task!.id}`,
      status: 200,
      has: { task: { proofs: [{ text: 'Done', photos: [/^data:image\/\w+;base64,/] }] } },
    },
    {
      by: 'Python',
      name: 'the detail of a task shows only links on request',
      given: task('proof_submitted', { proof_required: 'photo' }),
      send: ({ task }) => `GET /tasks/${task!.id}?media=url`,
      status: 200,
      has: { task: { proofs: [{ photos: [], media: [{ kind: 'photo', url: /^http/ }] }] } },
    },
  ],
}

describe('[1-gap-nothing] [1-gap-json] requests of ordinary clients', () => {
  for (const [section, lines] of Object.entries(sections))
    describe(section, () => {
      for (const line of lines) test(`${line.by}: ${line.name}`, () => play(line))
    })
})

async function play(line: Line): Promise<void> {
  const scene = (await line.given?.()) ?? {}
  const target = typeof line.send === 'function' ? line.send(scene) : line.send
  const [method, path] = target.split(' ') as [string, string]
  const key = line.as === null ? undefined : (line.as?.(scene) ?? rich.api_key)

  const received = await send({
    by: line.by,
    method,
    url: path.startsWith('http') ? path : base + path,
    headers: { ...(key && { authorization: `Bearer ${key}` }), ...line.headers },
    body: typeof line.body === 'function' ? line.body(scene) : line.body,
    chunked: line.chunked,
  })

  assert.equal(received.status, line.status, received.text)
  assertHas(received.body, typeof line.has === 'function' ? line.has(scene) : (line.has ?? {}))
  for (const name of line.lacks ?? []) assert(!(name in received.body), received.text)
  for (const [name, pattern] of Object.entries(line.answers ?? {}))
    assert.match(String(received.headers[name]), pattern)
  await line.afterwards?.(scene, received)
}
