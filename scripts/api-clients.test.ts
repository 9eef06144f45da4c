/**
 * Checks both OpenAPI documents with tools that developers use: a validator and two client generators.
 * server/src/openapi.test.ts checks them with a linter.
 */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { describe, test } from 'node:test'
import { createClient } from '@hey-api/openapi-ts'
import { Validator } from '@seriousme/openapi-schema-validator'
import openapiTS, { astToString } from 'openapi-typescript'
import { renderOpenApi } from '../server/src/openapi.ts'

const ROOT = path.join(import.meta.dirname, '..')
const COMPILER = path.join(ROOT, 'node_modules/.bin/tsc')
const OPTIONS = ['--noEmit', '--strict', '--skipLibCheck', 'false', '--target', 'es2023']
const MODULES = ['--module', 'nodenext', '--allowImportingTsExtensions', '--types', '']

/** Uses the client of @hey-api/openapi-ts and the types of openapi-typescript. */
const PROGRAM = `
import { approveTask, createTask, getTask } from './client/sdk.gen.ts'
import type { Task } from './client/types.gen.ts'
import type { components, operations } from './types.ts'

export async function askPerson(): Promise<Task['status'] | undefined> {
  const headers = { 'Idempotency-Key': 'one' }
  const { data, error } = await createTask({ body: { description: 'Look', budget_cents: 500 }, headers })
  if (data === undefined) throw new Error(error.error)
  await approveTask({ path: { id: data.task.id }, body: {}, headers })
  return (await getTask({ path: { id: data.task.id } })).data?.task.status
}

type Created = operations['createTask']['responses'][201]['content']['application/json']
export const statusOf = ({ task }: Created): components['schemas']['TaskStatus'] => task.status
`

describe('an OpenAPI document', () => {
  for (const part of ['all', 'agents'] as const) {
    const document = JSON.parse(renderOpenApi(part)) as Record<string, unknown>

    test(`for ${part} is valid OpenAPI 3.1`, async () => {
      const validator = new Validator()

      const { valid, errors } = await validator.validate(structuredClone(document))

      assert(valid, JSON.stringify(errors))
      assert.equal(validator.version, '3.1')
    })

    test(`for ${part} generates clients that compile, with readable names`, async (t) => {
      const folder = mkdtempSync(path.join(os.tmpdir(), 'legwork-clients-'))
      t.after(() => rmSync(folder, { recursive: true, force: true }))
      const written = (file: string) => readFileSync(path.join(folder, file), 'utf8')

      await createClient({
        input: structuredClone(document),
        output: { path: path.join(folder, 'client'), importFileExtension: '.ts' },
        plugins: ['@hey-api/typescript', '@hey-api/sdk', '@hey-api/client-fetch'],
        logs: { level: 'silent' },
      })
      const tree = await openapiTS(renderOpenApi(part))
      writeFileSync(path.join(folder, 'types.ts'), astToString(tree))
      writeFileSync(path.join(folder, 'program.ts'), PROGRAM)
      writeFileSync(path.join(folder, 'package.json'), '{ "type": "module" }')

      assert.equal(compile(folder), '')
      // A generator that finds a duplicate or missing name invents one: TaskView2, postTasksById.
      const names = [...written('client/types.gen.ts').matchAll(/^export type (\w+)/gm)].map(
        ([, name]) => name!,
      )
      assert(names.length > 100)
      assert.deepEqual(
        names.filter((name) => !/^(?:[A-Z][a-z]+)+$/.test(name)),
        [],
      )
    })
  }

  test('is reported if it is invalid', async () => {
    const document = JSON.parse(renderOpenApi('agents')) as Record<string, unknown>

    const { valid } = await new Validator().validate({ ...document, paths: { tasks: [] } })

    assert(!valid)
  })
})

/** Returns the compiler's errors, or an empty string. */
function compile(folder: string): string {
  const args = [...OPTIONS, ...MODULES, 'program.ts']
  const { stdout, stderr } = spawnSync(COMPILER, args, { cwd: folder, encoding: 'utf8' })
  return stdout + stderr
}
