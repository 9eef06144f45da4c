import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import path from 'node:path'
import { describe, test } from 'node:test'
import { signIn } from '../../test/desk/sign-in.ts'
import { type Marketplace, marketplace } from '../../test/harness.ts'
import {
  breaksOf,
  DAY,
  MINUTE,
  movements,
  openBooks,
  reconcileAfter,
  strayPayment,
  switchesOff,
} from '../../test/money.ts'
import { completedBy, payableWorker } from '../../test/payouts.ts'
import { COMMANDS, findCommand } from './commands.ts'
import { perform } from './perform.ts'

const MAIN = path.join(import.meta.dirname, '../main.ts')

interface Heard {
  code: number | null
  out: string
  error: string
}

/** Runs a command in a separate process, as an operator does. */
async function typed(market: Marketplace, ...words: string[]): Promise<Heard> {
  const { url, server } = market
  const settings = ['STRIPE_SECRET_KEY', 'STRIPE_API_BASE', 'STRIPE_RETRIES'] as const
  const child = spawn(process.execPath, [MAIN, 'ops', ...words], {
    env: {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      DATABASE_URL: url,
      OPERATOR: 'ada',
      ...Object.fromEntries(settings.map((name) => [name, String(server.config[name] ?? '')])),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve))
  const [out, error] = await Promise.all([text(child.stdout), text(child.stderr)])
  return { code: await ended, out, error }
}

/** Like `typed`, but in this process, because starting one is slow. */
async function ops(market: Marketplace, ...words: string[]): Promise<Heard> {
  const { command, rest } = findCommand(words)!
  try {
    const { lines, isBad = false } = await perform(market.background, {
      command,
      words: rest,
      operator: { id: 'ada', role: 'admin' },
    })
    return { code: isBad ? 1 : 0, out: lines.join('\n'), error: '' }
  } catch (error) {
    return { code: 1, out: '', error: (error as Error).message }
  }
}

/** Replaces ids and ages, which differ from run to run. */
const withoutNames = (out: string) =>
  out
    .replaceAll(/\b(txn|ch|po|agent)_\w+/g, '$1_…')
    .replaceAll(/\d+ (min|h|days)\b/g, '… $1')
    .replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\d/g, '…')

