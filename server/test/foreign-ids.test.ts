/**
 * A caller must learn nothing about an id that belongs to somebody else. Every operation that takes an id is called
 * with somebody else's id and with one that never existed, and both responses must be equal. Intended differences are
 * listed with their reason.
 */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { endpoints } from '../src/endpoints.ts'
import type { AnyEndpoint } from '../src/kit/endpoint.ts'
import { mintId, type Prefix } from '../src/kit/ids.ts'
import { STATUSES } from '../src/tasks/status.ts'
import { type Json, marketplace, type Reply } from './harness.ts'
import { makeObject, OBJECTS, requestFor, STEPS } from './requests.ts'

const HOUR = 3_600_000
const market = await marketplace({ settings: { LOG_LEVEL: 'silent' } })

interface Operation {
  /** `METHOD path` of the endpoint. */
  name: string
  /** Only if it differs from what server/test/requests.ts sends. */
  body?: Json
}

const nameOf = ({ method, path }: AnyEndpoint) => `${String(method)} ${path}`
const isOfTask = ({ name }: Operation) => STEPS.some((step) => step === OBJECTS[name])

/** No key can call them; another agent's people are tried in the tests next to them. */
const BY_PEOPLE = {
  'PATCH /console/people/:id': 'server/src/agents/update-person.test.ts',
  'DELETE /console/people/:id': 'server/src/agents/remove-person.test.ts',
}

/** Operations with an object id in the path or body, for one kind of caller. */
const withObject = (auth: string): Operation[] =>
  endpoints
    .filter((endpoint) => endpoint.auth === auth)
    .filter(({ access }) => access?.object === 'own' || access?.object === 'open')
    .filter((endpoint) => !(nameOf(endpoint) in BY_PEOPLE))
    .map((endpoint) => ({ name: nameOf(endpoint) }))
const [byAgents, byWorkers] = [withObject('agent'), withObject('worker')]
const OF_TASKS_FOR_AGENTS = byAgents.filter(isOfTask)
const OF_TASKS_FOR_WORKERS = byWorkers.filter(isOfTask)
const OTHERS = [...byAgents, ...byWorkers].filter((operation) => !isOfTask(operation))

/** Worker operations on tasks that the feed shows to every worker, so their ids are not secret. */
const SHOWN_IN_FEED = {
  'GET /worker/feed/:id': ['pending'],
  // Includes full tasks: a slot can become free again.
  'POST /worker/tasks/:id/accept': ['pending', 'in_progress', 'proof_submitted'],
  'POST /worker/tasks/:id/report': ['pending', 'in_progress'],
} as Record<string, string[]>

/** Public on purpose, or authorized by a signature instead of ownership. */
const NOT_OWNED = {
  'GET /worker/:id/public': 'the public profile of any worker',
  'GET /files/:id': 'a signed link, checked before the file is looked up',
}

async function send(credential: string, { name, body: given }: Operation, id: string) {
  const [method, path] = name.split(' ') as [string, string]
  const request = requestFor(market, { method, path }, id)
  const body = given === undefined ? request.body : JSON.stringify(given).replace(':id', id)
  const reply = await market.call(method, request.path, {
    body: body instanceof Uint8Array ? 'x' : body,
    headers: { authorization: `Bearer ${credential}`, ...request.headers },
  })
  return told(reply, id)
}

/** The whole response, except for values specific to this request. */
function told({ status, body, headers }: Reply, id: string) {
  const { request_id: _, ...rest } = body
  return {
    status,
    body: JSON.parse(JSON.stringify(rest).replaceAll(id, '<id>')) as unknown,
    headers: [...headers.keys()].filter((name) => name !== 'date').sort(),
  }
}

async function assertHidden(credential: string, operation: Operation, id: string, prefix: Prefix) {
  const never = mintId(prefix, market.now(), 9)
  const theirs = await send(credential, operation, id)
  const unknown = await send(credential, operation, never)
  assert.deepEqual(theirs, unknown, `${operation.name} tells that ${id} exists`)
  assert([400, 404].includes(theirs.status), `${operation.name} ${theirs.status}`)
}

const owner = await market.agent({ balanceCents: 1_000_000, freeTasks: false })
const tasks = new Map<string, { live: string; test: string }>()
for (const status of STATUSES) {
  const live = await market.taskIn(owner, status, status === 'expired' ? { deadline: '1h' } : {})
  const sim = { context: { sim: { persona: 'me' } } }
  const tried = await market.taskIn(owner.test, 'pending', sim)
  tasks.set(status, { live: live.id, test: tried.id })
}
// Finished tasks stay on workers' screens for a while.
market.advance(3 * HOUR)

const [other, third] = [await market.agent(), await market.agent()]
const narrow = await market.key(owner, {
  scopes: ['create', 'review', 'read'],
  own_tasks_only: true,
})
const strangers = {
  'another agent': other.api_key,
  'another agent in test mode': third.test_api_key,
  'the test twin of its agent': owner.test_api_key,
  'a key of its agent that sees its own tasks only': narrow.api_key,
}

