import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import { marketplace } from '../../test/harness.ts'
import { wordsOf } from './tokens.ts'
import { THRESHOLD, THRESHOLD_PAID, wordingEvidence, wordingScore } from './wording.ts'

const market = await marketplace()
const scoreOf = (...fields: string[]) => wordingScore(fields.map(wordsOf))

/** Worded like abuse, but by no rule. */
const DOUBTFUL =
  'Watch my ex wife’s house from the car all evening and tell me who visits her and when the lights go out'
const ORDINARY = [
  'Is the bakery at the corner open on Sunday? Send a photo of the sign.',
  '¿Está abierta la panadería de la esquina los domingos? Manda una foto del cartel.',
  'Hat die Bäckerei an der Ecke am Sonntag geöffnet? Schick ein Foto vom Schild.',
  'La boulangerie du coin est-elle ouverte le dimanche ? Envoie une photo du panneau.',
  'هل المخبز عند الزاوية مفتوح يوم الأحد؟ أرسل صورة اللافتة.',
]

describe('the wording score', () => {
  test('is above the threshold for abuse that no rule names, and below it for ordinary tasks', () => {
    assert(scoreOf(DOUBTFUL) > THRESHOLD)
    for (const text of ORDINARY) assert(scoreOf(text) < THRESHOLD, text)
    assert(THRESHOLD < THRESHOLD_PAID)
  })

  test('reads all fields together, and an empty task has no score', () => {
    const [before, after] = [DOUBTFUL.slice(0, 50), DOUBTFUL.slice(50)] as const

    assert(scoreOf(before, after) > THRESHOLD)
    assert.equal(scoreOf('', '12 345'), Number.NEGATIVE_INFINITY)
  })

  test('counts no ids: whatever they are, a task is scored by its words', () => {
    for (let n = 0; n < 1000; n += 1) {
      const id = randomUUID()
      assert(scoreOf(`Check the order ${id}, please`) < 0.2, id)
      assert.equal(scoreOf(`${id} ${id}`), Number.NEGATIVE_INFINITY, id)
    }
  })

  test('finds a harmful sentence in a long text, wherever it is', () => {
    const harmless = Array.from({ length: 60 }, () => ORDINARY[0]).join(' ')

    assert(scoreOf(harmless) < THRESHOLD)
    for (const text of [`${DOUBTFUL}. ${harmless}`, `${harmless} ${DOUBTFUL}`])
      assert(scoreOf(text) > scoreOf(harmless), text.slice(0, 40))
  })

  test('names the phrases behind it, without numbers', () => {
    const evidence = wordingEvidence([wordsOf(DOUBTFUL)])

    assert(evidence.length > 0)
    for (const phrase of evidence) assert.doesNotMatch(phrase, /\d/)
  })
})

describe('a task whose wording is that of abuse', () => {
  const body = { description: DOUBTFUL, budget_cents: 2500 }
  const statusOf = async (agent: Awaited<ReturnType<typeof market.agent>>) => {
    const { status, body: answer, text } = await agent.post('/tasks', body)
    assert.equal(status, 201, text)
    return answer.task.status_reason
  }

  test('waits for a person if its agent has only an email', async () => {
    const agent = await market.agent({ balanceCents: 5000, freeTasks: false })

    assert.equal(await statusOf(agent), 'screening')
  })

  test('is listed at once if a person has identified the agent', async () => {
    const agent = await market.agent({ balanceCents: 5000, freeTasks: false })
    await market.asOwner('update agents set identified_at = now() where id = $1', [agent.id])

    assert.equal(await statusOf(agent), null)
  })

  test('is refused of nobody: a rule is needed for that', async () => {
    const agent = await market.agent({ balanceCents: 5000, freeTasks: false })

    const { status } = await agent.post('/tasks', {
      ...body,
      description: `${DOUBTFUL}. `.repeat(9),
    })

    assert.equal(status, 201)
  })
})
