/** The people of the simulation: honest ones, and farmers with their strategies. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import type { Marketplace, TestWorker } from '../harness.ts'

const MINUTE = 60_000

export interface Strategy {
  name: string
  workers: number
  /** All their workers are paid to one bank account. */
  sharesBank?: true
  /** All their workers registered from one network address. */
  sharesAddress?: true
  /** How old the workers' accounts are at the start. */
  agedDays?: number
  /** From one step of a task to the next. */
  stepMs: number
  /** The share of their workers' tasks that is honest work, paid by strangers from wallets. */
  camouflage?: number
}

/** Each opens new agents every day and gives all of their free tasks to its own workers. */
export const STRATEGIES: readonly Strategy[] = [
  { name: 'many agents, one worker', workers: 1, stepMs: 12 * MINUTE },
  { name: 'a ring of workers', workers: 4, stepMs: 12 * MINUTE },
  { name: 'one bank account', workers: 4, sharesBank: true, stepMs: 12 * MINUTE },
  { name: 'one device', workers: 4, sharesAddress: true, stepMs: 12 * MINUTE },
  { name: 'approved in seconds', workers: 3, stepMs: 4000 },
  {
    name: 'slow, with aged accounts',
    workers: 6,
    agedDays: 60,
    stepMs: 120 * MINUTE,
    camouflage: 0.2,
  },
]

const HONEST_WORKERS = 24
/** Of the honest workers, so many live at one address. */
const FLATMATES = 3

export interface Worker extends TestWorker {
  strategy: Strategy | undefined
}

/** Everybody has a network address and a bank account of their own, unless the strategy says otherwise. */
export async function hire(market: Marketplace): Promise<Worker[]> {
  const workers: Worker[] = []
  for (let n = 0; n < HONEST_WORKERS; n += 1)
    workers.push(
      await join(market, undefined, {
        agedDays: 30,
        address: n < FLATMATES ? '198.51.100.200' : undefined,
        bank: undefined,
      }),
    )
  for (const [n, strategy] of STRATEGIES.entries())
    for (let k = 0; k < strategy.workers; k += 1)
      workers.push(
        await join(market, strategy, {
          agedDays: strategy.agedDays ?? 0,
          address: strategy.sharesAddress ? '198.51.100.100' : undefined,
          bank: strategy.sharesBank ? `00099${n}000000` : undefined,
        }),
      )
  await market.settle()
  return workers
}

/** Sessions last for a week. */
export async function logIn(market: Marketplace, worker: Worker): Promise<void> {
  const { token } = await market.tokens.sign({ workerId: worker.id, version: 1 }, market.now())
  Object.assign(worker, { token, ...market.client(token) })
}

let addresses = 0
/** Of a block of private addresses, each used once. */
function freshAddress(): string {
  addresses += 1
  return `10.${Math.floor(addresses / 65_536)}.${Math.floor(addresses / 256) % 256}.${addresses % 256}`
}

async function join(
  market: Marketplace,
  strategy: Strategy | undefined,
  {
    agedDays,
    address = freshAddress(),
    bank = `000${String(workerNumber()).padStart(9, '7')}`,
  }: { agedDays: number; address: string | undefined; bank: string | undefined },
): Promise<Worker> {
  const worker = await market.worker({ approvals: 100 })
  await market.asOwner(
    `update workers set registered_from = $2, created_at = created_at - make_interval(days => $3) where id = $1`,
    [worker.id, address, agedDays],
  )
  const { body } = await worker.post('/worker/stripe/connect')
  await market.sandbox.control('POST', `accounts/${body.account_id}/submit`, {
    outcome: 'verified',
    bank: { routing: '110000000', number: bank },
  })
  return Object.assign(worker, { strategy })
}

let numbers = 0
function workerNumber(): number {
  numbers += 1
  return numbers
}

export type Agent = Pick<ReturnType<Marketplace['client']>, 'post'>

/** Registers through the API from a new network address. With money in its wallet, it has no free tasks. */
export async function register(market: Marketplace, walletCents = 0): Promise<Agent> {
  const { status, body, text } = await market.call('POST', '/agents/register', {
    body: { name: 'Agent', email: `farm-${randomBytes(6).toString('hex')}@example.com` },
    headers: { 'x-forwarded-for': freshAddress() },
  })
  assert.equal(status, 201, text)
  if (walletCents > 0) {
    await market.fund(body.agent.id as string, walletCents)
    await market.asOwner(
      `update ledger_agents set free_tasks_granted = 0, free_tasks_remaining = 0 where agent_id = $1`,
      [body.agent.id],
    )
  }
  return market.client(body.agent.api_key as string)
}
