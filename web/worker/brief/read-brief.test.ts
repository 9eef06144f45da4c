import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readBrief } from './read-brief.ts'

describe('a brief', () => {
  test('shows list lines as steps, and does not repeat a sentence used as the title', () => {
    const made = readBrief({
      type: 'custom',
      title: 'Is it open?',
      description: 'Is it open? Look.\n\n- Go there\n2) Say so\n',
    })
    const titled = readBrief({ type: 'custom', title: 'Bakery', description: 'Bakery is open?' })

    assert.deepEqual(made.blocks, [{ kind: 'paragraph', text: 'Look.' }])
    assert.deepEqual(made.steps, ['Go there', 'Say so'])
    assert.deepEqual(titled.blocks, [{ kind: 'paragraph', text: 'Bakery is open?' }])
  })

  test('shows the text to judge apart from the question, and the scale', () => {
    const description =
      'What would you expect inside?\n\nA green bag with a leaf.\n\n' +
      'Answer with a whole number on the scale 1-10.'
    const open = readBrief({ type: 'gut_check', title: 'Package', description })
    const held = readBrief({
      type: 'gut_check',
      title: 'Package',
      description,
      context: { content: 'A green bag with a leaf.', scale: '1-10' },
    })

    assert.deepEqual(open.blocks, [{ kind: 'paragraph', text: 'What would you expect inside?' }])
    assert.deepEqual(open.subject, [{ kind: 'quote', text: 'A green bag with a leaf.' }])
    assert.equal(open.scale, '1-10')
    assert.deepEqual(held, open)
  })

  test('shows the words of a call apart from what it is about, before and after accepting', () => {
    const description = 'Call the library.\n\nSay: Hello.\n\nAre you open?'
    const open = readBrief({ type: 'voice_proxy', title: 'Library', description })
    const held = readBrief({
      type: 'voice_proxy',
      title: 'Library',
      description,
      context: { number: '+4940', script: 'Hello.\n\nAre you open?' },
    })

    assert.deepEqual(open.blocks, [{ kind: 'paragraph', text: 'Call the library.' }])
    assert.deepEqual(
      open.script.map((block) => 'text' in block && block.text),
      ['Hello.', 'Are you open?'],
    )
    assert.deepEqual(held, open)
  })

  test('takes the page to judge out of the text', () => {
    const { page, blocks } = readBrief({
      type: 'vibe_reader',
      title: 'Page',
      description: 'Would you buy here?\n\nPage: https://example.com/shop',
    })

    assert.equal(page, 'https://example.com/shop')
    assert.equal(blocks.length, 1)
    const script = readBrief({
      type: 'custom',
      title: '',
      description: 'Page: javascript:alert(1)',
    })
    assert.equal(script.page, null)
  })

  test('shows other details to the holder, but not what is shown already', () => {
    const { details } = readBrief({
      type: 'custom',
      title: 'Parcel',
      description: 'Pick it up.',
      context: { pickup_code: '4471', number: '+4940', sim: { accept: 1 }, location: 'Kiel' },
    })

    assert.deepEqual(details, [{ name: 'Pickup code', value: '4471' }])
  })

  test('shows a text of the context that the description lacks', () => {
    const { subject, steps } = readBrief({
      type: 'gut_check',
      title: 'Colors',
      description: 'Which is better?',
      context: { content: 'A: Red\nB: Blue', checklist: ['Look twice'] },
    })

    assert.equal(subject[0]!.kind, 'options')
    assert.deepEqual(steps, ['Look twice'])
  })
})
