/** Checks the alert rules of deploy/prometheus: with promtool, and against the server's metrics and the runbooks. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, test } from 'node:test'
import { promisify } from 'node:util'
import { endpoints } from '../server/src/endpoints.ts'
import { openMetrics } from '../server/src/kit/metrics.ts'
import { QUEUES } from '../server/src/ops/queues.ts'
import { filesUnder } from './imports.ts'

const ROOT = path.join(import.meta.dirname, '..')
const FOLDER = path.join(ROOT, 'deploy/prometheus')
const read = (file: string) => readFileSync(path.join(ROOT, file), 'utf8')

const rules = read('deploy/prometheus/rules.yaml')
const unitTests = read('deploy/prometheus/rules.test.yaml')

/** Runbooks that no metric can ask for, and why. */
const WITHOUT_ALERT: Record<string, string> = {
  'docs/runbooks/leaked-key.md':
    'someone reports the key; a thief’s requests look like the owner’s',
  'docs/runbooks/suspend-a-worker.md': 'someone reports the worker',
}

/** Metrics of Prometheus, of the exporters in prometheus.yaml, and of deploy/pgbackrest/drill.ts. */
const FOREIGN = new RegExp(
  `^(?:${[
    'up',
    'pg_up',
    'pg_stat_activity_(?:count|max_tx_duration)',
    'pg_settings_max_connections',
    'pg_stat_archiver_last_archive_age',
    'pg_replication_is_replica',
    'cnpg_pg_stat_archiver_seconds_since_last_archival',
    'legwork_restore_drill_\\w+',
    'node_\\w+',
    'patroni_\\w+',
  ].join('|')})$`,
)

interface Alert {
  name: string
  severity: string
  expr: string
  summary: string
  description: string
  runbook: string
}

/** The rules are written in one way throughout, so a parser for all of YAML is not needed. */
const blocks = rules.split(/^ {6}- (?=alert:|record:)/m).slice(1)

function field(block: string, name: string): string {
  const found = new RegExp(`^( *)${name}: (?:>-\\n((?:\\1 +.*\\n)+)|(.*))`, 'm').exec(block)
  assert(found, `${name} is missing in ${block}`)
  return (found[2] ?? found[3]!).replaceAll(/\s+/g, ' ').trim()
}

const alerts: Alert[] = blocks
  .filter((block) => block.startsWith('alert:'))
  .map((block) => ({
    name: field(block, 'alert'),
    severity: /severity: (\w+)/.exec(field(block, 'labels'))![1]!,
    expr: field(block, 'expr'),
    summary: field(block, 'summary'),
    description: field(block, 'description'),
    runbook: field(block, 'runbook'),
  }))
const recorded = new Set(
  blocks.filter((block) => block.startsWith('record:')).map((block) => field(block, 'record')),
)
const expressions = blocks.map((block) => field(block, 'expr'))

async function promtool(...args: string[]): Promise<void> {
  try {
    await promisify(execFile)('promtool', args, { cwd: FOLDER })
  } catch (error) {
    const { code, stdout, stderr } = error as { code: unknown; stdout?: string; stderr?: string }
    const hint =
      code === 'ENOENT' ? 'promtool is not installed: scripts/machine.sh installs it' : ''
    assert.fail(`${hint}${stdout ?? ''}${stderr ?? ''}`)
  }
}

describe('promtool', { concurrency: true }, () => {
  test('accepts the rules', () => promtool('check', 'rules', 'rules.yaml'))
  test('accepts the example configuration', () => promtool('check', 'config', 'prometheus.yaml'))
  test('runs the unit tests of the rules', () => promtool('test', 'rules', 'rules.test.yaml'))
})

describe('an alert', () => {
  test('exists at all: this file reads every rule', () => {
    assert.equal(alerts.length, rules.match(/^ *- alert:/gm)!.length)
    assert(alerts.length > 50)
  })

  test('has a severity, and says what users notice and what to do first', () => {
    for (const { name, severity, summary, description } of alerts) {
      assert.match(severity, name === 'DeadMansSwitch' ? /^heartbeat$/ : /^(?:page|ticket)$/, name)
      assert(summary.length > 10 && summary.length < 100, `${name}: ${summary}`)
      assert.match(description, /\.$/, name)
    }
  })

  test('has a runbook, and every runbook has an alert', () => {
    const runbooks = filesUnder(ROOT, 'docs/runbooks', /\.md$/)
    const linked = new Set(alerts.map(({ runbook }) => runbook))

    assert.deepEqual(
      [...linked].filter((file) => !existsSync(path.join(ROOT, file))),
      [],
    )
    assert.deepEqual(
      runbooks.filter((file) => !linked.has(file)).sort(),
      Object.keys(WITHOUT_ALERT).sort(),
    )
  })

  test('is named by its runbook', () => {
    const silent = alerts.filter(({ name, runbook }) => !read(runbook).includes(`\`${name}\``))

    assert.deepEqual(
      silent.map(({ name, runbook }) => `${name}: ${runbook}`),
      [],
    )
  })

  test('has a unit test in which it fires, and one in which it does not', () => {
    const asked = [
      ...unitTests.matchAll(
        /alertname="(\w+)", alertstate="firing"\}\)\n *eval_time: \w+\n *exp_samples:(.*\n(?: {10,}.*\n?)*)/g,
      ),
    ].map((match) => ({ name: match[1]!, samples: match[2]! }))
    const fires = ({ severity }: Alert, samples: string) => samples.includes(`"${severity}"`)
    const untested = alerts
      .filter((alert) => {
        const own = asked.filter(({ name }) => name === alert.name)
        return (
          !own.some(({ samples }) => fires(alert, samples)) ||
          own.every(({ samples }) => fires(alert, samples))
        )
      })
      .map(({ name, severity }) => `${name} ${severity}`)

    assert.deepEqual(untested, ['DeadMansSwitch heartbeat'])
  })

  test('is described in docs/slo.md or docs/logging.md, which name no others', () => {
    const metricsTable = read('docs/logging.md').split('\n## Metrics\n')[1]!
    const named = [...`${read('docs/slo.md')}${metricsTable}`.matchAll(/`([A-Z][a-z]+[A-Z]\w+)`/g)]
    const names = new Set(alerts.map(({ name }) => name))

    assert.deepEqual([...new Set(named.map((match) => match[1]!))].sort(), [...names].sort())
  })
})

