import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, describe, test } from 'node:test'
import { createSession, createTransfer, GOOD_CARD, refusalOf, standAt } from './stand.ts'

const MAIN = path.join(import.meta.dirname, '../src/main.ts')
const START_MAX_MS = 15_000

describe('a sandbox that is killed', () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'legwork-sandbox-'))
  const running = new Set<ChildProcess>()
  after(() => {
    for (const child of running) child.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  })

  async function start(file: string, port = 0) {
    const child = spawn(process.execPath, [MAIN], {
      env: {
        ...process.env,
        SANDBOX_PORT: String(port),
        SANDBOX_FILE: path.join(folder, file),
        SANDBOX_TOKEN: 'control',
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    running.add(child)
    const url = await listening(child)
    return {
      ...standAt(url, 'control'),
      port: Number(new URL(url).port),
      async kill(signal: 'SIGKILL' | 'SIGTERM') {
        child.kill(signal)
        const [code] = (await once(child, 'exit')) as [number | null]
        running.delete(child)
        return code
      },
    }
  }

  test('has all of its data after a restart, and repeats nothing', async () => {
    const first = await start('calm.db')
    await first.fund(10_000)
    const account = await first.activeAccount()
    const paid = await createSession(first.stripe)
    await first.control('POST', `sessions/${paid.id}/pay`, { card: GOOD_CARD })
    const open = await createSession(first.stripe, { key: 'deposit_txn_1' })
    const refused = await refusalOf(
      createTransfer(first.stripe, account, { amount: 1_000_000, key: 'payout_2_a1' }),
    )
    const transfer = await createTransfer(first.stripe, account, { key: 'payout_1_a1' })
    await first.advance(3600)
    const balance = await first.stripe.balance.retrieve()
    const events = await first.stripe.events.list({ limit: 100 })
    const { now } = await first.control('GET', 'clock')

    await first.kill('SIGKILL')
    const second = await start('calm.db', first.port)
    const again = await createTransfer(second.stripe, account, { key: 'payout_1_a1' })
    const stillRefused = await refusalOf(
      createTransfer(second.stripe, account, { amount: 1_000_000, key: 'payout_2_a1' }),
    )
    const reopened = await createSession(second.stripe, { key: 'deposit_txn_1' })

    assert.equal(again.id, transfer.id)
    assert.equal(refused.code, 'balance_insufficient')
    assert.equal(stillRefused.code, 'balance_insufficient')
    assert.equal(reopened.id, open.id)
    assert.deepEqual(await second.stripe.balance.retrieve(), balance)
    assert.deepEqual(
      (await second.stripe.events.list({ limit: 100 })).data.map(({ id }) => id),
      events.data.map(({ id }) => id),
    )
    const session = await second.stripe.checkout.sessions.retrieve(paid.id)
    assert.equal(session.payment_status, 'paid')
    assert((await second.control('GET', 'clock')).now >= now)
    assert.equal(await second.kill('SIGTERM'), 0)
  })

  test('during a write has done each operation completely or not at all', async () => {
    const first = await start('busy.db')
    await first.fund(1_000_000)
    const account = await first.activeAccount()
    const keys = Array.from({ length: 200 }, (_, index) => `payout_busy_${index}`)
    const sending = keys.map((key) =>
      createTransfer(first.stripe, account, { key, group: 'task_busy' }).catch(() => undefined),
    )
    await Promise.any(sending.slice(20, 40))

    await first.kill('SIGKILL')
    await Promise.all(sending)
    const second = await start('busy.db', first.port)
    for (const key of keys)
      await createTransfer(second.stripe, account, { key, group: 'task_busy' })

    const all = await second.stripe.transfers
      .list({ transfer_group: 'task_busy', limit: 100 })
      .autoPagingToArray({ limit: 1000 })
    const transactions = await second.stripe.balanceTransactions
      .list({ limit: 100 })
      .autoPagingToArray({ limit: 1000 })
    const { available } = await second.stripe.balance.retrieve()
    assert.equal(all.length, 200)
    assert.equal(
      available[0]!.amount,
      transactions.reduce((sum, { net }) => sum + net, 0),
    )
    assert.equal(transactions.filter(({ type }) => type === 'transfer').length, 200)
    await second.kill('SIGTERM')
  })
})

/** The URL that it prints when it is ready. */
async function listening(child: ChildProcess): Promise<string> {
  const address = new Promise<string>((resolve, reject) => {
    let printed = ''
    child.stdout!.on('data', (chunk: Buffer) => {
      printed += chunk.toString()
      const url = /http:\/\/127\.0\.0\.1:\d+/.exec(printed)?.[0]
      if (url) resolve(url)
    })
    child.once('exit', () => reject(new Error(`the sandbox ended: ${printed}`)))
  })
  const late = new Promise<never>((_resolve, reject) =>
    setTimeout(() => reject(new Error('the sandbox did not start')), START_MAX_MS).unref(),
  )
  return Promise.race([address, late])
}
