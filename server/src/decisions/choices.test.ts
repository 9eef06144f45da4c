import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setCases } from '../../test/desk/cases.ts'
import { LANGUAGES } from '../email/languages.ts'
import { choicesFor } from './choices.ts'
import { reasonsFor } from './reasons.ts'

const { market, operators, appeals, held, report, farm, suspense, objection } = await setCases()
const { tara, finn } = operators

const choicesOf = async (id: string, by = tara) => {
  const { status, body, text } = await by.get(`/objects/${id}`)
  assert.equal(status, 200, text)
  return body.object.choices as {
    key: string | null
    label: string
    kind: string
    subject: string
    input: Record<string, unknown>
    templates: { text: string; language: string }[]
  }[]
}
const labelsOf = async (id: string) =>
  (await choicesOf(id)).map(({ key, label }) => `${key} ${label}`)

describe('the choices about an object', () => {
  test('are the three rulings for an appeal', async () => {
    assert.deepEqual(await labelsOf(appeals[0]!.id), [
      '1 Pay the worker',
      '2 Split',
      '3 Keep the refund',
    ])
  })

  test('are both verdicts for a held dispute', async () => {
    assert.deepEqual(await labelsOf(held.id), [
      '1 Reject the dispute and pay the worker',
      '2 Uphold the dispute and refund the agent',
    ])
  })

  test('are both verdicts for a reported task, and none for another', async () => {
    assert.deepEqual(await labelsOf(report.taskId), ['1 Clear the reports', '2 Cancel the task'])
    assert.deepEqual(await labelsOf(appeals[0]!.taskId), [])
  })

  test('are release and hold for a held payout', async () => {
    assert.deepEqual(await labelsOf(farm.payouts[0]!), [
      '1 Release the payout',
      '2 Keep holding it',
    ])
  })

  test('are the answers to an objection first, for a suspended worker', async () => {
    assert.deepEqual((await labelsOf(objection.worker.id)).slice(0, 3), [
      '1 Accept the objection and reinstate',
      '2 Keep the decision',
      '3 Reinstate the worker',
    ])
  })

  test('can be made: the first choice of each case is previewed with its own subject and input', async () => {
    for (const [id, by] of [
      [appeals[0]!.id, tara],
      [held.id, tara],
      [report.taskId, tara],
      [farm.payouts[0]!, finn],
      [farm.worker.id, tara],
      [farm.agents[0]!.id, tara],
    ] as const) {
      const [first] = await choicesOf(id, by)
      const { kind, subject, input } = first!

      const { status, text } = await by.post('/decisions/preview', { kind, subject, input })

      assert.equal(status, 200, `${id}: ${text}`)
    }
  })

  test('explain a break, or resolve its money in suspense', async () => {
    const id = `break_${suspense.breakId}`

    const choices = await choicesFor(market.background, { id, kind: 'break' })

    assert.deepEqual(
      choices.map(({ label }) => label),
      ['Explain it', 'Give it to an agent', 'Send it back to the payer', 'Book it as our own'],
    )
  })

  test('offer reasons in the language of the worker who reads them', async () => {
    await market.asOwner(`update workers set app_language = 'es' where id = $1`, [
      appeals[1]!.worker.id,
    ])

    const [pay] = await choicesOf(appeals[1]!.id)

    assert(pay!.templates.length > 0)
    assert(pay!.templates.every(({ language }) => language === 'es'))
  })
})

test('every reason fits into a decision, in every language', () => {
  const ids = ['proof_fits', 'partly_done', 'farmed_free_tasks', 'several_accounts'] as const
  for (const language of LANGUAGES)
    for (const { id, text } of reasonsFor(ids, language))
      assert(text.length >= 30 && text.length <= 400, `${language} ${id}: ${text.length}`)
})
