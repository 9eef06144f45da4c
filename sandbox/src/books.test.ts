/** The sandbox's books balance after any sequence of operations, and are the same after a restart. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { answerApi } from './api.ts'
import { runControl } from './control.ts'
import { seededRandom } from './random.ts'
import { openSandbox, type Sandbox } from './sandbox.ts'

type Json = Record<string, any>

const STEPS = 1000
const folder = mkdtempSync(path.join(tmpdir(), 'sandbox-books-'))
after(() => rmSync(folder, { recursive: true }))

let now = Date.parse('2026-03-01T12:00:00Z')
const open = (file: string) =>
  openSandbox({ file, token: 't', publicUrl: 'http://127.0.0.1', now: () => new Date(now) })

async function api(sandbox: Sandbox, method: string, address: string, form = '', account?: string) {
  const [at = '', query = ''] = address.split('?')
  const answer = await answerApi(sandbox, {
    method,
    path: at,
    query,
    body: form,
    authorization: 'Bearer sk_test_books',
    account,
    key: undefined,
    version: undefined,
    gone: new AbortController().signal,
  })
  return { status: answer!.status, body: JSON.parse(answer!.body) as Json }
}

async function stateOf(sandbox: Sandbox): Promise<Json> {
  return (await runControl(sandbox, 'GET', 'state')).body as Json
}

async function openAccount(sandbox: Sandbox): Promise<void> {
  const { body } = await api(
    sandbox,
    'POST',
    '/v1/accounts',
    'controller[stripe_dashboard][type]=express&capabilities[transfers][requested]=true',
  )
  await runControl(sandbox, 'POST', `accounts/${body.id}/submit`, { outcome: 'verified' })
}

/** Performs one random action; it may be refused, and then nothing has changed. */
async function act(sandbox: Sandbox, random: () => number): Promise<void> {
  const any = (kind: string): string => {
    const all = sandbox.store.all<{ id: string }>('select id from objects where kind = ?', kind)
    return all[Math.floor(random() * all.length)]?.id ?? 'nothing'
  }
  const amount = () => 50 + Math.floor(random() * 3000)
  const control = (address: string, body: Json = {}) => runControl(sandbox, 'POST', address, body)
  const chance = <T>(...choices: T[]): T => choices[Math.floor(random() * choices.length)]!

  const actions: (() => Promise<unknown>)[] = [
    async () => {
      const item = 'line_items[0][price_data]'
      const { body } = await api(
        sandbox,
        'POST',
        '/v1/checkout/sessions',
        `mode=payment&${item}[currency]=usd&${item}[unit_amount]=${amount()}` +
          `&${item}[product_data][name]=x&success_url=http%3A%2F%2F127.0.0.1`,
      )
      await control(`sessions/${body.id}/pay`, {
        card: chance('4242424242424242', '4000000000000002', '4000000000000259', 'bank_debit'),
      })
    },
    () => control(`sessions/${any('checkout.session')}/settle`, { ok: random() < 0.5 }),
    () => api(sandbox, 'POST', '/v1/refunds', `charge=${any('charge')}&amount=${amount()}`),
    () => control(`refunds/${any('refund')}/${chance('fail', 'succeed')}`),
    () => control(`charges/${any('charge')}/dispute`, { inquiry: random() < 0.3 }),
    () =>
      control(`disputes/${any('dispute')}/close`, {
        status: chance('won', 'lost', 'warning_closed'),
      }),
    () => control(`disputes/${any('dispute')}/escalate`),
    () =>
      api(
        sandbox,
        'POST',
        '/v1/transfers',
        `amount=${amount()}&currency=usd&destination=${any('account')}`,
      ),
    () => api(sandbox, 'POST', `/v1/transfers/${any('transfer')}/reversals`, `amount=${amount()}`),
    () => api(sandbox, 'POST', '/v1/payouts', `amount=${amount()}&currency=usd`, any('account')),
    () => control(`accounts/${any('account')}/payout`),
    () => control(`payouts/${any('payout')}`, { status: chance('paid', 'failed') }),
    () => control('topups', { amount: 10 * amount() }),
    () => control(`topups/${any('topup')}/reverse`),
    () =>
      control(`accounts/${any('account')}/capability`, {
        status: chance('active', 'active', 'restricted'),
      }),
    () => control('fees', { amount: 5 }),
    () =>
      control('settings', {
        available_delay_seconds: chance(0, 60),
        asynchronous_capture: random() < 0.3,
      }),
    async () => {
      now += Math.floor(random() * 120) * 1000
    },
  ]
  await chance(...actions)()
}

function checkBooks(state: Json): void {
  const sums = new Map<string, number>()
  const movements = state.balance_transactions as Json[]
  for (const { account, net, amount, fee } of movements) {
    assert.equal(net, amount - fee)
    sums.set(account, (sums.get(account) ?? 0) + net)
  }
  const { available, pending } = state.balance
  assert.equal(available + pending, sums.get('platform') ?? 0)

  const objects = state.objects as Record<string, Json[]>
  const sum = (all: Json[], field: string) => all.reduce((total, one) => total + one[field], 0)
  for (const charge of objects.charge!) {
    const refunds = objects.refund!.filter(
      (refund) => refund.charge === charge.id && refund.status !== 'failed',
    )
    assert.equal(charge.amount_refunded, sum(refunds, 'amount'))
    assert(charge.amount_refunded <= charge.amount)
  }
  for (const transfer of objects.transfer!) {
    const reversals = objects.transfer_reversal!.filter((one) => one.transfer === transfer.id)
    assert.equal(transfer.amount_reversed, sum(reversals, 'amount'))
    assert.equal(transfer.reversed, transfer.amount_reversed === transfer.amount)
  }
  // The total of our transfers equals the accounts' balances plus their payouts.
  const of = (types: string[], isOurs: boolean) =>
    sum(
      movements.filter(
        ({ type, account }) => types.includes(type) && (account === 'platform') === isOurs,
      ),
      'net',
    )
  const left = of(['transfer', 'transfer_refund'], true)
  const arrived = of(['payment', 'payment_refund'], false)
  assert.equal(left + arrived, 0)
  for (const [account, total] of sums)
    if (account !== 'platform') assert(total >= 0, `${account} has ${total}`)
  // The number of balance transactions of a dispute follows from its status.
  for (const dispute of objects.dispute!) {
    const expected = dispute.status.startsWith('warning_') ? 0 : dispute.status === 'won' ? 2 : 1
    assert.equal(dispute.balance_transactions.length, expected)
  }
}

for (const seed of [1, 2, 3])
  test(`${STEPS} random operations keep the books balanced, from seed ${seed}`, async () => {
    const random = seededRandom(seed)
    const file = path.join(folder, `${seed}.sqlite`)
    const sandbox = open(file)
    for (let account = 0; account < 3; account++) await openAccount(sandbox)
    for (let step = 0; step < STEPS; step++) {
      await act(sandbox, random)
      if (step % 20 === 0) checkBooks(await stateOf(sandbox))
    }
    const before = await stateOf(sandbox)
    checkBooks(before)
    await sandbox.close()

    const again = open(file)
    const after = await stateOf(again)
    await again.close()

    assert.deepEqual(after, before)
    assert(before.counts.transfer > 10 && before.counts.dispute > 10 && before.counts.payout > 5)
  })