for (const [who, credential] of Object.entries(strangers))
  describe(`an agent’s tasks are hidden: ${who} learns nothing`, () => {
    for (const operation of OF_TASKS_FOR_AGENTS)
      test(operation.name, async () => {
        for (const { live } of tasks.values())
          await assertHidden(credential, operation, live, 'task')
      })
  })

describe('tasks outside of the feed are hidden', () => {
  for (const operation of OF_TASKS_FOR_WORKERS)
    test(`${operation.name}: neither a live nor a foreign test worker learns anything`, async () => {
      const { token: live } = await market.worker()
      const { token: tried } = await market.worker({ mode: 'test' })
      for (const [status, { live: id, test: testId }] of tasks) {
        const isShown = SHOWN_IN_FEED[operation.name]?.includes(status) ?? false
        if (!isShown) await assertHidden(live, operation, id, 'task')
        await assertHidden(live, operation, testId, 'task')
        await assertHidden(tried, operation, id, 'task')
        await assertHidden(tried, operation, testId, 'task')
      }
    })

  test('every listed exception exists', async () => {
    for (const [name, statuses] of Object.entries(SHOWN_IN_FEED))
      for (const status of statuses) {
        const { token } = await market.worker()
        const operation = OF_TASKS_FOR_WORKERS.find((one) => one.name === name)!
        const { status: answered } = await send(token, operation, tasks.get(status)!.live)
        assert.notEqual(answered, 404, `${name} of a task that is ${status}`)
      }
  })

  test('a proof does not reveal whether an upload of another worker exists', async () => {
    const { id, workers } = await market.taskIn(owner, 'in_progress', { proof_required: 'photo' })
    const mine = await market.taskIn(owner, 'in_progress', { proof_required: 'photo' })
    const theirs = await begunUpload(id, workers[0]!.token)
    const operation = { name: `POST /worker/tasks/${mine.id}/proof`, body: { photos: [':id'] } }

    await assertHidden(mine.workers[0]!.token, operation, theirs, 'upl')
  })

  test('a dispute does not reveal whether an assignment of another task exists', async () => {
    const [theirs] = await market.asOwner('select id from assignments limit 1')
    const rich = await market.agent({ balanceCents: 5000, freeTasks: false })
    const { id } = await market.taskIn(rich, 'proof_submitted')
    const body = { reason: 'No', assignment_ids: [':id'] }

    await assertHidden(
      rich.api_key,
      { name: `POST /tasks/${id}/dispute`, body },
      theirs!.id as string,
      'asg',
    )
  })
})

describe('other objects with an owner are hidden', () => {
  for (const operation of OTHERS)
    test(operation.name, async () => {
      const { id, prefix, credentials } = await foreignObject(operation.name)

      for (const credential of credentials) await assertHidden(credential, operation, id, prefix)
    })
})

test('control: a differing response is found', async () => {
  const operation = { name: 'POST /tasks/:id/cancel', body: {} }

  await assert.rejects(
    assertHidden(owner.api_key, operation, tasks.get('completed')!.live, 'task'),
    /tells that task_\w+ exists/,
  )
})

test('every operation with an id in its path is in one of the tables', () => {
  const listed = [...OF_TASKS_FOR_AGENTS, ...OF_TASKS_FOR_WORKERS, ...OTHERS].map(
    ({ name }) => name,
  )
  const all = endpoints
    .filter(({ path }) => path.includes(':'))
    .map(({ method, path }) => `${method} ${path}`)

  assert.deepEqual(
    [
      ...listed.filter((name) => name.includes('/:id')),
      ...Object.keys(NOT_OWNED),
      ...Object.keys(BY_PEOPLE),
    ].sort(),
    all.sort(),
  )
})

async function begunUpload(taskId: string, token: string): Promise<string> {
  const { body, text } = await market.client(token).post('/worker/uploads', {
    task_id: taskId,
    kind: 'photo',
    content_type: 'image/jpeg',
    sha256: 'ab'.repeat(32),
    bytes: 9,
  })
  assert(body.upload_id, text)
  return body.upload_id as string
}

/** An object of a new agent or of one of its workers, and callers who have nothing to do with it. */
async function foreignObject(
  name: string,
): Promise<{ id: string; prefix: Prefix; credentials: string[] }> {
  const object = OBJECTS[name]
  assert(object, `${name} has no object in server/test/requests.ts`)
  // A new agent, because the tests above have used up the number of refused requests kept for `owner`.
  const agent = await market.agent({ balanceCents: 10_000, freeTasks: false })
  const worker = await market.worker({ approvals: 100 })
  const id = await makeObject(market, object, { agent, worker })
  const credentials = byAgents.some((one) => one.name === name)
    ? [other.api_key, third.test_api_key, agent.test_api_key]
    : [(await market.worker()).token, (await market.worker({ mode: 'test' })).token]
  return { id, prefix: id.slice(0, id.indexOf('_')) as Prefix, credentials }
}
