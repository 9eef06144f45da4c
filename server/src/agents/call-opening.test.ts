import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { marketplace } from '../../test/harness.ts'
import { viewCallOpening } from './call-opening.ts'

const market = await marketplace()

const purposeOf = (description: string, title: string | null = null) =>
  viewCallOpening({ type: 'voice_proxy', title, description }, { name: 'Atlas' })!.purpose

describe('the purpose of a call', () => {
  for (const [name, purpose, expected] of [
    ['is the title', purposeOf('Call them.', 'Ask for a table'), 'Ask for a table.'],
    ['keeps a question mark', purposeOf('Call them.', 'Are you open?'), 'Are you open?'],
    ['keeps that of Arabic', purposeOf('هل المخبز مفتوح؟ اسأل'), 'هل المخبز مفتوح؟'],
    ['is else the first sentence', purposeOf('Book a table. Be kind.'), 'Book a table.'],
    ['ends at the line', purposeOf('Book a table\n\nFor two'), 'Book a table.'],
    ['is not the script', purposeOf('Book a table\n\nSay: Hello'), 'Book a table.'],
    ['is null if there is only a script', purposeOf('Say: Hello, are you open?'), null],
    ['is one line', purposeOf('x', 'Ask\n for\ta table'), 'Ask for a table.'],
  ] as const)
    test(name, () => {
      assert.equal(purpose, expected)
    })

  test('has at most 140 characters, and ends with a whole word if it can', () => {
    const words = purposeOf(`${'word '.repeat(60)}end`)!
    const emojis = purposeOf('😀'.repeat(300))!

    assert.equal(words, `${'word '.repeat(27)}word…`)
    assert.equal(emojis, `${'😀'.repeat(139)}…`)
  })
})

describe('the opening line of a call', () => {
  async function accepted(path: string, body: Record<string, unknown>) {
    const agent = await market.agent({ name: 'Atlas <b>Maps</b>', balanceCents: 5000 })
    const created = await agent.post(path, body)
    assert.equal(created.status, 201, created.text)
    const worker = await market.worker()
    const { id } = created.body.task
    assert.equal((await worker.post(`/worker/tasks/${id}/accept`)).status, 200)
    const { body: shown } = await worker.get(`/worker/tasks/${id}`)
    return shown.call
  }

  test('names the agent and the purpose, of POST /call and of any other call', async () => {
    const number = '+49 30 901820'
    const short = await accepted('/call', {
      description: 'Ask whether <i>room 4</i> is free. Be kind.',
      script: 'Is it free?',
      number,
    })
    const long = await accepted('/tasks', {
      type: 'voice_proxy',
      title: 'The opening hours',
      description: 'Call the library.',
      budget_cents: 500,
      context: { number },
    })

    const caller = 'Hello, I’m calling on behalf of Atlas <b>Maps</b>, through Legwork.'
    const hours = { time_zone: 'Europe/Berlin', from: 8, until: 21 }
    assert.deepEqual(short, {
      opening_line: `${caller} I’m calling about: Ask whether <i>room 4</i> is free.`,
      purpose: 'Ask whether <i>room 4</i> is free.',
      hours,
    })
    assert.deepEqual(long, {
      opening_line: `${caller} I’m calling about: The opening hours.`,
      purpose: 'The opening hours.',
      hours,
    })
  })

  test('names only the agent if there is nothing but a script', async () => {
    const opening = await accepted('/call', { script: 'Are you open?', number: '+1 202 555 0175' })

    assert.deepEqual(opening, {
      opening_line: 'Hello, I’m calling on behalf of Atlas <b>Maps</b>, through Legwork.',
      purpose: null,
      // A number for examples: nobody is called there.
      hours: null,
    })
  })

  test('is null for a task that is not a call', async () => {
    assert.equal(
      await accepted('/tasks', { description: 'Call the library', budget_cents: 500 }),
      null,
    )
  })
})
