/** Renders the dashboards of panels.ts as the JSON that Grafana reads. */
import { ReduceDataOptionsBuilder } from '@grafana/grafana-foundation-sdk/common'
import {
  DashboardBuilder,
  DashboardLinkBuilder,
  DatasourceVariableBuilder,
  RowBuilder,
  TextBoxVariableBuilder,
} from '@grafana/grafana-foundation-sdk/dashboard'
import { DataqueryBuilder } from '@grafana/grafana-foundation-sdk/prometheus'
import { PanelBuilder as NumberBuilder } from '@grafana/grafana-foundation-sdk/stat'
import { PanelBuilder as LinesBuilder } from '@grafana/grafana-foundation-sdk/timeseries'
import { type DashboardSpec, type Panel } from './panels.ts'

/** Grafana replaces a variable when it shows the dashboard. */
const variable = (name: string) => `\${${name}}`
const DATASOURCE = { type: 'prometheus', uid: variable('datasource') }
const HEIGHT = 8
const WIDTH = 12

export function renderDashboard({ uid, title, description, rows }: DashboardSpec) {
  // oxlint-disable-next-line typescript/no-deprecated -- Grafana 12 provisions the other model only through its API
  const dashboard = new DashboardBuilder(title)
    .uid(uid)
    .description(description)
    .tags(['legwork'])
    .readonly()
    .refresh('1m')
    .time({ from: 'now-6h', to: 'now' })
    .withVariable(new DatasourceVariableBuilder('datasource').label('Source').type('prometheus'))
    // Where your copy of docs/runbooks can be read: the repository has no address of its own.
    .withVariable(
      new TextBoxVariableBuilder('runbooks').label('Runbooks').defaultValue('/docs/runbooks'),
    )
  for (const row of rows) {
    dashboard.withRow(new RowBuilder(row.title))
    for (const panel of row.panels) dashboard.withPanel(renderPanel(panel))
  }
  return dashboard.build()
}

/** The latest value; the builder's default shows none. */
const newNumber = () =>
  new NumberBuilder().reduceOptions(new ReduceDataOptionsBuilder().calcs(['lastNotNull']))

function renderPanel({ title, description, unit, runbook, queries, isNumber }: Panel) {
  const panel = (isNumber ? newNumber() : new LinesBuilder())
    .title(title)
    .description(description)
    .unit(unit)
    .datasource(DATASOURCE)
    .height(HEIGHT)
    .span(WIDTH)
    .links([
      new DashboardLinkBuilder(`Runbook: ${runbook}`)
        .url(`${variable('runbooks')}/${runbook}.md`)
        .targetBlank(true),
    ])
  for (const [i, { expr, legend }] of queries.entries())
    panel.withTarget(
      new DataqueryBuilder()
        .refId(String.fromCharCode(65 + i))
        .expr(expr)
        .legendFormat(legend)
        .exemplar(expr.includes('_bucket')),
    )
  return panel
}
