/** Drives a line of the table to each of its exits on a real marketplace, and reports what is wrong. */
import assert from 'node:assert/strict'
import { jobs, sweeps } from '../../src/jobs.ts'
import { runSweep } from '../run-sweep.ts'
import type { Marketplace } from '../harness.ts'
import { ops } from '../ops.ts'
import { type Exit, type Line, LINES } from './states.ts'

export interface Entered {
  /** The key of the row that is in the state. */
  key: string
  agent?: { id: string; email?: string } | undefined
  worker?: { id: string; email?: string } | undefined
  /** Facts that `enter` has already read, such as the email with a link. */
  read?: readonly string[]
}

export interface Drive<E extends Entered = Entered> {
  /** Brings a row into the state through real actions of agents, workers, the processor and operators. */
  enter(): Promise<E>
  /** One function per exit, keyed by `how`. A clock exit moves the clock. */
  exits: Record<string, (entered: E) => unknown>
  /** How much time passes, with no timer running, until operators must be alerted. */
  alarmAfterMs?: number
}

export const isIn = async (market: Marketplace, { rows, id }: Line, key: string) => {
  assert(rows, `${id} does not say which rows are in it`)
  const found = await market.asOwner(
    `select 1 from ${rows.table} where (${rows.where}) and ${rows.key ?? 'id'}::text = $1`,
    [key],
  )
  return found.length > 0
}

/** One pass of the jobs process until nothing is left to do, optionally without one of its timers. */
export async function turn(market: Marketplace, { without }: { without?: string } = {}) {
  const left = sweeps.filter(({ name }) => name !== without)
  for (let isIdle = false; !isIdle; ) {
    await market.sandbox.flush()
    const events = without === 'relay' ? 0 : await market.work()
    let moved = 0
    for (const sweep of left) moved += await runSweep(market.background, sweep)
    isIdle = events + moved === 0
  }
}

async function runNamed(market: Marketplace, how: string): Promise<void> {
  const job = jobs.find(({ name, schedule }) => name === how && schedule !== undefined)
  await job?.run({ ...market.background, payload: undefined })
  if (how === 'webhooks deliverer') await market.deliver()
  await turn(market)
}

/** Enters the state and leaves it by one exit; throws if the state is not left or somebody is not notified. */
export async function driveExit<E extends Entered>(
  market: Marketplace,
  line: Line,
  exit: Exit,
  drive: Drive<E>,
): Promise<void> {
  const leave = drive.exits[exit.how]
  assert(leave, `${line.id}: nothing drives ${exit.how}`)
  const since = market.now()
  const entered = await drive.enter()
  assert(await isIn(market, line, entered.key), `${line.id}: the state was not entered`)
  await assertTold(market, {
    told: (line.tells ?? []).filter((each) => !entered.read?.includes(each)),
    since,
    entered,
    line,
  })

  await leave(entered)
  if (exit.by === 'clock') {
    await turn(market, { without: exit.how })
    assert(
      await isIn(market, line, entered.key),
      `${line.id}: it is left without ${exit.how}, so that the table names the wrong timer`,
    )
    await runNamed(market, exit.how)
  } else await turn(market)

  assert(!(await isIn(market, line, entered.key)), `${line.id}: ${exit.how} does not end it`)
  await assertTold(market, { told: exit.tells, since, entered, line })
}

async function assertTold(
  market: Marketplace,
  {
    told,
    since,
    entered: { agent, worker },
    line,
  }: { told: readonly string[]; since: Date; entered: Entered; line: Line },
): Promise<void> {
  if (told.length > 0) await market.work()
  for (const each of told) {
    const [kind, name] = each.split(' ') as [string, string]
    if (kind === 'mail') {
      const email = agent?.email ?? worker?.email
      assert(email, `${line.id}: nobody to get ${each}`)
      await market.inbox.mailTo(email)
      continue
    }
    const rows =
      kind === 'event'
        ? await market.asOwner(
            'select 1 from events where type = $1 and created_at >= $2 and agent_id = $3',
            [name, since, agent?.id],
          )
        : await market.asOwner(
            'select 1 from notices where kind::text = $1 and created_at >= $2 and worker_id = $3',
            [name, since, worker?.id],
          )
    assert(rows.length > 0, `${line.id}: nobody was told by ${each}`)
  }
}

/** Checks that operators are alerted about what waits for them. */
export async function driveAlarm<E extends Entered>(
  market: Marketplace,
  line: Line,
  drive: Drive<E>,
): Promise<void> {
  const entered = await drive.enter()
  market.advance(drive.alarmAfterMs ?? 0)
  assert(await isIn(market, line, entered.key), `${line.id}: the state was not entered`)
  const { command, says } = line.alarm!
  const { out } = await ops(market, ...command.replace('ops ', '').split(' '))
  assert(out.includes(says), `${line.id}: ${command} does not say “${says}”:\n${out}`)
  // The harness funds wallets without the processor, so reconciliation switches off payouts and other features.
  // An operator's switch would stop the lines that follow.
  for (const name of ['payouts', 'withdrawals', 'free_tasks', 'registrations', 'tasks_custom'])
    await ops(market, 'switch', name, 'on')
  await ops(market, 'switch', 'read_only', 'off')
}

/** The lines that still have rows although the clock alone must end their state. */
export async function stillWaiting(market: Marketplace): Promise<string[]> {
  const left: string[] = []
  for (const { id, rows, exits } of LINES) {
    if (!exits.some(({ isCertain }) => isCertain)) continue
    const found = await market.asOwner(`select 1 from ${rows!.table} where ${rows!.where} limit 1`)
    if (found.length > 0) left.push(id)
  }
  return left
}
