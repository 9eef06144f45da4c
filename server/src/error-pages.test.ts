import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, test } from 'node:test'
import { errorDefinitions, errorPages, renderErrorTable } from './error-pages.ts'
import type { ErrorDefinition } from './kit/errors.ts'

const ROOT = path.join(import.meta.dirname, '../..')
const { 'x-errors': told } = JSON.parse(readFileSync(path.join(ROOT, 'openapi.json'), 'utf8')) as {
  'x-errors': Record<string, Record<string, unknown>>
}

const definitions: ErrorDefinition[] = []
for (const file of globSync('*/errors.ts', { cwd: import.meta.dirname })) {
  const declared = (await import(path.join(import.meta.dirname, file))) as Record<string, unknown>
  for (const value of Object.values(declared))
    if (typeof value === 'function' && 'code' in value)
      definitions.push(value as unknown as ErrorDefinition)
}

describe('the error pages', () => {
  test('exist for every declared error, and for no other', () => {
    const codes = new Set(definitions.map(({ code }) => code))

    assert(codes.size > 70)
    assert.deepEqual(Object.keys(errorPages).sort(), [...codes].sort())
  })

  test('come from every errors.ts, and no code is declared twice', () => {
    const codes = errorDefinitions.map(({ code }) => code)

    assert.deepEqual([...codes].sort(), definitions.map(({ code }) => code).sort())
    assert.equal(new Set(codes).size, codes.length)
  })

  test('each give the cause and the fix, in sentences', () => {
    const wrong = Object.entries(errorPages).filter(([, { cause, fix }]) =>
      [cause, fix].some((text) => !/^[A-Z`].{15,}\.$/s.test(text) || text.includes('!')),
    )

    assert.deepEqual(wrong, [])
  })

  test('are included in the OpenAPI document for each error of the API', () => {
    for (const { code, status, message, hint } of definitions) {
      const { who, cause, fix } = errorPages[code]!
      if (who === 'operator') assert.equal(told[code], undefined, code)
      else
        assert.deepEqual(
          { fields: [], ...told[code] },
          {
            status,
            message,
            ...(hint === undefined ? {} : { hint }),
            fields: told[code]?.fields ?? [],
            who,
            cause,
            fix,
          },
        )
    }
    assert.deepEqual(told.insufficient_funds!.fields, [
      'balance_cents',
      'deposit_url',
      'required_cents',
      'free_tasks_remaining',
      'free_task_max_cents',
    ])
  })
})

describe('the table of errors in docs/api.md', () => {
  test('has the cause and the fields of each declaration, and marks optional ones', () => {
    const rows = renderErrorTable().split('\n').slice(2)

    assert.equal(rows.length, errorDefinitions.length)
    for (const [i, { status, code, who, cause }] of errorDefinitions.entries())
      assert(rows[i]!.startsWith(`| ${status} | \`${code}\` | ${who} | ${cause} |`), rows[i])
    assert.match(
      rows.find((row) => row.includes('`invalid_state`'))!,
      /\| `status`, `decides_by\?` \|$/,
    )
  })
})
