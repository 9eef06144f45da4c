import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { bodyOf, type Chosen, exampleOf, FORMS, missingIn, type TaskForm } from './task-forms.ts'

const formOf = (type: string) => FORMS.find((form) => form.type === type)!
const chosen = (form: TaskForm, more: Partial<Chosen>): Chosen => ({
  values: {},
  budgetCents: form.budgetCents,
  people: 1,
  proof: form.proof,
  urgency: form.urgency,
  deadline: '',
  ...more,
})

describe('the request body of a new task', () => {
  test('leaves out defaults', () => {
    const form = formOf('verification')

    assert.deepEqual(bodyOf(form, chosen(form, { values: { question: ' Is it open? ' } })), {
      question: 'Is it open?',
    })
  })

  test('contains the fields that differ from the defaults, under the names of the endpoint', () => {
    const form = formOf('gut_check')
    const values = { content: 'A logo', scale: '1-10' }

    assert.deepEqual(
      bodyOf(
        form,
        chosen(form, { values, budgetCents: 900, people: 3, proof: 'audio', persona: 'disagree' }),
      ),
      {
        content: 'A logo',
        scale: '1-10',
        budget_cents: 900,
        proof: 'audio',
        consensus: 3,
        context: { sim: 'disagree' },
      },
    )
  })

  test('always has a budget and uses the long field names for a custom task', () => {
    const form = formOf('custom')

    assert.deepEqual(
      bodyOf(
        form,
        chosen(form, {
          values: { description: 'Look' },
          people: 2,
          proof: 'photo',
          deadline: '2h',
        }),
      ),
      {
        description: 'Look',
        budget_cents: 500,
        proof_required: 'photo',
        consensus_count: 2,
        deadline: '2h',
      },
    )
  })

  test('splits lists by line and nests the fields of a person', () => {
    const mission = formOf('field_mission')
    const escalation = formOf('empathy_escalation')

    assert.deepEqual(bodyOf(mission, chosen(mission, { values: { checklist: 'One\n\n Two ' } })), {
      checklist: ['One', 'Two'],
    })
    assert.deepEqual(
      bodyOf(
        escalation,
        chosen(escalation, { values: { 'person.name': 'Ada', 'person.contact': '+49 1' } }),
      ),
      { person: { name: 'Ada', contact: '+49 1' } },
    )
  })

  test('is a complete example while the form is empty, and the entered values after that', () => {
    assert.deepEqual(exampleOf(formOf('verification'), {}), {
      question: 'Is the bakery open right now?',
      location: 'Moorweg 12, Wedel',
    })
    assert.deepEqual(exampleOf(formOf('verification'), { question: 'Open?' }), {
      question: 'Open?',
    })
    for (const form of FORMS) assert.deepEqual(missingIn(form, exampleOf(form, {})), [], form.type)
  })

  test('is checked for missing fields', () => {
    assert.deepEqual(missingIn(formOf('verification'), { question: ' ' }), ['question'])
    assert.deepEqual(missingIn(formOf('vibe_reader'), {}), [])
  })
})
