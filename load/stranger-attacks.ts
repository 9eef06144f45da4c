/** The attacks of `npm run test:strangers`, and the bounds that must hold under each. Forked by strangers.ts. */
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import os from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { type Reply, request } from './stranger-client.ts'

export interface Target {
  /** Base URLs of the two API processes. */
  bases: string[]
  ready: string[]
  databaseUrl: string
  /** The clock of the jobs process steps by three days when this file exists. */
  stepFile: string
}

export interface Outcome {
  said: string
  numbers: Record<string, number>
  /** The attack could not be carried out, so its result means nothing. */
  hasFailed?: boolean
}

interface Suffered {
  before: { p95: number }
  during: { p95: number; max: number; failed: number; count: number }
  peakMb: number
  storedMb: number
  numbers: Record<string, number>
}

interface Attack {
  name: string
  run(target: Target): Promise<Outcome>
  /** The bounds that were exceeded, as sentences. */
  broken(suffered: Suffered): string[]
}

/** How much other callers may delay an honest request, on a machine whose cores the attackers share. */
const DELAY_MAX_MS = 200
const MEMORY_MAX_MB = 600

const MEGABYTE = 1_000_000
const PASSWORD = 'correct horse battery staple'

export const ATTACKS: Attack[] = [
  {
    // One test worker sends 30 proofs of 12 MB at once, each millions of empty arrays.
    name: 'bodies',
    async run({ bases }) {
      const address = '203.0.113.1'
      const key = await testAgent(bases[0]!, address)
      const { token } = await json(bases[0]!, 'POST', '/test/workers', { address, key, body: {} })
      const body = `{"text":"x","photos":[${'[],'.repeat(3_900_000)}[]]}`
      return counted(
        await Promise.all(
          times(30, (i) =>
            request(bases[i % 2]!, 'POST', `/worker/tasks/${NO_TASK}/proof`, {
              address,
              key: token as string,
              body,
            }),
          ),
        ),
      )
    },
    broken: (suffered) => [...honestUndisturbed(suffered), ...memoryBounded(suffered)],
  },
  {
    // Seven 1 MB bodies that are slow to parse, from 60 addresses, sent to endpoints that need no key.
    name: 'shapes',
    async run({ bases }) {
      const shapes = hostileShapes()
      const doors = ['/worker/verify', '/worker/login', '/agents/register', '/test/agents']
      const replies = await inLanes(
        20,
        times(60 * shapes.length, (i) => i),
        (i) =>
          request(bases[i % 2]!, 'POST', doors[i % doors.length]!, {
            address: `203.0.113.${1 + (i % 60)}`,
            body: shapes[i % shapes.length]!,
          }),
      )
      return counted(replies)
    },
    broken: (suffered) => [...honestUndisturbed(suffered), ...memoryBounded(suffered)],
  },
  {
    // A thousand test agents create tasks for scripted workers and advance their clocks nonstop.
    name: 'test-agents',
    async run({ bases }) {
      const agents = times(1000, (i) => ({
        address: `203.0.${113 + (i % 80)}.1`,
        base: bases[i % 2]!,
      }))
      const made = await inLanes(40, agents, async ({ address, base }) => {
        const reply = await request(base, 'POST', '/test/agents', { address, body: {} })
        return reply.status === 201 ? { address, base, key: keyOf(reply) } : undefined
      })
      const keyed = made.filter((one) => one !== undefined)
      const until = performance.now() + 30_000
      const replies: Reply[] = []
      await inLanes(200, keyed, async ({ address, base, key }) => {
        const send = async (to: string, body: object) =>
          replies.push(await request(base, 'POST', to, { address, key, body }))
        const task = { description: 'x', budget_cents: 25, deadline: '90d' }
        for (let i = 0; i < 3 && performance.now() < until; i += 1)
          await send('/tasks', { ...task, context: { sim: 'happy' } })
        for (let i = 0; i < 8 && performance.now() < until; i += 1)
          await Promise.all(times(3, () => send('/test/clock/advance', { by: '1h' })))
      })
      const outcome = counted(replies)
      return { ...outcome, said: `${keyed.length} agents; ${outcome.said}` }
    },
    broken: ({ before, during }) => [
      ...noneFailed(during),
      ...limit('p95 of honest callers, against before', during.p95 / before.p95, 1.2),
    ],
  },
  {
    // One test agent asks for 30 tasks with 25 photos each and advances its clock until all are done, for at most 90 s.
    name: 'storage',
    async run({ bases }) {
      const address = '203.0.113.1'
      const base = bases[0]!
      const key = await testAgent(base, address)
      const task = {
        description: 'x'.repeat(5000),
        budget_cents: 2500,
        consensus_count: 25,
        proof_required: 'photo',
        context: { sim: 'happy', pad: 'y'.repeat(15_000) },
        metadata: { pad: 'z'.repeat(15_000) },
      }
      const replies: Reply[] = []
      for (let i = 0; i < 30; i += 1)
        replies.push(await request(base, 'POST', '/tasks', { address, key, body: task }))
      const until = performance.now() + 90_000
      for (let i = 0; i < 30 && performance.now() < until; i += 1) {
        const reply = await request(base, 'POST', '/test/clock/advance', {
          address,
          key,
          body: { by: '1h' },
        })
        replies.push(reply)
        if (reply.status !== 200 || JSON.parse(reply.text).is_done === true) break
      }
      return counted(replies)
    },
    broken: (suffered) => [
      ...noneFailed(suffered.during),
      ...limit('MB stored', suffered.storedMb, 20),
    ],
  },
  {
    // Ten new workers report twelve tasks each.
    name: 'hide',
    async run({ bases, databaseUrl }) {
      const base = bases[0]!
      const owner = new pg.Client({ connectionString: databaseUrl })
      await owner.connect()
      const tasks: string[] = []
      for (let i = 0; i < 4; i += 1) {
        const address = `203.0.113.${i}`
        const { agent } = await json(base, 'POST', '/agents/register', {
          address,
          body: { name: 'Victim', email: `victim-${i}@example.com` },
        })
        for (let j = 0; j < 3; j += 1) {
          const body = { description: 'An honest task', budget_cents: 500 }
          const { task } = await json(base, 'POST', '/tasks', { address, key: agent.api_key, body })
          tasks.push(task.id as string)
        }
      }
      const workers: { address: string; token: string }[] = []
      for (let i = 0; i < 11; i += 1)
        workers.push(await activeWorker(base, owner, `203.0.114.${i}`, `reporter-${i}@example.com`))
      await owner.end()
      // The feed is updated within a second or two.
      await sleep(3_000)
      const seen = async () => {
        const { address, token: key } = workers[0]!
        let found = 0
        for (const id of tasks)
          if ((await request(base, 'GET', `/worker/feed/${id}`, { address, key })).status === 200)
            found += 1
        return found
      }
      const shown = await seen()
      for (const { address, token: key } of workers.slice(1))
        for (const id of tasks)
          await request(base, 'POST', `/worker/tasks/${id}/report`, {
            address,
            key,
            body: { kind: 'other' },
          })
      const left = await seen()
      return {
        said: `${shown - left} of ${shown} tasks hidden by ten new accounts`,
        numbers: { hidden: shown - left, shown },
      }
    },
    broken: ({ numbers }) => [
      ...limit('tasks hidden', numbers.hidden ?? 0, 0),
      ...(numbers.shown === 12 ? [] : ['the twelve tasks were not all in the feed before']),
    ],
  },
  {
    // Two strangers at different addresses use the same Idempotency-Key, one after the other.
    name: 'same-key',
    async run({ bases }) {
      const headers = { 'idempotency-key': 'registration-0000000001' }
      const keys: string[] = []
      for (const address of ['203.0.113.1', '203.0.113.2']) {
        const reply = await request(bases[0]!, 'POST', '/test/agents', {
          address,
          body: {},
          headers,
        })
        assert.equal(reply.status, 201, reply.text)
        keys.push(keyOf(reply))
      }
      const shared = keys[0] === keys[1] ? 1 : 0
      return {
        said: shared ? 'both got the same API key' : 'each got an API key of their own',
        numbers: { shared },
      }
    },
    broken: ({ numbers }) => limit('API keys given to two strangers', numbers.shared ?? 0, 0),
  },
  {
    // NUL, invalid UTF-8 and lone surrogates in paths, queries, headers and cookies.
    name: 'bytes',
    async run({ bases }) {
      const bad = ['%00', '%ed%a0%80', '%ff', '%c3%28', '%f0%9f%98', `${'a'.repeat(5000)}`]
      const paths = bad.flatMap((bytes) => [
        `/tasks/${bytes}`,
        `/tasks?cursor=${bytes}`,
        `/tasks?status=${bytes}`,
        `/tasks?${bytes}=1`,
        `/events?after=${bytes}`,
        `/worker/feed/${bytes}`,
        `/worker/feed?cursor=${bytes}`,
        `/worker/tasks/${bytes}`,
        `/worker/preview?lat=${bytes}`,
        `/files/${bytes}`,
        `/agents/${bytes}`,
        `/wallet/transactions?cursor=${bytes}`,
      ])
      const address = '203.0.113.1'
      const key = await testAgent(bases[0]!, address)
      const { token } = await json(bases[0]!, 'POST', '/test/workers', { address, key, body: {} })
      const replies = await inLanes(10, paths, (to) =>
        request(bases[0]!, 'GET', to, {
          address,
          key: to.startsWith('/worker/') ? (token as string) : key,
        }),
      )
      return counted(replies)
    },
    broken: ({ numbers }) => limit('answers of 5xx', numbers['5xx'] ?? 0, 0),
  },
  {
    // The clock of the jobs process jumps ahead by three days.
    name: 'clock',
    async run({ bases, ready, databaseUrl, stepFile }) {
      const base = bases[0]!
      const owner = new pg.Client({ connectionString: databaseUrl })
      await owner.connect()
      const address = '203.0.113.1'
      const { agent } = await json(base, 'POST', '/agents/register', {
        address,
        body: { name: 'Victim', email: 'victim@example.com' },
      })
      const worker = await activeWorker(base, owner, address, 'holder@example.com')
      const tasks: string[] = []
      for (let i = 0; i < 3; i += 1) {
        const body = { description: 'Two days', budget_cents: 1000, deadline: '2d' }
        const { task } = await json(base, 'POST', '/tasks', { address, key: agent.api_key, body })
        tasks.push(task.id as string)
      }
      for (const id of tasks.slice(0, 2))
        await json(base, 'POST', `/worker/tasks/${id}/accept`, {
          address,
          key: worker.token,
          body: {},
        })
      await json(base, 'POST', `/worker/tasks/${tasks[0]}/proof`, {
        address,
        key: worker.token,
        body: { text: 'Done' },
      })
      const states = async () => {
        const { rows } = await owner.query<{ status: string }>(
          'select status from tasks where id = any ($1) order by id',
          [tasks],
        )
        return rows.map(({ status }) => status).join(', ')
      }
      const before = await states()
      writeFileSync(stepFile, '')
      await sleep(20_000)
      const after = await states()
      const jobs = await fetch(ready.at(-1)!).then(({ status }) => status)
      await owner.end()
      return {
        said: `${before} → ${after}; readiness of the jobs process ${jobs}`,
        numbers: { moved: before === after ? 0 : 1, readiness: jobs },
      }
    },
    broken: ({ numbers }) => [
      ...limit('tasks moved by a wrong clock', numbers.moved ?? 0, 0),
      ...(numbers.readiness === 503 ? [] : ['the process with the wrong clock is ready']),
    ],
  },
]

