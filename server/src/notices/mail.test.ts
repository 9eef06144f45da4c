import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { shutOut } from '../../test/decisions.ts'
import { marketplace, type TestWorker } from '../../test/harness.ts'
import { tokenOf } from '../../test/people.ts'
import { addDevice, openPushService } from '../../test/devices.ts'
import { run, tell } from '../../test/notices.ts'
import { mailNotice } from './mail.ts'
import { pushNotice } from './push.ts'

const HOUR = 3_600_000
const market = await marketplace({ mail: true, settings: { PUBLIC_URL: 'https://legwork.test' } })
const service = await openPushService({ after })

const TASK = { id: 'task_1', title: 'Look at the shop', agentName: 'Atlas' }

const dispute = (worker: TestWorker, { task = TASK, on = market } = {}) =>
  tell(on, worker, {
    kind: 'disputed',
    task,
    reason: 'Go to evil.example',
    until: new Date(on.now().getTime() + 72 * HOUR),
  })

describe('a mail', () => {
  test('reports a dispute to a worker without a device: money, task and appeal deadline first', async () => {
    const agent = await market.agent({ balanceCents: 10_000 })
    const task = await market.taskIn(agent, 'disputed', {
      title: 'Photograph the shelf',
      budget_cents: 500,
    })

    await run(market)

    const mail = await market.inbox.mailTo(task.workers[0]!.email)
    assert.equal(mail.subject, '$4.10 disputed: Photograph the shelf')
    assert.deepEqual(
      mail.links.map(({ href }) => href),
      [`https://legwork.test/active/${task.id}`],
    )
    assert.match(mail.text, /appeal by \w+ \d+, \d{4} at \d+:\d\d [AP]M UTC/)
  })

  test('reports a held dispute: who decides, by when, and that the worker is paid otherwise', async () => {
    const worker = await market.worker()

    await tell(market, worker, {
      kind: 'dispute_held',
      task: TASK,
      reason: 'Go to evil.example',
      until: new Date('2027-03-04T05:06:00Z'),
    })
    await run(market)

    const mail = await market.inbox.mailTo(worker.email)
    assert.equal(mail.subject, 'We are reviewing a dispute: Look at the shop')
    assert.match(mail.text, /a person at Legwork decides/)
    assert.match(
      mail.text,
      /We will decide by March 4, 2027 at 5:06 AM UTC\. If we don’t, .*you get your \$4\.10/s,
    )
    assert.match(mail.text, /you can appeal/)
    assert.doesNotMatch(mail.text + mail.html, /evil|Atlas/)
    assert.deepEqual(
      mail.links.map(({ pathname }) => pathname),
      ['/active/task_1'],
    )
  })

  test('reports that a held dispute has no effect, and what is paid', async () => {
    for (const reason of ['rejected', 'lapsed', 'withdrawn']) {
      const worker = await market.worker()

      await tell(market, worker, { kind: 'decided', task: TASK, reason })
      await run(market)

      const mail = await market.inbox.mailTo(worker.email)
      assert.equal(mail.subject, 'You get $4.10: Look at the shop', reason)
    }
  })

  test('reports the decision, whichever it is', async () => {
    const [won, lost] = [await market.worker(), await market.worker()]

    const decided = { kind: 'decided', task: TASK } as const
    await tell(market, won, { ...decided, reason: 'overturned' })
    await tell(market, lost, { ...decided, reason: 'upheld', amountCents: null })
    await run(market)

    const good = await market.inbox.mailTo(won.email)
    assert.equal(good.subject, 'You get $4.10: Look at the shop')
    assert.deepEqual(
      good.links.map(({ pathname }) => pathname),
      ['/active/task_1'],
    )
    const bad = await market.inbox.mailTo(lost.email)
    assert.equal(bad.subject, 'Dispute upheld: Look at the shop')
    assert.match(bad.text, /It was upheld, so you are not paid for this work\./)
  })

  test('reports a failed payout, and links to the payouts', async () => {
    const worker = await market.worker()

    await tell(market, worker, { kind: 'payout_failed', task: TASK, reason: 'account_closed' })
    await run(market)

    const mail = await market.inbox.mailTo(worker.email)
    assert.equal(mail.subject, '$4.10 could not be paid out: Look at the shop')
    assert.deepEqual(
      mail.links.map(({ pathname }) => pathname),
      ['/payout'],
    )
  })

  test('is in the language of the worker’s app', async () => {
    const worker = await market.worker()
    await worker.put('/worker/profile', { app_language: 'pt-BR' })

    await dispute(worker)
    await run(market)

    const mail = await market.inbox.mailTo(worker.email)
    assert.match(mail.subject, /^US\$\s4,10 em contestação: Look at the shop$/)
    assert.match(mail.text, /recorra até \d+ de \p{L}+ de \d{4} às \d\d:\d\d UTC/u)
    assert.match(mail.html, /<html lang="pt-BR" dir="ltr">/)
  })

  test('is sent if a device is gone, and not if one has received the push or still may', async () => {
    const [gone, well, busy] = [await market.worker(), await market.worker(), await market.worker()]
    ;(await addDevice(service, gone)).answerWith(410)
    await addDevice(service, well)
    const device = await addDevice(service, busy)
    device.answerWith(503)

    for (const worker of [gone, well, busy]) await dispute(worker)
    await run(market)
    await market.inbox.mailTo(gone.email)
    const early = market.inbox.unreadTo(busy.email).length
    for (let i = 0; i < 6; i += 1) {
      market.advance(2 * HOUR)
      await run(market)
    }

    assert.equal(early, 0)
    assert.equal(
      (await market.inbox.mailTo(busy.email)).subject,
      '$4.10 disputed: Look at the shop',
    )
    assert.deepEqual(market.inbox.unreadTo(well.email), [])
  })

  test('is sent for pending pushes when the push keys are removed', async () => {
    const worker = await market.worker()
    const device = await addDevice(service, worker)

    const id = await dispute(worker)
    const config = { ...market.server.config, PUSH_PUBLIC_KEY: undefined }
    await pushNotice({ ...market.background, db: market.at(id), config }, id)
    await run(market)

    assert.equal(device.received().length, 0)
    assert.equal(
      (await market.inbox.mailTo(worker.email)).subject,
      '$4.10 disputed: Look at the shop',
    )
  })

  test('is sent once, and never for other kinds or disabled ones', async () => {
    const worker = await market.worker()
    const off = await market.worker({ preferences: { notify: { disputed: false } } })

    const id = await dispute(worker)
    for (const kind of [
      'paid',
      'payout_paid',
      'cancelled',
      'half_time',
      'revision_requested',
    ] as const)
      await tell(market, worker, { kind })
    await dispute(off)
    await run(market)
    await mailNotice.run({ ...market.background, db: market.at(id), payload: { data: { id } } })

    assert.equal(market.inbox.unreadTo(worker.email).length, 1)
    assert.deepEqual(market.inbox.unreadTo(off.email), [])
  })

  test('contains no link, reason or name of an agent', async () => {
    const worker = await market.worker()
    const title =
      'Win at https://evil.example/x or www.evil.example, mail a@evil.example\n evil.example/y now'

    await dispute(worker, { task: { ...TASK, title } })
    await run(market)

    const mail = await market.inbox.mailTo(worker.email)
    assert.equal(mail.subject, '$4.10 disputed: Win at … or … mail … … now')
    assert.doesNotMatch(mail.text + mail.html, /evil|Atlas/)
  })

  test('reaches suspended and closed workers with a link without login, whatever is disabled', async () => {
    for (const how of ['suspend', 'close'] as const) {
      const worker = await market.worker({ preferences: { notify: { disputed: false } } })
      const { token } = await shutOut(market, worker, how)

      await dispute(worker)
      for (const kind of ['dispute_held', 'decided', 'payout_failed'] as const)
        await tell(market, worker, { kind, task: TASK, until: market.now() })
      await run(market)

      const subjects = []
      for (let i = 0; i < 4; i += 1) {
        const mail = await market.inbox.mailTo(worker.email)
        subjects.push(mail.subject)
        assert.equal(mail.links.length, 1)
        assert.equal(mail.links[0]!.pathname, '/objection')
        assert.match(mail.text, /works without a login\. It is personal/)
        assert.doesNotMatch(mail.text, /in the app/)
        const page = await market.call('GET', `/worker/objections?token=${tokenOf(mail)}`)
        assert.equal(page.status, 200)
        assert.notEqual(tokenOf(mail), token)
      }
      assert.deepEqual(subjects.sort(), [
        '$4.10 could not be paid out: Look at the shop',
        '$4.10 disputed: Look at the shop',
        'We are reviewing a dispute: Look at the shop',
        'You get $4.10: Look at the shop',
      ])
      assert.deepEqual(market.inbox.unreadTo(worker.email), [])
    }
  })

  test('is not sent without a mail server, nor to an account that no operator closed', async () => {
    const silent = await marketplace({ settings: { LOG_LEVEL: 'silent' } })
    const worker = await silent.worker()
    const closed = await market.worker()

    await dispute(worker, { on: silent })
    await run(silent)
    await dispute(closed)
    await market.asOwner(`update workers set status = 'closed' where id = $1`, [closed.id])
    await run(market)

    assert.deepEqual(await silent.asOwner('select from notices where mailed_at is not null'), [])
    assert.deepEqual(market.inbox.unreadTo(closed.email), [])
  })
})
