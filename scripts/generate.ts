/** `npm run generate` writes every generated file; `--check` writes nothing and fails if one of them is stale. */
import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { DASHBOARDS } from '../deploy/grafana/panels.ts'
import { renderDashboard } from '../deploy/grafana/render.ts'
import { renderSettings } from '../server/src/config.ts'
import { renderDeskOpenApi } from '../server/src/desk-openapi.ts'
import { renderErrorTable } from '../server/src/error-pages.ts'
import { COMMISSION_BASIS_POINTS, COMMISSION_PERCENT } from '../server/src/kit/money.ts'
import { migrate } from '../server/src/migrate.ts'
import { renderOpenApi } from '../server/src/openapi.ts'
import { renderStates } from '../server/test/exits/render.ts'
import { readDataRules, renderRetention } from './data-rules.ts'
import { startPostgres } from './postgres.ts'
import { prettyJson } from './pretty-json.ts'
import { renderPythonErrors, renderPythonInputs, renderPythonModels } from './python-models.ts'
import { renderSync } from './python-sync.ts'
import { renderSchema } from './schema.ts'
import { renderErrorClasses, renderRoutes, renderSdkTypes } from './sdk-types.ts'

interface Generated {
  file: string
  render(): Promise<string>
}

const ROOT = path.join(import.meta.dirname, '..')
const PYTHON = 'python/src/legwork'

/** Documents that name the commission rate, each time as `18 % commission`. */
const WITH_COMMISSION_RATE = [
  'README.md',
  'docs/interface.md',
  'docs/guide/asking-well.md',
  'docs/guide/money.md',
  'docs/guide/on-your-machine.md',
  'docs/guide/quickstart.md',
]

const GENERATED: Generated[] = [
  { file: 'server/schema.sql', render: async () => (await readSchema()).sql },
  { file: 'server/src/kit/schema.ts', render: async () => (await readSchema()).ts },
  { file: 'server/src/kit/functions.ts', render: async () => (await readSchema()).functions },
  { file: 'openapi.json', render: async () => `${prettyJson(JSON.parse(renderOpenApi()))}\n` },
  { file: 'sdk/src/types.ts', render: () => renderSdkTypes(renderOpenApi()) },
  {
    file: 'sdk/src/error-classes.ts',
    render: async () => renderErrorClasses(renderOpenApi()),
  },
  { file: `${PYTHON}/models.py`, render: async () => renderPythonModels(renderOpenApi('agents')) },
  { file: `${PYTHON}/inputs.py`, render: async () => renderPythonInputs(renderOpenApi('agents')) },
  {
    file: `${PYTHON}/error_classes.py`,
    render: async () => renderPythonErrors(renderOpenApi('agents'), renderOpenApi()),
  },
  ...globSync('*.py', { cwd: path.join(ROOT, PYTHON, '_async') })
    .sort()
    .map((name) => ({
      file: `${PYTHON}/_sync/${name}`,
      render: async () =>
        renderSync(name, readFileSync(path.join(ROOT, PYTHON, '_async', name), 'utf8')),
    })),
  {
    file: 'web/operators/types.ts',
    render: () =>
      renderRoutes(
        JSON.parse(JSON.stringify(renderDeskOpenApi())),
        '// Generated from server/src/desk-operations.ts by npm run generate.\n',
      ),
  },
  {
    file: 'docs/api.md',
    render: async () => replaceSection('docs/api.md', 'errors', renderErrorTable()),
  },
  ...WITH_COMMISSION_RATE.map((file) => ({ file, render: async () => replaceRate(file) })),
  { file: 'web/shared/commission.ts', render: async () => renderCommission() },
  { file: 'docs/settings.md', render: async () => renderSettings() },
  { file: 'docs/waiting-states.md', render: async () => renderStates() },
  ...DASHBOARDS.map((dashboard) => ({
    file: `deploy/grafana/dashboards/${dashboard.uid}.json`,
    render: async () => `${prettyJson(JSON.parse(JSON.stringify(renderDashboard(dashboard))))}\n`,
  })),
  { file: 'docs/retention.md', render: async () => (await readSchema()).retention },
]

let schema: ReturnType<typeof renderFromMigrations> | undefined

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
  console.error(`Out of date: ${stale.join(', ')}. Run npm run generate and commit the result.`)
  process.exitCode = 1
} else {
  for (const file of stale) console.log(`wrote ${file}`)
}

/** Returns the file with new text between `<!-- name: … -->` and `<!-- end of name -->`; the rest is hand-written. */
function replaceSection(file: string, name: string, text: string): string {
  const whole = readFileSync(path.join(ROOT, file), 'utf8')
  const [before, after] = [
    whole.indexOf(`<!-- ${name}: `),
    whole.indexOf(`<!-- end of ${name} -->`),
  ]
  if (before === -1 || after < before) throw new Error(`${file} has no section "${name}"`)
  const start = whole.indexOf('\n', before) + 1
  return `${whole.slice(0, start)}${text}\n${whole.slice(after)}`
}

function replaceRate(file: string): string {
  const text = readFileSync(path.join(ROOT, file), 'utf8')
  const named = /\d+(?:\.\d+)? %(?= commission\b)/g
  if (!named.test(text)) throw new Error(`${file} does not name the commission rate`)
  return text.replaceAll(named, COMMISSION_PERCENT)
}

/** The web apps can't import the server, so they get the rate as a generated file. */
function renderCommission(): string {
  return `// Generated from server/src/kit/money.ts by npm run generate.

/** The commission rate of new tasks, in hundredths of a percent. */
export const COMMISSION_BASIS_POINTS = ${COMMISSION_BASIS_POINTS}
/** The same as a fraction. */
export const COMMISSION_SHARE = COMMISSION_BASIS_POINTS / 10_000
`
}

function readSchema(): ReturnType<typeof renderFromMigrations> {
  schema ??= renderFromMigrations()
  return schema
}

async function renderFromMigrations() {
  const postgres = await startPostgres({
    dataDir: mkdtempSync(path.join(os.tmpdir(), 'legwork-generate-')),
    settings: { fsync: 'off' },
    temporary: true,
  })
  try {
    await migrate(postgres.url, { log: { info() {} } })
    const retention = renderRetention(await readDataRules(postgres.url))
    return { ...(await renderSchema(postgres.url)), retention }
  } finally {
    await postgres.stop()
  }
}