/** A well-formed id that doesn't exist. */
const NO_TASK = 'task_00000000000000000000000000'

const times = <T>(count: number, make: (i: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => make(i))

async function inLanes<T, R>(
  lanes: number,
  items: T[],
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = []
  let next = 0
  await Promise.all(
    times(lanes, async () => {
      for (let i = next++; i < items.length; i = next++) results.push(await work(items[i]!))
    }),
  )
  return results
}

// oxlint-disable-next-line typescript/no-explicit-any
async function json(base: string, method: string, to: string, options: any): Promise<any> {
  const { status, text } = await request(base, method, to, options)
  assert(status >= 200 && status < 300, `${method} ${to}: ${status} ${text}`)
  return JSON.parse(text)
}

async function testAgent(base: string, address: string): Promise<string> {
  const reply = await request(base, 'POST', '/test/agents', { address, body: {} })
  assert.equal(reply.status, 201, reply.text)
  return keyOf(reply)
}

const keyOf = ({ text }: Reply) => JSON.parse(text).agent.test_api_key as string

async function activeWorker(base: string, owner: pg.Client, address: string, email: string) {
  const body = { name: 'New', email, password: PASSWORD }
  await json(base, 'POST', '/worker/register', { address, body })
  await owner.query(`update workers set status = 'active', verified_at = now() where email = $1`, [
    email,
  ])
  const { token } = await json(base, 'POST', '/worker/login', {
    address,
    body: { email, password: PASSWORD },
  })
  return { address, token: token as string }
}

/** Counts responses by status; `0` is a connection that was closed without a response. */
function counted(replies: Reply[]): Outcome {
  const counts = new Map<number, number>()
  for (const { status } of replies) counts.set(status, (counts.get(status) ?? 0) + 1)
  const said = [...counts].toSorted(([a], [b]) => a - b).map(([status, n]) => `${n} × ${status}`)
  const defects = replies.filter(({ status }) => status >= 500 && status !== 503).length
  return { said: said.join(', '), numbers: { '5xx': defects } }
}

function hostileShapes(): string[] {
  const deep = 400_000
  return [
    `{"token":[${'[],'.repeat(MEGABYTE / 3 - 20)}[]]}`,
    `{"token":[${'1,'.repeat(MEGABYTE / 2 - 20)}1]}`,
    `{"token":[${'{},'.repeat(MEGABYTE / 3 - 20)}{}]}`,
    `{"token":"x",${times(105_000, (i) => `"${i.toString(36)}":1`).join(',')}}`,
    `{"token":"${String.raw`\ud83d\ude00`.repeat(83_000)}"}`,
    `{"token":${'['.repeat(deep)}${']'.repeat(deep)}}`,
    `{"token":"${'a'.repeat(MEGABYTE - 100)}"}`,
  ]
}

const limit = (what: string, value: number, max: number): string[] =>
  value <= max ? [] : [`${what}: ${value.toFixed(2)}, at most ${max}`]

const noneFailed = ({ failed }: Suffered['during']) =>
  limit('failed requests of honest callers', failed, 0)

const honestUndisturbed = ({ before, during }: Suffered) => [
  ...noneFailed(during),
  ...limit('ms added to the p95 of honest callers', during.p95 - before.p95, DELAY_MAX_MS),
]

const memoryBounded = ({ peakMb }: Suffered) => limit('MB of memory', peakMb, MEMORY_MAX_MB)

if (import.meta.main) {
  os.setPriority(19)
  process.once('message', (target: Target) => {
    const attack = ATTACKS.find(({ name }) => name === process.argv[2])
    assert(attack)
    void attack.run(target).then(
      (outcome) => process.send!(outcome),
      (error: unknown) => process.send!({ said: String(error), numbers: {}, hasFailed: true }),
    )
  })
}
