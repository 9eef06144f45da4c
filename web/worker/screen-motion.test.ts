import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { wayFrom } from './screen-motion.ts'

describe('the way to a screen', () => {
  for (const [before, after, way] of [
    ['/', '/task/task_1', 'deeper'],
    ['/task/task_1', '/', 'back'],
    ['/task/task_1', '/active/task_1', 'beside'],
    ['/active/task_1', '/active/task_1/problem', 'deeper'],
    ['/', '/earnings', 'beside'],
    ['/earnings', '/earnings/task_1', 'deeper'],
    ['/me/trust', '/me', 'back'],
    ['/hello/', '/join', 'beside'],
  ] as const)
    test(`from ${before} to ${after} is ${way}`, () => {
      assert.equal(wayFrom(before, after), way)
    })
})