describe('a rule', () => {
  const exported = new Map(
    openMetrics()
      .registry.getMetricsAsArray()
      .map((metric) => [metric.name, metric as unknown as { labelNames: string[]; type: string }]),
  )
  const ownLabels = ['job', 'instance', 'le']
  const baseOf = (name: string) =>
    exported.has(name) ? name : name.replace(/_(?:count|sum|bucket)$/, '')

  /** Names in front of a selector, a range or an operator; functions are followed by a parenthesis. */
  const namesIn = (expr: string) =>
    [
      ...expr.replaceAll(/"[^"]*"/g, '""').matchAll(/\b(?:legwork|pg|node|patroni)_[\w:]+|\bup\b/g),
    ].map((match) => match[0])

  test('uses only metrics that the server or an exporter has, or that another rule records', () => {
    const unknown = expressions
      .flatMap(namesIn)
      .filter((name) => !recorded.has(name) && !exported.has(baseOf(name)) && !FOREIGN.test(name))

    assert.deepEqual(unknown, [])
  })

  test('selects only labels that the metric has', () => {
    const selectors = expressions.flatMap((expr) => [
      ...expr.matchAll(/\b(legwork_\w+)\{([^}]*)\}/g),
    ])
    const unknown = selectors.flatMap(([, name, selector]) => {
      const metric = exported.get(baseOf(name!))
      if (metric === undefined) return []
      const labels = [...selector!.matchAll(/(\w+)(?:=~|!~|!=|=)"/g)].map((match) => match[1]!)
      return labels
        .filter((label) => ![...metric.labelNames, ...ownLabels].includes(label))
        .map((label) => `${name}{${label}}`)
    })

    assert(selectors.length > 20)
    assert.deepEqual(unknown, [])
  })

  test('selects only routes that the server has', () => {
    const selected = new Set(
      expressions.flatMap((expr) =>
        [...expr.matchAll(/method="(\w+)", route=~?"([^"]+)"/g)].map(
          (match) => `${match[1]} ${match[2]}`,
        ),
      ),
    )
    const matched = [...selected].map((one) => {
      const [method, route] = one.split(' ')
      const pattern = new RegExp(`^(?:${route})$`)
      return endpoints
        .filter((endpoint) => endpoint.method === method && pattern.test(endpoint.path))
        .map((endpoint) => endpoint.path)
    })

    assert.deepEqual(
      matched.map((paths) => paths.sort()),
      [
        ['/call', '/escalate', '/field', '/gut-check', '/tasks', '/verify', '/vibe'],
        ['approve', 'cancel', 'dispute', 'request-revision'].map((verb) => `/tasks/:id/${verb}`),
        ['/worker/feed', '/worker/feed/:id'],
        ['/worker/tasks/:id/proof'],
      ],
    )
  })

  test('selects only items that `ops waiting` lists', () => {
    const kinds = QUEUES.map(({ what }) => what)
    const patterns = expressions
      .flatMap((expr) => [...expr.matchAll(/what(?:=~|!~|=)"([^"]+)"/g)])
      .flatMap((match) => match[1]!.split('|'))

    assert.deepEqual(
      patterns.filter((pattern) => !kinds.some((kind) => new RegExp(`^${pattern}$`).test(kind))),
      [],
    )
  })

  test('has a budget for every objective that is counted', () => {
    const labelsOf = (record: string) =>
      blocks
        .filter((block) => block.startsWith(`record: ${record}\n`))
        .map((block) => field(block, 'labels'))
    const objectives = [
      ...labelsOf('legwork_slo:http_total').flatMap((labels) =>
        ['answers', 'speed'].map((sli) => labels.replace(' }', `, sli: ${sli} }`)),
      ),
      ...labelsOf('legwork_slo:bad_now'),
    ]

    assert.deepEqual(labelsOf('legwork_slo:budget').sort(), objectives.sort())
  })
})