describe('server ops money', () => {
  test('summarizes the state of the money, and exits with 0 if no action is needed', async () => {
    const market = await openBooks()
    await market.sandbox.control('POST', 'topups', { amount: 100_000 })
    const agent = await market.agent({ freeTasks: false })
    await market.deposit(agent, 20_000)
    await completedBy(agent, [await market.worker({ approvals: 100 })])
    await agent.post('/tasks', { description: 'Look', budget_cents: 700 })
    await agent.post('/wallet/deposit', { amount_cents: 900 })
    await market.settle()
    await reconcileAfter(market, 0)

    const { code, out, error } = await typed(market, 'money')

    assert.equal(error, '')
    assert.equal(
      withoutNames(out),
      `Money at … UTC

Reconciled with the processor … min ago:
  balance at the processor          $1193.90
  sum of its transactions           $1193.90
  balance in our ledger             $1193.90
  difference                           $0.00
Unexplained: nothing

Owners of the $1193.90 in our ledger now:
  in agents’ wallets                 $183.00
  held in escrow                       $7.00
  owed to workers                      $8.20
  on the way out                       $0.00
  in suspense                          $0.00
  our own                            $995.70

Waiting:
  1 deposit open, $9.00, the oldest for … min
  1 payout awaiting account, $8.20, the oldest for … min

Switches:
  free tasks: on
  payouts: on
  refunds: on
  withdrawals: on

Explained breaks: none

Breaks: none

No action needed.
`,
    )
    assert.equal(code, 0)
  })

  test('lists discrepancies, the oldest first, with what to do next, and exits with 1', async () => {
    const market = await openBooks()
    await market.sandbox.control('POST', 'topups', { amount: 10_000 })
    const line = await strayPayment(market, 700)
    await market.sandbox.control('POST', 'odd', { amount: -500, type: 'reserved_funds' })
    const [lost] = await movements(market)
    await market.settle()
    await reconcileAfter(market, 16 * MINUTE)
    await reconcileAfter(market, DAY)
    await market.asOwner(
      `update platform_switches set is_on = false, reason = 'holidays', set_by = 'ada' where name = 'free_tasks'`,
    )

    const { code, out } = await ops(market, 'money')

    assert.equal(code, 1)
    assert.match(out, /Unexplained: \$5\.00 for more than a day/)
    assert.match(out, /payouts: OFF for \d+ min, by reconciliation: \$5\.00 has been unexplained/)
    assert.match(out, /free tasks: OFF for 24 h, by ada: holidays/)
    assert.match(
      out,
      new RegExp(`\\$7\\.00 came \\(charge of ch_\\w+\\), but its owner is unknown`),
    )
    assert.match(out, new RegExp(`next: ops suspense ${line.id} to AGENT, or back, or ours`))
    assert.match(out, /\$5\.00 left \(reserved_funds\), but the reason is unknown/)
    assert.match(out, new RegExp(`next: ops suspense ${lost!.id} ours`))
    assert.match(out, /Action needed: .*the 2 breaks above; payouts are turned off/)
    assert.doesNotMatch(out, /free tasks are turned off/)
  })

  test('--json prints the same data', async () => {
    const market = await openBooks()
    await market.sandbox.control('POST', 'odd', { amount: 40, type: 'contribution' })
    await reconcileAfter(market, 0)
    await market.asOwner(
      `update balance_transactions set created_at = created_at - interval '20 minutes'`,
    )
    await reconcileAfter(market, 1000)

    const { code, out } = await ops(market, 'money', '--json')

    const report = JSON.parse(out)
    assert.equal(code, 1)
    assert.equal(report.last_run.processor_cents, 40)
    assert.equal(report.holdings.suspense_cents, 40)
    assert.deepEqual(
      report.breaks.map(({ kind, amount_cents }: Record<string, unknown>) => [kind, amount_cents]),
      [['suspense', 40]],
    )
    assert.deepEqual(report.needs, ['the 1 break above'])
  })

  test('complains if the books were never reconciled, unless there are no payments', async () => {
    const market = await openBooks()

    const without = await marketplace()

    const never = await ops(market, 'money')
    const off = await ops(without, 'money')

    assert.equal(never.code, 1)
    assert.match(never.out, /was never reconciled with the processor: ops reconcile/)
    assert.equal(off.code, 0, off.error)
  })
})

describe('server ops webhooks', () => {
  test('summarizes webhook deliveries as text or JSON, and is not recorded', async () => {
    const market = await marketplace()

    const { code, out } = await typed(market, 'webhooks')
    const json = await ops(market, 'webhooks', '--json')

    assert.equal(code, 0)
    assert.match(out, /^Webhooks at [^]*Waiting: nothing[^]*No action needed\.\n$/)
    assert.equal((JSON.parse(json.out) as { waiting: number }).waiting, 0)
    assert.deepEqual(await market.asOwner('select from operator_actions'), [])
  })
})

describe('server ops receiver', () => {
  test('pauses and resumes a receiver of an agent, and records the operator', async () => {
    const market = await marketplace()
    const agent = await market.agent({ balanceCents: 10_000 })
    const callback_url = 'http://127.0.0.1:9/hooks'
    await market.taskIn(agent, 'proof_submitted', { callback_url })
    await market.deliver()

    const paused = await ops(
      market,
      'receiver',
      'pause',
      agent.id,
      '127.0.0.1:9',
      '2',
      'they asked',
    )
    const resumed = await ops(market, 'receiver', 'resume', agent.id, '127.0.0.1:9')
    const unknown = await ops(market, 'receiver', 'pause', agent.id, '2', 'they asked')
    const endless = await ops(market, 'receiver', 'pause', agent.id, '25', 'they asked')

    assert.match(paused.out, /^agent_\w+ 127\.0\.0\.1:9 is paused until \S+; new events wait$/)
    assert.match(resumed.out, /receives the waiting events now$/)
    assert.deepEqual([unknown.code, endless.code], [1, 1])
    assert.equal(endless.error, 'The time must be a number of hours from 1 to 24')
    assert.deepEqual(
      await market.asOwner('select operator, outcome from operator_actions order by id'),
      ['done', 'done', 'refused', 'refused'].map((outcome) => ({ operator: 'ada', outcome })),
    )
  })
})

