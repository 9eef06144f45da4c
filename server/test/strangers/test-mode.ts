/**
 * A crowd of abusive test agents: each one creates tasks with 25 scripted workers and large texts, and advances its
 * clock with two concurrent calls, as fast as the limits allow. Meanwhile an honest agent and an honest worker make
 * requests, and their response times are measured with and without the crowd, in alternation.
 */
import http from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

const AGENTS_PER_ADDRESS = 20
const LARGE = { description: 'x'.repeat(5000), context: 'y'.repeat(14_000) }

export interface TestModeAttack {
  /** Calls rotate through these. */
  baseUrls: string[]
  agents: number
  /** Duration of each phase. A round is a phase without the crowd, then one with it. */
  phaseMs: number
  rounds: number
  /** How long an abusive agent waits after a refusal; it ignores Retry-After. */
  impatienceMs?: number
  /** Calls rotate through these, so none of them reaches its own limits. */
  honest: Honest[]
}

export interface Honest {
  agentKey: string
  workerToken: string
}

export interface TestModeAttackResult {
  agents: number
  quietP95Ms: number
  attackedP95Ms: number
  /** p95 with the crowd, divided by p95 without it. */
  ratio: number
  quietP50Ms: number
  attackedP50Ms: number
  honestCalls: number
  honestFailures: number
  /** The crowd's responses, by status. */
  statuses: Record<string, number>
}

/** Runs the attack. Addresses of 127.0.0.0/8 stand for strangers in different networks. */
export async function testModeAttack(attack: TestModeAttack): Promise<TestModeAttackResult> {
  const { agents: count, phaseMs, rounds, honest } = attack
  const call = caller(attack.baseUrls)
  const crowd = await recruit(call, count)
  const statuses: Record<string, number> = {}
  const quiet: number[] = []
  const attacked: number[] = []
  let honestFailures = 0
  const measure = async (times: number[]) => {
    const until = performance.now() + phaseMs
    for (let turn = 0; performance.now() < until; turn += 1) {
      const reply = await honestCall(call, honest, turn)
      times.push(reply.ms)
      if (reply.status !== 200 && reply.status !== 201) honestFailures += 1
      await sleep(15)
    }
  }
  for (let round = 0; round < rounds; round += 1) {
    await measure(quiet)
    const stop = new AbortController()
    const running = crowd.map((member) =>
      abuse(call, member, { ...attack, statuses, stop: stop.signal }),
    )
    // Let the crowd get going before the measurement begins.
    await sleep(phaseMs / 4)
    await measure(attacked)
    stop.abort()
    await Promise.all(running)
    await sleep(phaseMs / 4)
  }
  call.close()
  const p95 = { quiet: quantile(quiet, 0.95), attacked: quantile(attacked, 0.95) }
  return {
    agents: crowd.length,
    quietP95Ms: p95.quiet,
    attackedP95Ms: p95.attacked,
    ratio: p95.attacked / p95.quiet,
    quietP50Ms: quantile(quiet, 0.5),
    attackedP50Ms: quantile(attacked, 0.5),
    honestCalls: quiet.length + attacked.length,
    honestFailures,
    statuses,
  }
}

interface Member {
  key: string
  address: string
}

type Call = ReturnType<typeof caller>

/**
 * Registers the agents from as many addresses as needed, all at once, because registrations per address are limited.
 */
async function recruit(call: Call, count: number): Promise<Member[]> {
  const networks = Array.from({ length: Math.ceil(count / AGENTS_PER_ADDRESS) }, (_, network) => ({
    address: `127.${16 + Math.floor(network / 250)}.1.${1 + (network % 250)}`,
    wanted: Math.min(AGENTS_PER_ADDRESS, count - network * AGENTS_PER_ADDRESS),
  }))
  const made = await Promise.all(
    networks.map(async ({ address, wanted }) => {
      const members: Member[] = []
      for (let tries = 0; members.length < wanted && tries < 50 * wanted; tries += 1) {
        const { status, body } = await call('POST', '/test/agents', { address, body: {} })
        if (status === 201) members.push({ key: body.agent.test_api_key as string, address })
        // An earlier run within this hour has used up the limit.
        else if (status === 429) break
        else await sleep(200)
      }
      return members
    }),
  )
  return made.flat()
}

async function abuse(
  call: Call,
  { key, address }: Member,
  {
    statuses,
    stop,
    impatienceMs = 1000,
  }: Pick<TestModeAttack, 'impatienceMs'> & { statuses: Record<string, number>; stop: AbortSignal },
): Promise<void> {
  const send = async (method: string, path: string, body: unknown) => {
    const { status } = await call(method, path, { key, address, body })
    statuses[status] = (statuses[status] ?? 0) + 1
    if (status >= 400 || status === 0) await sleep(impatienceMs * (0.5 + Math.random()))
  }
  await sleep(impatienceMs * Math.random())
  while (!stop.aborted) {
    await send('POST', '/tasks', {
      description: LARGE.description,
      budget_cents: 2500,
      consensus_count: 25,
      proof_required: 'photo',
      deadline: '90d',
      context: { sim: 'happy', pad: LARGE.context },
    })
    await Promise.all([
      send('POST', '/test/clock/advance', { by: '1h' }),
      send('POST', '/test/clock/advance', { by: '1s' }),
    ])
  }
}

function honestCall(call: Call, honest: Honest[], turn: number) {
  const who = Math.floor(turn / 3) % honest.length
  const { agentKey, workerToken } = honest[who]!
  const address = `127.0.2.${1 + (who % 250)}`
  if (turn % 3 === 0) return call('GET', '/wallet', { key: agentKey, address })
  if (turn % 3 === 1) return call('GET', '/worker/feed', { key: workerToken, address })
  const body = { description: 'Is the bakery open?', budget_cents: 25 }
  return call('POST', '/tasks', { key: agentKey, address, body })
}

interface Reply {
  /** 0 if the connection broke. */
  status: number
  // oxlint-disable-next-line typescript/no-explicit-any
  body: any
  ms: number
}

function caller(baseUrls: string[]) {
  const pool = new http.Agent({ keepAlive: true, maxSockets: 100_000 })
  let turn = 0
  const call = (
    method: string,
    path: string,
    { key, address, body }: { key?: string; address: string; body?: unknown },
  ) =>
    new Promise<Reply>((resolve) => {
      const began = performance.now()
      const text = body === undefined ? undefined : JSON.stringify(body)
      const request = http.request(
        `${baseUrls[turn++ % baseUrls.length]!}${path}`,
        {
          method,
          agent: pool,
          localAddress: address,
          headers: {
            ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
            ...(text === undefined
              ? {}
              : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
          },
        },
        (response) => {
          let received = ''
          response.on('data', (chunk: Buffer) => (received += chunk.toString()))
          response.on('end', () => {
            const ms = performance.now() - began
            const { statusCode: status = 0 } = response
            resolve({ status, body: received === '' ? undefined : JSON.parse(received), ms })
          })
        },
      )
      request.on('error', () =>
        resolve({ status: 0, body: undefined, ms: performance.now() - began }),
      )
      request.setTimeout(60_000, () => request.destroy())
      request.end(text)
    })
  return Object.assign(call, { close: () => pool.destroy() })
}

const quantile = (values: number[], at: number) =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * at))] ?? 0
