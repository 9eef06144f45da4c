import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { marketplace } from '../../test/harness.ts'
import { assertSameInHtml } from '../../test/mails.ts'
import { newEmail } from '../../test/people.ts'
import { member } from '../../test/team.ts'
import { agentInvitation, consoleLogIn } from '../email/agent-templates.ts'

const market = await marketplace({ mail: true })

describe('agents.mail-person-link', () => {
  test('an invitation that was taken back before the mail is not sent', async () => {
    const owner = await member(market, await market.agent(), 'owner')
    const email = newEmail()
    const { body } = await owner.post('/console/people', { name: 'Bo', email, role: 'finance' })
    await owner.delete(`/console/people/${body.person.id}`)

    await market.work()

    assert.deepEqual(market.inbox.unreadTo(email), [])
  })

  test('both mails say the same in text and HTML, what the link does and how long it works', () => {
    const link = 'https://legwork.example/console/enter#token=x'
    const mails = [
      consoleLogIn({ link, minutes: 15 }),
      agentInvitation({ link, agentName: '<b>Bot</b>', inviter: 'Ada', role: 'finance', days: 7 }),
    ]

    for (const mail of mails) {
      assertSameInHtml(mail)
      assert(mail.text.includes(link))
    }
    assert(mails[0]!.text.includes('15 minutes'))
    assert(mails[1]!.text.includes('7 days'))
    assert(!mails[1]!.html.includes('<b>Bot</b>'))
  })
})
