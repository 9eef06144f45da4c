/**
 * Sends many hostile bodies at once, from an anonymous caller and from a test-mode worker. Other callers must still get
 * responses, and memory must stay bounded. `BODY_ATTACKS` is the number of concurrent bodies and `BODY_ATTACK_MB` the
 * size of each; with 30 and 12 the server once stopped responding for a minute. The server runs in a separate process,
 * so its event loop and memory can be measured separately.
 */
import assert from 'node:assert/strict'
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { request } from 'node:http'
import path from 'node:path'
import { describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { freshDatabase } from '../harness.ts'
import { atEnd } from '../hooks.ts'

const BODIES = Number(process.env.BODY_ATTACKS ?? 6)
const BYTES = Number(process.env.BODY_ATTACK_MB ?? 2) * 1_048_576
/**
 * Longest acceptable event loop delay. 200 ms holds on an idle machine, but a busy machine preempts the process for
 * longer. Ten bodies of 4 MB once blocked the loop for 24 seconds.
 */
const DELAY_MS_MAX = Number(process.env.BODY_DELAY_MS ?? 3000)
/** Allowed growth over the memory use without an attack. */
const MORE_MEMORY_MB_MAX = 250
const NO_TASK = 'task_00000000000000000000000000'

const child = fork(path.join(import.meta.dirname, 'server-child.ts'), {
  env: { ...process.env, ATTACKED_DATABASE_URL: await freshDatabase() },
})
atEnd(() => stop(child))
const [{ api }] = (await once(child, 'message')) as [{ api: string }]
const { body: made } = await send('POST', '/test/agents', { body: '{}' })
const key: string = made.agent.test_api_key
const { body: played } = await send('POST', '/test/workers', { credential: key, body: '{}' })
const token: string = played.token
const calmMb = residentMb(child.pid!)

/** Fills the body by repeating one piece. */
const fill = (head: string, piece: string, tail: string) =>
  Buffer.from(head + piece.repeat((BYTES - head.length - tail.length) / piece.length) + tail)
const HOSTILE = {
  'empty arrays': fill('{"text":"x","photos":[', '[],', '[]]}'),
  numbers: fill('{"text":"x","photos":[', '1,', '1]}'),
  'objects without fields': fill('{"text":"x","photos":[', '{},', '{}]}'),
  'open brackets': fill('{"text":', '[', '}'),
  'escaped quotes': fill('{"text":"', '\\"', '"}'),
  'escaped surrogate pairs': fill('{"text":"', '\\ud83d\\ude00', '"}'),
  'one long text': fill('{"text":"', 'a', '"}'),
  'one long number': fill('{"text":', '1', '}'),
}

describe(`${BODIES} concurrent bodies of ${BYTES / 1_048_576} MB`, () => {
  for (const [name, body] of Object.entries(HOSTILE)) {
    test(`of ${name} from an anonymous client delay nobody`, async () => {
      await attack(413, () => send('POST', '/worker/verify', { body, isChunked: false }))
    })
    test(`of ${name} from an anonymous client, chunked, delay nobody`, async () => {
      await attack(413, () => send('POST', '/worker/verify', { body, isChunked: true }))
    })
    test(`of ${name} from a test worker, for an unknown task, delay nobody`, async () => {
      const proof = `/worker/tasks/${NO_TASK}/proof`
      await attack(404, () => send('POST', proof, { credential: token, body }))
    })
  }

  for (const [name, body] of Object.entries(HOSTILE))
    test(`of ${name} from a test worker who holds the task delay nobody`, async () => {
      const { body: created } = await send('POST', '/tasks', {
        credential: key,
        body: '{"description":"Look","budget_cents":100,"context":{"sim":{"persona":"nobody"}}}',
      })
      const task = created.task.id as string
      const accepted = await send('POST', `/worker/tasks/${task}/accept`, { credential: token })
      assert.equal(accepted.status, 200, JSON.stringify(accepted.body))

      await attack([400, 429, 503], () =>
        send('POST', `/worker/tasks/${task}/proof`, { credential: token, body }),
      )
    })
})

/** Sends all bodies at once, and makes other requests in the meantime. */
async function attack(expected: number | number[], one: () => Promise<Answer>): Promise<void> {
  await lookAtServer()
  let isOver = false
  const attackers = Promise.all(Array.from({ length: BODIES }, one)).finally(() => {
    isOver = true
  })
  const others: Answer[] = []
  let memoryMb = 0
  while (!isOver) {
    others.push(await send('GET', '/worker/app'))
    memoryMb = Math.max(memoryMb, residentMb(child.pid!))
    await sleep(20)
  }
  const answers = await attackers
  const { delayMs } = await lookAtServer()

  const statuses = [expected].flat()
  for (const { status } of answers) assert(statuses.includes(status), `answered ${status}`)
  for (const { status } of others) assert.equal(status, 200)
  const moreMb = Math.round(memoryMb - calmMb)
  if (process.env.BODY_ATTACKS)
    console.log(`event loop held up for ${Math.round(delayMs)} ms, ${moreMb} MB more`)
  assert(delayMs < DELAY_MS_MAX, `the event loop was blocked for ${Math.round(delayMs)} ms`)
  assert(moreMb < MORE_MEMORY_MB_MAX, `the server took ${moreMb} MB more`)
}

/** Returns the longest event loop delay since the previous call. */
async function lookAtServer(): Promise<{ delayMs: number }> {
  const told = once(child, 'message')
  child.send('look')
  const [message] = (await told) as [{ delayMs: number }]
  return message
}

interface Answer {
  status: number
  body: any
  ms: number
}

/** Uses a new connection. A response that arrives before the whole body was sent counts too. */
function send(
  method: string,
  to: string,
  {
    body,
    credential,
    isChunked = false,
  }: { body?: string | Buffer; credential?: string; isChunked?: boolean } = {},
): Promise<Answer> {
  const begun = performance.now()
  return new Promise((resolve, reject) => {
    const sent = request(
      api + to,
      {
        method,
        agent: false,
        headers: {
          ...(credential ? { authorization: `Bearer ${credential}` } : {}),
          ...(body ? { 'content-type': 'application/json' } : {}),
          ...(body && !isChunked ? { 'content-length': Buffer.byteLength(body) } : {}),
        },
      },
      (response) => {
        let text = ''
        response
          .setEncoding('utf8')
          .on('data', (part: string) => {
            text += part
          })
          .on('end', () => {
            resolve({
              status: response.statusCode!,
              body: text === '' ? undefined : JSON.parse(text),
              ms: performance.now() - begun,
            })
          })
      },
    )
    sent.on('error', reject)
    if (isChunked) sent.setHeader('transfer-encoding', 'chunked')
    sent.end(body)
  })
}

function residentMb(pid: number): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024
  } catch {
    return 0
  }
}

async function stop(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null) return
  server.kill('SIGTERM')
  await once(server, 'exit')
}
