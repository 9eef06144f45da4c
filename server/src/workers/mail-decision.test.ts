import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { shutOut } from '../../test/decisions.ts'
import { marketplace } from '../../test/harness.ts'
import { ops, opsByTwo } from '../../test/ops.ts'

const market = await marketplace({ mail: true, settings: { PUBLIC_URL: 'https://legwork.test' } })

describe('a mail about a decision', () => {
  test('gives reason and basis of a suspension, its end, that money is paid, and how to object', async () => {
    const agent = await market.agent({ balanceCents: 5000, freeTasks: false })
    const task = await market.taskIn(agent, 'proof_submitted', {
      title: 'See evil.example for more',
    })

    const { mail } = await shutOut(market, task.workers[0]!, 'suspend', '--tasks', task.id)

    assert.equal(mail.subject, 'Your Legwork account is suspended')
    assert.match(mail.text, /Reason: Photos of others/)
    assert.match(mail.text, /- See … for more/)
    assert.match(mail.text, /The suspension ends on \w+ \d+, \d{4} at/)
    assert.match(mail.text, /Money you have earned is still paid\./)
    assert.match(mail.text, /A person will reply within 14 days\./)
    assert.deepEqual(
      mail.links.map(({ origin, pathname }) => origin + pathname),
      ['https://legwork.test/objection'],
    )
  })

  test('is in the language of the worker’s app, with the operator’s words as written', async () => {
    const worker = await market.worker()
    await worker.put('/worker/profile', { app_language: 'de' })

    const { mail } = await shutOut(market, worker, 'suspend')
    await ops(market, 'worker', 'reinstate', worker.id, 'A', 'mix-up')
    await market.work()

    assert.equal(mail.subject, 'Dein Legwork-Konto ist gesperrt')
    assert.match(mail.text, /Grund: Photos of others[^]*innerhalb von 14 Tagen/)
    const end = await market.inbox.mailTo(worker.email)
    assert.equal(end.subject, 'Dein Legwork-Konto ist wieder aktiv')
    assert.match(end.text, /Unsere Antwort: A mix-up/)
  })

  test('says that a closed account stays closed', async () => {
    const { mail } = await shutOut(market, await market.worker(), 'close')

    assert.equal(mail.subject, 'Your Legwork account is closed')
    assert.match(mail.text, /The decision has no end date\./)
  })

  test('has a link that expires after half a year', async () => {
    const far = await marketplace({ mail: true })
    const { token } = await shutOut(far, await far.worker(), 'close')

    far.advance(182 * 86_400_000)
    const before = await far.call('GET', `/worker/objections?token=${token}`)
    far.advance(2 * 86_400_000)
    const after = await far.call('GET', `/worker/objections?token=${token}`)

    assert.deepEqual([before.status, after.status], [200, 400])
  })

  test('is not sent without a mail server, and a mail server that is down leaves no link behind', async () => {
    const silent = await marketplace()
    const away = await marketplace({ settings: { SMTP_URL: 'smtp://127.0.0.1:9' } })

    await opsByTwo(silent, 'worker', 'close', (await silent.worker()).id, 'x')
    await silent.work()
    await opsByTwo(away, 'worker', 'close', (await away.worker()).id, 'x')
    await assert.rejects(away.work())

    for (const market of [silent, away])
      assert.deepEqual(await market.asOwner('select 1 from objection_links'), [])
  })
})
