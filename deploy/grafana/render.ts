/** Renders the dashboards of panels.ts as the JSON that Grafana reads. */
import {
  type Dashboard,
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

const DATASOURCE = { type: 'prometheus', uid: '${datasource}' }
const HEIGHT = 8
const WIDTH = 12

export function renderDashboard({ uid, title, description, rows }: DashboardSpec): Dashboard {
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

function renderPanel({ title, description, unit, runbook, queries, isNumber }: Panel) {
  const panel = (isNumber ? new NumberBuilder() : new LinesBuilder())
    .title(title)
    .description(description)
    .unit(unit)
    .datasource(DATASOURCE)
    .height(HEIGHT)
    .span(WIDTH)
    .links([
      new DashboardLinkBuilder(`Runbook: ${runbook}`)
        .url('${runbooks}/' + `${runbook}.md`)
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
