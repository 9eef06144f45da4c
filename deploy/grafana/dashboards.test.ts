/** Checks the dashboards: against the metrics that exist, with promtool, and as a reader would. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { describe, test } from 'node:test'
import { openMetrics } from '../../server/src/kit/metrics.ts'
import { endpoints } from '../../server/src/endpoints.ts'
import { DASHBOARDS } from './panels.ts'
import { renderDashboard } from './render.ts'

const ROOT = path.join(import.meta.dirname, '../..')
const read = (file: string) => readFileSync(path.join(ROOT, file), 'utf8')

/** Metrics of exporters, as in the documentation of postgres_exporter 0.18 and node_exporter 1.10. */
const EXPORTERS = [
  'pg_database_size_bytes',
  'pg_replication_lag_seconds',
  'pg_settings_max_connections',
  'pg_stat_activity_count',
  'pg_stat_activity_max_tx_duration',
  'pg_stat_database_blks_hit',
  'pg_stat_database_blks_read',
  'pg_stat_database_deadlocks',
  'pg_stat_database_xact_commit',
  'pg_stat_database_xact_rollback',
  'node_filesystem_avail_bytes',
  'node_filesystem_size_bytes',
]
const UNITS = ['bytes', 'percentunit', 'reqps', 's', 'short']

const exported = new Map(
  openMetrics()
    .registry.getMetricsAsArray()
    .map((metric) => [metric.name, (metric as unknown as { labelNames: string[] }).labelNames]),
)
const recorded = [...read('deploy/prometheus/rules.yaml').matchAll(/- record: (\S+)/g)].map(
  (match) => match[1]!,
)
const baseOf = (name: string) =>
  exported.has(name) ? name : name.replace(/_(?:count|sum|bucket)$/, '')
const isKnown = (name: string) =>
  exported.has(baseOf(name)) || recorded.includes(name) || EXPORTERS.includes(name)

const panels = DASHBOARDS.flatMap(({ uid, rows }) =>
  rows.flatMap((row) => row.panels.map((panel) => ({ uid, ...panel }))),
)
const expressions = panels.flatMap(({ queries }) => queries.map(({ expr }) => expr))
const namesIn = (expr: string) =>
  [...expr.replaceAll(/"[^"]*"/g, '""').matchAll(/\b(?:legwork|pg|node)_[\w:]+/g)].map(
    (match) => match[0],
  )

describe('each dashboard', () => {
  test('is one of overview, money, delivery and database', () => {
    assert.deepEqual(
      DASHBOARDS.map(({ uid }) => uid),
      ['legwork-overview', 'legwork-money', 'legwork-delivery', 'legwork-database'],
    )
  })

  test('is up to date as JSON, has a place for every panel, and an id that Grafana accepts', () => {
    for (const spec of DASHBOARDS) {
      const built = renderDashboard(spec)
      const file = JSON.parse(read(`deploy/grafana/dashboards/${spec.uid}.json`)) as typeof built
      const placed = (file.panels ?? []).map((panel) => JSON.stringify(panel.gridPos))

      assert.deepEqual(file, JSON.parse(JSON.stringify(built)))
      assert.match(spec.uid, /^[a-z-]{1,40}$/)
      assert.equal(new Set(placed).size, placed.length, `${spec.uid}: two panels in one place`)
    }
  })

  test('is mounted where its provider looks', () => {
    const [, folder] = /path: (\S+)/.exec(read('deploy/grafana/provider.yaml'))!
    const compose = read('deploy/compose.yaml')

    assert(compose.includes(`./grafana/dashboards:${folder}:ro`))
    assert(compose.includes('./grafana/provider.yaml:/etc/grafana/provisioning/dashboards/'))
  })
})

describe('each panel', () => {
  test('has a unit, a description in sentences, and an existing runbook', () => {
    for (const { uid, title, description, unit, runbook } of panels) {
      const name = `${uid}: ${title}`
      assert(UNITS.includes(unit), name)
      assert.match(description, /^[A-Z].{20,}\.$/s, name)
      assert(existsSync(path.join(ROOT, `docs/runbooks/${runbook}.md`)), `${name}: ${runbook}`)
    }
    assert.equal(new Set(panels.map(({ uid, title }) => uid + title)).size, panels.length)
  })

  test('shows only metrics that the server, an exporter or a rule has', () => {
    assert.deepEqual(
      expressions.flatMap(namesIn).filter((name) => !isKnown(name)),
      [],
    )
    assert.equal(isKnown('legwork_unheard_of_total'), false)
  })

  test('selects and groups only by labels that the metric has', () => {
    const unknown = expressions.flatMap((expr) => {
      const labels = namesIn(expr).flatMap((name) => exported.get(baseOf(name)) ?? [])
      const used = [
        ...[...expr.matchAll(/\bby \(([^)]*)\)/g)].flatMap((match) => match[1]!.split(', ')),
        ...[...expr.matchAll(/(\w+)(?:=~|!~|!=|=)"/g)].map((match) => match[1]!),
      ]
      const isOurs = namesIn(expr).every((name) => exported.has(baseOf(name)))
      return isOurs ? used.filter((label) => ![...labels, 'le', 'instance'].includes(label)) : []
    })

    assert.deepEqual(unknown, [])
  })

  test('selects only routes that the server has', () => {
    const routes = expressions
      .flatMap((expr) => [...expr.matchAll(/route=~"([^"]+)"/g)])
      .flatMap((match) => match[1]!.split('|'))

    assert(routes.length > 5)
    assert.deepEqual(
      routes.filter((route) => !endpoints.some((endpoint) => endpoint.path === route)),
      [],
    )
  })

  test('has queries that promtool can parse', () => {
    const folder = mkdtempSync(path.join(os.tmpdir(), 'legwork-dashboards-'))
    try {
      assert.equal(checkRules(folder, expressions), '')
      assert.match(checkRules(folder, ['sum(rate(legwork_jobs_total[5m])']), /unclosed/)
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})

/** Wraps each query in a rule, and returns what promtool says against them. */
function checkRules(folder: string, queries: readonly string[]): string {
  const rules = queries.map((expr, i) => ({
    record: `check:panel_${i}`,
    expr: expr.replaceAll('$__rate_interval', '5m'),
  }))
  const file = path.join(folder, 'rules.json')
  // JSON is YAML.
  writeFileSync(file, JSON.stringify({ groups: [{ name: 'panels', rules }] }))
  const { status, stdout, stderr, error } = spawnSync('promtool', ['check', 'rules', file], {
    encoding: 'utf8',
  })
  if (error) throw new Error('promtool is not installed: scripts/machine.sh installs it')
  return status === 0 ? '' : stdout + stderr
}
