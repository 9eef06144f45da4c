import assert from 'node:assert/strict'
import { test } from 'node:test'
import { marketplace } from '../../test/harness.ts'
import { ops } from '../../test/ops.ts'

const market = await marketplace()

interface Shown {
  actions: { operator: string; command: string; words: string[]; outcome: string | null }[]
}

const listed = async (...words: string[]) =>
  (JSON.parse((await ops(market, 'actions', '--json', ...words)).out) as Shown).actions

test('operator commands are listed newest first, by operator and by subject', async () => {
  const one = await market.agent()
  const other = await market.agent()
  await ops(market, 'agent', 'restrict', one.id, 'a', 'stolen', 'card')
  await ops(market, 'agent', 'restrict', other.id, 'the', 'same')
  await ops(market, 'agent', 'free', one.id, 'it', 'was', 'not')

  const all = await listed()
  const aboutOne = await listed('--about', one.id)
  const newest = await listed('--limit', '1')
  const others = await listed('--by', 'grace')
  const text = await ops(market, 'actions', '--about', one.id)

  assert.deepEqual(
    all.map(({ command }) => command),
    ['agent free', 'agent restrict', 'agent restrict'],
  )
  assert.deepEqual(
    aboutOne.map(({ operator, words, outcome }) => [operator, words[0], outcome]),
    [
      ['ada', one.id, 'done'],
      ['ada', one.id, 'done'],
    ],
  )
  assert.deepEqual([newest.length, others.length], [1, 0])
  assert.match(text.out, new RegExp(`ada  ops agent restrict ${one.id} a stolen card\n    done: `))
  assert.match((await ops(market, 'actions', '--by', 'grace')).out, /No actions are recorded/)
})

test('an option that is unknown, has no value or is out of range is refused with a message', async () => {
  await assert.rejects(ops(market, 'actions', '--about'), /Give a value after --about/)
  await assert.rejects(ops(market, 'actions', '--since', '3'), /Unknown option --since/)
  await assert.rejects(ops(market, 'actions', '--limit', '0'), /as a number from 1 to 1000/)
})
