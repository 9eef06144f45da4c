import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, test } from 'node:test'
import { TASK_TYPES } from '../sdk/src/task-vocabulary.ts'
import { PERSONAS } from '../server/src/tasks/personas.ts'
import { USUAL_BUDGET_CENTS } from '../server/src/tasks/create-typed.ts'
import { PERSONAS as CONSOLE_PERSONAS } from '../web/console/personas.ts'
import { effectOfApproval } from '../web/console/tasks/money-effect.ts'
import { FORMS } from '../web/console/tasks/task-forms.ts'
import { COMMISSION_BASIS_POINTS, commissionCents } from '../server/src/kit/money.ts'

const ROOT = path.join(import.meta.dirname, '..')
const read = (file: string) => readFileSync(path.join(ROOT, file), 'utf8')

// The packages and the console know the server only by its API, so some of its facts are duplicated there.
describe('duplicated facts', () => {
  test('the scripted workers of the CLI, the MCP server, the console and the guide match the server', () => {
    const names = Object.keys(PERSONAS)

    assert.deepEqual(
      CONSOLE_PERSONAS.map(({ value }) => value),
      names,
    )
    for (const file of ['cli/src/commands/ask.ts', 'mcp/src/question.ts']) {
      const said = read(file).replaceAll(/[\s',]+/g, ' ')
      assert(said.includes(names.join(' ')), file)
    }
    for (const name of names)
      assert.match(read('docs/guide/test-mode.md'), new RegExp(`\`${name}\``))
  })

  test('the default budgets of the packages and the console match the server', () => {
    const usual = Object.entries(USUAL_BUDGET_CENTS)
    const python = read('python/src/legwork/_tool_inputs.py')

    for (const [type, cents] of usual) {
      assert.equal(TASK_TYPES[type as keyof typeof TASK_TYPES].budgetCents, cents)
      assert.equal(FORMS.find((form) => form.type === type)?.budgetCents, cents)
      assert.match(python, new RegExp(`^    "${type}": \\(${cents}, "\\w+"\\),$`, 'm'))
    }
  })

  test('the commission rate is a number only in server/src/kit/money.ts', () => {
    const sources = execFileSync(
      'git',
      [
        'ls-files',
        '-z',
        'server/src',
        'web',
        'sdk/src',
        'cli/src',
        'mcp/src',
        'adapters',
        'n8n',
        'load',
      ],
      { cwd: ROOT, encoding: 'utf8' },
    )
      .split('\0')
      .filter((file) => /\.(?:tsx?|json)$/.test(file) && !file.endsWith('.test.ts'))
    const percent = COMMISSION_BASIS_POINTS / 100
    const share = String(percent / 100).replace('.', '\\.')
    const number = new RegExp(
      `(?<![\\d.])(?:${share}(?!\\d)|${percent}\\s?%)|commission\\w* = ${COMMISSION_BASIS_POINTS}\\b`,
      'i',
    )
    const named = sources.filter((file) => number.test(read(file)))

    assert.deepEqual(named.sort(), [
      // Generated from the constant.
      'sdk/src/types.ts',
      'server/src/kit/money.ts',
      'web/shared/commission.ts',
    ])
  })

  test('the console shows the commission of the server', () => {
    for (const cents of [1, 99, 500, 1503, 100_001]) {
      const slot = { id: 'asg_1', worker_id: 'worker_1', outcome: null, net_cents: null }
      const times = { accepted_at: '', expires_at: '', submitted_at: null }
      const { fee } = effectOfApproval({
        escrow_cents: cents,
        consensus_count: 1,
        consensus_max: null,
        funding: 'wallet',
        assignments: [{ ...slot, ...times, status: 'submitted' }],
      })

      assert.equal(fee, commissionCents(cents, COMMISSION_BASIS_POINTS))
    }
  })
})
