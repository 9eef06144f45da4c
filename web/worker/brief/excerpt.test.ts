import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { excerptOf } from './excerpt.ts'

describe('the excerpt of a card', () => {
  test('is the text to judge, with the scale', () => {
    const excerpt = excerptOf({
      type: 'gut_check',
      title: 'Rate a slogan',
      description:
        'How much do you want it?\n\n“Quietly better.”\n\nAnswer with a whole number on the scale 1-10.',
    })

    assert.deepEqual(excerpt, {
      shown: { kind: 'quote', text: 'Quietly better.' },
      scale: '1-10',
      steps: 0,
    })
  })

  test('is the options', () => {
    const { shown } = excerptOf({
      type: 'gut_check',
      title: 'Headline',
      description: 'Which one? Answer A or B.\n\nA: Slowly\nB: 48 hours',
    })

    assert.deepEqual(shown, {
      kind: 'options',
      options: [
        { name: 'A', value: 'Slowly' },
        { name: 'B', value: '48 hours' },
      ],
    })
  })

  test('is the words of a call', () => {
    const { shown } = excerptOf({
      type: 'voice_proxy',
      title: 'Library',
      description: 'Call the library.\n\nSay: Until when are you open?',
    })

    assert.deepEqual(shown, { kind: 'quote', text: 'Until when are you open?' })
  })

  test('is the beginning of the instructions, without the title, or else the steps', () => {
    const task = { type: 'field_mission' as const, title: 'Is it open?' }

    assert.deepEqual(excerptOf({ ...task, description: 'Is it open? **Look** at\nthe sign.' }), {
      shown: { kind: 'text', text: 'Look at the sign.' },
      scale: null,
      steps: 0,
    })
    assert.deepEqual(excerptOf({ ...task, description: 'Is it open?\n- Door\n- Sign' }), {
      shown: { kind: 'text', text: 'Door · Sign' },
      scale: null,
      steps: 2,
    })
    assert.equal(excerptOf({ ...task, description: 'Is it open?' }).shown, null)
  })
})
