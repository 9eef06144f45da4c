import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { marketplace } from '../../test/harness.ts'
import { registeredAgent } from '../../test/people.ts'
import { sha256 } from '../kit/secrets.ts'
import { sendMail } from './send-mail.ts'

const market = await marketplace({ mail: true })
const silent = await marketplace()
const unreachable = await marketplace({ settings: { SMTP_URL: 'smtp://127.0.0.1:1' } })
const HOUR = 3_600_000

const linksOf = (agentId: string, place = market) =>
  place.asOwner(
    `select token_hash, purpose, created_at, expires_at, used_at from agent_tokens
      where agent_id = $1 order by created_at`,
    [agentId],
  )
const payload = (agent_id: string | null, template: 'verify' | 'recover' | 'recovered') => ({
  data: { agent_id, template },
})

describe('agents.send-mail', () => {
  test('creates the link when it runs, and stores only its hash', async () => {
    const agent = await registeredAgent(market)

    const [stored] = await linksOf(agent.id)

    assert.equal(stored!.token_hash, sha256(agent.verifyToken))
    assert.equal(stored!.expires_at.getTime() - stored!.created_at.getTime(), 24 * HOUR)
  })

  test('a recovery link lasts an hour, and ends the previous one', async () => {
    const agent = await registeredAgent(market)
    await agent.loseKey()
    market.advance(1000)
    await agent.loseKey()

    const [older, newer] = (await linksOf(agent.id)).filter(({ purpose }) => purpose === 'recover')

    assert.notEqual(older!.used_at, null)
    assert.equal(newer!.used_at, null)
    assert.equal(newer!.expires_at.getTime() - newer!.created_at.getTime(), HOUR)
  })

  test('links are deleted a month after their expiry', async () => {
    const agent = await registeredAgent(market)
    market.advance(32 * 24 * HOUR)

    await agent.loseKey()

    assert.deepEqual(
      (await linksOf(agent.id)).map(({ purpose }) => purpose),
      ['recover'],
    )
  })

  test('an unsent mail leaves no link behind, and is retried', async () => {
    const agent = await unreachable.agent()

    const run = sendMail.run({ ...unreachable.background, payload: payload(agent.id, 'recover') })

    await assert.rejects(async () => run)
    assert.deepEqual(await linksOf(agent.id, unreachable), [])
  })

  test('without a mail server nothing is sent and no link is created', async () => {
    const agent = await silent.agent()

    await sendMail.run({ ...silent.background, payload: payload(agent.id, 'recover') })

    assert.deepEqual(await linksOf(agent.id, silent), [])
  })

  test('no mail is sent for an unknown address or an unknown recovery', async () => {
    const agent = await registeredAgent(market)

    const background = { ...market.background, db: market.at(agent.id) }
    await sendMail.run({ ...background, payload: payload(null, 'recover') })
    await sendMail.run({ ...background, payload: payload(agent.id, 'recovered') })

    assert.deepEqual(market.inbox.unreadTo(agent.email), [])
  })
})
