import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { hostTurns } from './host-turns.ts'

describe('hostTurns', () => {
  test('gives each host only its own number of turns', () => {
    const turns = hostTurns<string>(2, () => {})

    assert.deepEqual(
      ['a', 'b', 'c'].map((asker) => turns.take('one.example', asker)),
      [true, true, false],
    )
    assert.equal(turns.take('two.example', 'd'), true)
  })

  test('calls waiting lanes when there is room, in the order of asking', () => {
    const called: string[] = []
    const turns = hostTurns<string>(1, (asker) => {
      called.push(asker)
      assert(turns.take('one.example', asker))
    })
    for (const asker of ['a', 'b', 'c', 'b']) turns.take('one.example', asker)

    for (let i = 0; i < 3; i += 1) turns.giveBack('one.example')

    assert.deepEqual(called, ['b', 'c'])
  })

  test('passes a declined turn to the next', () => {
    const called: string[] = []
    const turns = hostTurns<string>(1, (asker) => void called.push(asker))
    for (const asker of ['a', 'b', 'c']) turns.take('one.example', asker)

    turns.giveBack('one.example')

    assert.deepEqual(called, ['b', 'c'])
    assert.equal(turns.take('one.example', 'd'), true)
  })

  test('lets many wait at a responsive host, up to a limit', async () => {
    const turns = hostTurns<number>(2, () => {})
    for (let asker = 0; asker < 17; asker += 1) turns.take('one.example', asker)
    assert.equal(turns.comeBackIn('one.example'), 0)

    turns.take('one.example', 17)

    assert.equal(turns.comeBackIn('one.example'), 50)
    assert.equal(turns.comeBackIn('two.example'), 0)
  })

  test('lets few wait at a host that gives no turn back', (t) => {
    let now = 0
    t.mock.method(performance, 'now', () => now)
    const turns = hostTurns<number>(2, () => {})
    for (let asker = 0; asker < 4; asker += 1) turns.take('one.example', asker)
    now = 1000
    assert.equal(turns.comeBackIn('one.example'), 0)

    now = 1001

    assert.equal(turns.comeBackIn('one.example'), 5000)
  })
})
