import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { marketplace } from '../../test/harness.ts'
import { requestWork } from '../webhooks/record-event.ts'

const market = await marketplace({
  mail: true,
  settings: { PUBLIC_URL: 'https://legwork.example/' },
})

async function ask(id: string): Promise<void> {
  const now = market.now()
  await market
    .at(id)
    .transaction((tx) => requestWork(tx, [{ type: 'agent.low_balance', id }], { now }))
  await market.work()
}

describe('agents.mail-about-balance', () => {
  test('sends an email with the agent, its balance, and a link to add money', async () => {
    const agent = await market.agent({ balanceCents: 420 })
    await agent.patch('/agents/me', { low_balance_cents: 1000 })

    await market.sweep()
    await market.work()

    const { subject, text, links } = await market.inbox.mailTo(agent.email)
    assert.equal(subject, '$4.20 left in your wallet')
    assert.match(text, /has fallen below \$10\.00/)
    assert(text.includes(`Agent: ${agent.id}, live mode`))
    assert.equal(links[0]!.href, 'https://legwork.example/console/wallet')
  })

  test('sends none if money has come in since, or if there is no threshold', async () => {
    const paid = await market.agent({ balanceCents: 5000 })
    await paid.patch('/agents/me', { low_balance_cents: 1000 })
    const without = await market.agent()

    await ask(paid.id)
    await ask(without.id)

    for (const { email } of [paid, without]) assert.deepEqual(market.inbox.unreadTo(email), [])
  })
})
