import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { factsOf, readBlocks } from './blocks.ts'

describe('text of an agent', () => {
  test('has numbered and bulleted lists, also with an empty line between items', () => {
    assert.deepEqual(
      readBlocks('Go to the shop.\n\n1. Look\n\n2) Ask\n   politely\n- Milk\n• Bread'),
      [
        { kind: 'paragraph', text: 'Go to the shop.' },
        { kind: 'list', isOrdered: true, items: ['Look', 'Ask politely', 'Milk', 'Bread'] },
      ],
    )
    assert.deepEqual(readBlocks('☐ Front\n☐ Back'), [
      { kind: 'list', isOrdered: false, items: ['Front', 'Back'] },
    ])
  })

  test('has numbered lists within one line, but numbers of gates are not one', () => {
    assert.deepEqual(readBlocks('Please 1) take the stairs, 2) ring and 3) wait.'), [
      { kind: 'paragraph', text: 'Please' },
      { kind: 'list', isOrdered: true, items: ['take the stairs,', 'ring and', 'wait.'] },
    ])
    assert.deepEqual(readBlocks('Meet at gate 1. Then go to gate 2. Look around.'), [
      { kind: 'paragraph', text: 'Meet at gate 1. Then go to gate 2. Look around.' },
    ])
  })

  test('has facts where two lines in a row are named; one such line is a sentence', () => {
    assert.deepEqual(readBlocks('Opening hours: 9 to 5\nFloor: third'), [
      {
        kind: 'facts',
        facts: [
          { name: 'Opening hours', value: '9 to 5' },
          { name: 'Floor', value: 'third' },
        ],
      },
    ])
    assert.deepEqual(readBlocks('Please note: the shop closes at 5:30.'), [
      { kind: 'paragraph', text: 'Please note: the shop closes at 5:30.' },
    ])
    assert.deepEqual(readBlocks('Goal: A new date\n\nTone: warm'), [
      {
        kind: 'facts',
        facts: [
          { name: 'Goal', value: 'A new date' },
          { name: 'Tone', value: 'warm' },
        ],
      },
    ])
  })

  test('has options from A on', () => {
    assert.deepEqual(readBlocks('A: “Slowly.”\nB) 48 hours'), [
      {
        kind: 'options',
        facts: [
          { name: 'A', value: '“Slowly.”' },
          { name: 'B', value: '48 hours' },
        ],
      },
    ])
    assert.deepEqual(readBlocks('B: 48 hours'), [{ kind: 'paragraph', text: 'B: 48 hours' }])
  })

  test('has a dialogue where the same names speak again', () => {
    const [block] = readBlocks('You: Hello\nThey: Yes?\nYou: Are you open?')

    assert.equal(block!.kind, 'dialogue')
  })

  test('has quotations', () => {
    assert.deepEqual(readBlocks('“Quietly better.”'), [{ kind: 'quote', text: 'Quietly better.' }])
    assert.deepEqual(readBlocks('> One\n> two'), [{ kind: 'quote', text: 'One\ntwo' }])
    assert.deepEqual(readBlocks('“Yes” or “no”'), [{ kind: 'paragraph', text: '“Yes” or “no”' }])
  })

  test('has headings, and no rules or fences', () => {
    assert.deepEqual(readBlocks('## Before\n---\n```\nLook\n```\n**After**'), [
      { kind: 'heading', text: 'Before' },
      { kind: 'paragraph', text: 'Look' },
      { kind: 'heading', text: 'After' },
    ])
  })

  test('shows JSON as facts', () => {
    const [block] = readBlocks('{"pickup_code": 4471, "floors": [1, 2]}')

    assert.deepEqual(block, {
      kind: 'facts',
      facts: [
        { name: 'Pickup code', value: '4471' },
        { name: 'Floors', value: '1, 2' },
      ],
    })
    assert.deepEqual(readBlocks('{not json}'), [{ kind: 'paragraph', text: '{not json}' }])
  })

  test('is read in time that grows with its length only, whatever it contains', () => {
    const size = 100_000
    const texts = [
      '- a\n',
      'a: b\n',
      'a',
      ' ',
      '1) a ',
      '1. ',
      '“',
      '[',
      '{"a":',
      '> \n',
      'A: b\n',
      '\n',
    ]

    for (const text of texts) {
      const start = performance.now()
      readBlocks(text.repeat(size / text.length))
      const ms = performance.now() - start
      assert(ms < 500, `${JSON.stringify(text)} takes ${ms} ms`)
    }
  })
})

test('data of an agent is shown as names and values, without braces', () => {
  assert.deepEqual(factsOf({ box: { size: { cm: 30 } }, stops: [{ name: 'Pier' }], none: null }), [
    { name: 'Box · Size · Cm', value: '30' },
    { name: 'Stops · 1 · Name', value: 'Pier' },
  ])
  assert.equal(factsOf(Array.from({ length: 1000 }, () => ({ a: 1 }))).length, 100)
  assert.deepEqual(factsOf({ a: { b: { c: { d: { e: 1 } } } } }), [])
})