describe('server ops', () => {
  test('reconcile compares the books with the processor now', async () => {
    const market = await openBooks()
    await market.sandbox.control('POST', 'topups', { amount: 4200 })
    await market.settle()

    const { code, out } = await ops(market, 'reconcile')

    assert.equal(code, 0)
    assert.match(out, /balance in our ledger +\$42\.00/)
  })

  test('reconcile says in words that the processor is unreachable', async () => {
    const market = await openBooks()
    await market.sandbox.control('POST', 'faults', {
      match: 'GET /v1/balance',
      mode: 'reset_before',
      times: 100,
    })

    const { code, error, out } = await typed(market, 'reconcile')

    assert.equal(code, 1)
    assert.match(error, /^The processor could not be queried: /)
    assert.doesNotMatch(error, /\n +at /)
    assert.equal(out, '')
  })

  test('refund sends an agent’s money back, and says what it cannot', async () => {
    const market = await openBooks()
    const agent = await market.agent()
    await market.deposit(agent, 5000)

    const sent = await ops(market, 'refund', agent.id, '1200', 'asked', 'for', 'it')
    await market.settle()
    const tooMuch = await ops(market, 'refund', agent.id, '900000', 'x')
    const nobody = await ops(market, 'refund', 'agent_nobody', '10', 'x')
    const dollars = await ops(market, 'refund', agent.id, '12.50', 'x')

    assert.equal(sent.code, 0, sent.error)
    assert.match(sent.out, /^rfd_\w+: \$12\.00 of txn_\w+ will be refunded$/)
    assert.equal(await market.balance(agent.id), 3800)
    const [row] = await market.asOwner('select requested_by, reason from refunds')
    assert.deepEqual(row, { requested_by: 'ada', reason: 'asked for it' })
    assert.deepEqual([tooMuch.code, nobody.code, dollars.code], [1, 1, 1])
    assert.match(dollars.error, /whole cents, such as 1250 for \$12\.50/)
  })

  test('payout reverses, retries and releases a payout', async () => {
    const market = await openBooks()
    await market.sandbox.control('POST', 'topups', { amount: 10_000 })
    const agent = await market.agent({ freeTasks: false })
    await market.deposit(agent, 5000)
    await completedBy(agent, [await payableWorker(market)])
    await market.settle()
    const [paid] = await market.asOwner(`select id from payouts where status = 'paid'`)
    const id = paid!.id as string

    const part = await ops(market, 'payout', 'reverse', id, '20')
    const rest = await ops(market, 'payout', 'reverse', id)
    const retried = await ops(market, 'payout', 'retry', id)
    const notHeld = await ops(market, 'payout', 'release', id, 'two people')
    await market.settle()

    assert.match(part.out, /\$0\.20 of \$8\.20 reversed/, part.error)
    assert.match(rest.out, /\$8\.20 of \$8\.20 reversed/, rest.error)
    assert.match(retried.out, /^po_\w+: \$8\.20, requested/, retried.error)
    assert.equal(notHeld.code, 1)
    assert.doesNotMatch(notHeld.error, /\n +at /)
    const statuses = await market.asOwner('select status from payouts order by id')
    assert.deepEqual(statuses, [{ status: 'reversed' }, { status: 'paid' }])
  })

  test('suspense, explain and switch work', async () => {
    const market = await openBooks()
    await market.sandbox.control('POST', 'topups', { amount: 10_000 })
    const agent = await market.agent()
    const ids = []
    for (const amount of [701, 702, 703])
      ids.push((await strayPayment(market, amount)).id as string)
    await market.sandbox.control('POST', 'odd', { amount: -9, type: 'reserved_funds' })
    await market.settle()
    await reconcileAfter(market, 16 * MINUTE)
    const [lost] = await market.asOwner(`select id from money_breaks where amount_cents = -9`)

    const said = [
      await ops(market, 'suspense', ids[0]!, 'to', agent.id),
      await ops(market, 'suspense', ids[1]!, 'back'),
      await ops(market, 'suspense', ids[2]!, 'ours'),
      await ops(market, 'explain', `#${lost!.id}`, 'a', 'reserve'),
      await ops(market, 'switch', 'payouts', 'off', 'stocktaking'),
    ]
    const off = await switchesOff(market)
    const on = await ops(market, 'switch', 'payouts', 'on')
    const wrong = [
      await ops(market, 'suspense', ids[0]!, 'back'),
      await ops(market, 'suspense', ids[0]!, 'away'),
      await ops(market, 'explain', '99999', 'x'),
      await ops(market, 'switch', 'everything', 'off', 'x'),
      await ops(market, 'switch', 'payouts', 'off'),
    ]
    await market.settle()
    await reconcileAfter(market, MINUTE)

    assert.deepEqual(
      said.map(({ code, error }) => [code, error]),
      said.map(() => [0, '']),
    )
    assert.deepEqual([off, on.code, await switchesOff(market)], [['payouts'], 0, []])
    assert.equal(await market.balance(agent.id), 701)
    assert.deepEqual(
      wrong.map(({ code }) => code),
      wrong.map(() => 1),
    )
    const [left] = await market.asOwner(
      'select explained_by, explanation from money_breaks where id = $1',
      [lost!.id],
    )
    assert.deepEqual(left, { explained_by: 'ada', explanation: 'a reserve' })
    assert.equal((await breaksOf(market)).length, 1)
  })

  test('--json prints the data of a deciding command, too; a refusal stays a sentence', async () => {
    const market = await marketplace()

    const off = await ops(market, 'switch', 'payouts', 'off', 'stocktaking', '--json')
    const unknown = await ops(market, 'explain', '7', 'nobody knows', '--json')

    assert.equal(off.code, 0)
    assert.deepEqual(JSON.parse(off.out), { name: 'payouts', is_on: false })
    assert.deepEqual([unknown.code, unknown.out], [1, 'There is no open break 7'])
  })

  test('withdraw takes out our own money, and no more', async () => {
    const market = await openBooks()
    await market.sandbox.control('POST', 'topups', { amount: 10_000 })
    const agent = await market.agent({ freeTasks: false })
    await market.deposit(agent, 5000)

    const taken = await ops(market, 'withdraw', '3000')
    const tooMuch = await ops(market, 'withdraw', '9000')
    await market.settle()

    assert.match(taken.out, /^wd_\w+: \$30\.00 will be sent to our bank$/, taken.error)
    assert.equal(tooMuch.code, 1)
    assert.match(tooMuch.out, /more than the \$68\.25 of our own funds that can be withdrawn/)
    const rows = await market.asOwner('select status, requested_by from withdrawals')
    assert.deepEqual(rows, [{ status: 'sent', requested_by: 'ada' }])
  })

  test('agent restrict stops an agent, and agent free ends it', async () => {
    const market = await openBooks()
    const agent = await market.agent({ balanceCents: 5000, freeTasks: false })
    const create = () => agent.post('/tasks', { description: 'Look', budget_cents: 500 })
    assert.equal((await create()).status, 201)

    const stopped = await ops(market, 'agent', 'restrict', agent.id, 'a', 'stolen', 'card')
    await market.work()
    const refused = await create()
    const freed = await ops(market, 'agent', 'free', agent.id, 'it', 'was', 'not')
    const again = await ops(market, 'agent', 'free', agent.id, 'twice')
    const nobody = await ops(market, 'agent', 'restrict', 'agent_nobody', 'x')

    assert.equal(stopped.code, 0, stopped.error)
    assert.equal(refused.status, 403)
    assert.equal(await market.balance(agent.id), 5000, 'the unassigned task is withdrawn')
    assert.deepEqual([freed.code, again.code, nobody.code], [0, 1, 1])
    const kept = await market.asOwner(
      'select operator, command, words, outcome from operator_actions order by id',
    )
    assert.deepEqual(kept.slice(0, 3), [
      {
        operator: 'ada',
        command: 'agent restrict',
        words: [agent.id, 'a', 'stolen', 'card'],
        outcome: 'done',
      },
      {
        operator: 'ada',
        command: 'agent free',
        words: [agent.id, 'it', 'was', 'not'],
        outcome: 'done',
      },
      { operator: 'ada', command: 'agent free', words: [agent.id, 'twice'], outcome: 'refused' },
    ])
    assert.equal((await create()).status, 201)
  })

  test('write-off names the debt, and needs a reason', async () => {
    const market = await openBooks()
    const agent = await market.agent()

    const tooMuch = await ops(market, 'write-off', agent.id, '100', 'gone')
    const silent = await ops(market, 'write-off', agent.id, '100')

    assert.match(tooMuch.error, /owes less/)
    assert.match(silent.error, /Give a reason/)
  })

  test('events retry processes dead-lettered events again', async () => {
    const market = await openBooks()
    await market.asOwner(
      `insert into processor_events (event_id, source, type, object_id, payload, status, attempts, created_at,
         received_at)
       values ('evt_1', 'account', 'charge.updated', 'ch_nobody', '{}', 'dead', 12, now(), now())`,
    )

    const { code, out } = await ops(market, 'events', 'retry')
    await market.work()

    const [row] = await market.asOwner('select status from processor_events')
    assert.deepEqual([code, out], [0, '1 notification will be handled again'])
    assert.equal(row!.status, 'handled')
  })

  test('prints help for unknown input, and lists every command', async () => {
    const market = await openBooks()

    const half = await typed(market, 'events')
    const dollars = await typed(market, 'refund', 'agent_1', '12.50', 'x')

    assert.equal(half.code, 2)
    for (const { name } of COMMANDS) assert(half.error.includes(`ops ${name}`))
    assert.equal(dollars.code, 1)
    assert.equal(
      dollars.error,
      'The amount must be in whole cents, such as 1250 for $12.50: server ops refund AGENT CENTS REASON\n',
    )
  })

  test('OPERATOR or --as names the operator, once there is one', async () => {
    const market = await openBooks()
    const { email } = await signIn(market, 'admin')
    await signIn(market, 'viewer', { email: 'viewer@desk.example' })

    const unknown = await typed(market, 'switches')
    const known = await typed(market, '--as', email, 'switches')
    const viewer = await typed(
      market,
      '--as',
      'viewer@desk.example',
      'switch',
      'payouts',
      'off',
      'x',
    )

    assert.equal(unknown.code, 1)
    assert.match(unknown.error, /ada is not an active operator/)
    assert.equal(known.code, 0, known.error)
    assert.equal(viewer.code, 1)
    assert.match(`${viewer.out}${viewer.error}`, /role/)
  })

  test('refuses missing and extra arguments', () => {
    for (const words of [[], ['receiver'], ['burn', 'everything'], ['events']])
      assert.equal(findCommand(words), undefined)
    assert.deepEqual(findCommand(['payout', 'retry', 'po_1'])!.rest, ['po_1'])
    assert.deepEqual(findCommand(['payout', 'po_1'])!.rest, ['po_1'])
    assert.equal(findCommand(['worker', 'suspend', 'w', 'x'])!.command.name, 'worker suspend')
  })
})
