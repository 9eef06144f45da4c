/**
 * `npm run generate` writes every file that is made from the code; `--check` writes nothing and fails if one
 * of them is stale.
 */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { renderSettings } from '../server/src/config.ts'
import { migrate } from '../server/src/migrate.ts'
import { renderOpenApi } from '../server/src/openapi.ts'
import openapiTS, { astToString } from 'openapi-typescript'
import { startPostgres } from './postgres.ts'
import { renderSchema } from './schema.ts'
import { renderErrorClasses, renderSdkTypes } from './sdk-types.ts'

interface Generated {
  file: string
  render(): Promise<string>
}

const ROOT = path.join(import.meta.dirname, '..')

const GENERATED: Generated[] = [
  { file: 'server/schema.sql', render: async () => (await readSchema()).sql },
  { file: 'server/src/kit/schema.ts', render: async () => (await readSchema()).ts },
  { file: 'openapi.json', render: async () => renderOpenApi() },
  { file: 'web/src/api-types.ts', render: () => renderTypes(isForWorkers) },
  { file: 'web/src/console/api-types.ts', render: () => renderTypes(isForAgents) },
  { file: 'sdk/src/types.ts', render: () => renderSdkTypes(renderOpenApi()) },
  {
    file: 'sdk/src/error-classes.ts',
    render: async () => renderErrorClasses(renderOpenApi()),
  },
  { file: 'docs/settings.md', render: async () => renderSettings() },
]

let schema: ReturnType<typeof renderSchema> | undefined

const isCheck = process.argv.includes('--check')
const stale: string[] = []
for (const { file, render } of GENERATED) {
  const target = path.join(ROOT, file)
  const text = await render()
  if (existsSync(target) && readFileSync(target, 'utf8') === text) continue
  stale.push(file)
  if (isCheck) continue
  mkdirSync(path.dirname(target), { recursive: true })
  writeFileSync(target, text)
}

if (isCheck && stale.length > 0) {
  console.error(`stale: ${stale.join(', ')}; run npm run generate and commit the result`)
  process.exitCode = 1
} else {
  for (const file of stale) console.log(`wrote ${file}`)
}

interface Document {
  paths: Record<string, Record<string, { responses: Record<string, unknown> }>>
}

function isForWorkers(route: string): boolean {
  return route.startsWith('/worker')
}
function isForAgents(route: string): boolean {
  return !isForWorkers(route)
}

/**
 * What the app, or the console, knows of the API: the types of what workers, or agents, call and are answered, and
 * nothing that runs.
 */
async function renderTypes(isWanted: (route: string) => boolean): Promise<string> {
  const document = JSON.parse(renderOpenApi(), (key, value: unknown) =>
    key === 'description' && typeof value === 'string' ? undefined : value,
  ) as Document & { webhooks?: unknown }
  const paths = Object.entries(document.paths).filter(([route]) => isWanted(route))
  for (const operation of paths.flatMap(([, methods]) => Object.values(methods)))
    for (const status of Object.keys(operation.responses))
      if (!status.startsWith('2')) delete operation.responses[status]
  const { webhooks: _, ...rest } = document
  const tree = await openapiTS({ ...rest, paths: Object.fromEntries(paths) } as never)
  return `// Generated from openapi.json by npm run generate.\n\n${astToString(tree)}`
}

function readSchema(): ReturnType<typeof renderSchema> {
  schema ??= renderFromMigrations()
  return schema
}

async function renderFromMigrations(): ReturnType<typeof renderSchema> {
  const postgres = await startPostgres({
    dataDir: mkdtempSync(path.join(os.tmpdir(), 'legwork-generate-')),
    settings: { fsync: 'off' },
    temporary: true,
  })
  try {
    await migrate(postgres.url, { log: { info() {} } })
    return await renderSchema(postgres.url)
  } finally {
    await postgres.stop()
  }
}
