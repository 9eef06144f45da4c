/** The report of a night as one HTML page: no script, no request, readable in light and dark. */
import type { Figure, SeedLine, SeriesLine } from '../../server/test/figures.ts'
import { drawFault, drawRun } from './draw.ts'
import type { Report, StageState } from './state.ts'
import { type PromiseId, PROMISES, STAGES, type Stage } from './stages.ts'

const STYLE = `
  :root { color-scheme: light dark; --ink: #1c2330; --soft: #5b6576; --line: #d9dee7; --paper: #ffffff;
    --card: #f5f7fa; --good: #0b7a4b; --bad: #b3261e; --none: #8a5a00; --bar: #9fb4d8; --dot: #1f4fa3;
    --mark: #b3261e; }
  @media (prefers-color-scheme: dark) { :root { --ink: #e7ebf2; --soft: #a3adbd; --line: #353d4b; --paper: #14181f;
    --card: #1c222c; --good: #5cc896; --bad: #ff8a80; --none: #e3b55b; --bar: #3f5680; --dot: #8fb4ff;
    --mark: #ff8a80; } }
  body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; }
  main { max-width: 68rem; margin: 0 auto; padding: 2rem 1.25rem 4rem; }
  h1 { font-size: 1.9rem; line-height: 1.2; margin: 0 0 .25rem; }
  h2 { font-size: 1.3rem; margin: 3rem 0 .75rem; }
  h3 { font-size: 1rem; margin: 0; }
  p { margin: .25rem 0; } .soft { color: var(--soft); }
  .verdict { font-size: 1.15rem; font-weight: 600; margin: 1rem 0; }
  .good { color: var(--good); } .bad { color: var(--bad); } .none { color: var(--none); }
  dl { display: grid; grid-template-columns: repeat(auto-fit, minmax(11rem, 1fr)); gap: .75rem 1.5rem;
    margin: 1.25rem 0; }
  dt { color: var(--soft); font-size: .85rem; } dd { margin: 0; }
  .table { overflow-x: auto; } table { border-collapse: collapse; width: 100%; font-size: .93rem; }
  th { text-align: left; font-weight: 600; color: var(--soft); font-size: .85rem; }
  th, td { padding: .4rem .75rem .4rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
  td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
  .promise { background: var(--card); border-radius: .6rem; padding: 1rem 1.25rem .75rem; margin: 0 0 1rem; }
  .promise header { display: flex; gap: .75rem; justify-content: space-between; margin-bottom: .5rem; }
  .promise tr:last-child td { border-bottom: 0; } table.fixed { table-layout: fixed; min-width: 44rem; }
  a { color: inherit; } .promise header > :last-child { white-space: nowrap; }
  .pictures { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 26rem), 1fr)); gap: 1.25rem; }
  figure { margin: 0; background: var(--card); border-radius: .6rem; padding: 1rem; }
  figure.wide { grid-column: 1 / -1; }
  figcaption { font-size: .9rem; margin-bottom: .5rem; } svg { display: block; width: 100%; height: auto; }
  svg text { fill: var(--soft); font: 11px system-ui, sans-serif; }
  .bar { fill: var(--bar); } .dot { fill: var(--dot); } .grid { stroke: var(--line); } .mark { stroke: var(--mark); }
  svg text.marked { fill: var(--mark); }
  code { font: .88em ui-monospace, monospace; }`

export function renderReport(report: Report): string {
  const shown = STAGES.filter(({ name }) => report.stages.some((one) => one.name === name))
  const date = report.startedAt.slice(0, 10)
  return `<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Reliability report ${date}</title><style>${STYLE}</style>
<main>
<h1>Reliability report</h1>
<p class="soft">How the marketplace behaved while its parts were killed, cut off and filled up.</p>
${verdictOf(report)}
${factsOf(report)}
<h2>Promises</h2>
${(Object.keys(PROMISES) as PromiseId[]).map((id) => promiseOf(id, report)).join('\n')}
${picturesOf(report)}
<h2>Stages</h2>
${shown.map((stage) => stageOf(stage, report)).join('\n')}
</main></html>
`
}

function verdictOf({ stages, lines }: Report): string {
  const missed = lines.filter((line) => line.kind === 'figure' && !line.ok).length
  const failed = stages.filter(({ outcome }) => outcome === 'failed' || outcome === 'stopped')
  const open = stages.filter(({ outcome }) => outcome === 'waiting' || outcome === 'interrupted')
  const passed = stages.filter(({ outcome }) => outcome === 'passed').length
  const figures = `${missed} ${missed === 1 ? 'figure' : 'figures'} missed the target.`
  const [tone, text] =
    failed.length > 0
      ? ['bad', `${failed.length} of ${stages.length} stages failed; ${figures}`]
      : missed > 0
        ? ['bad', `${passed} of ${stages.length} stages passed; ${figures}`]
        : open.length > 0
          ? ['none', `${passed} of ${stages.length} stages passed; ${open.length} have not run.`]
          : ['good', `All ${stages.length} stages passed, and every figure met its target.`]
  return `<p class="verdict ${tone}">${text}</p>`
}

function factsOf({ startedAt, seconds, commit, seed, machine, minutes }: Report): string {
  const facts: [string, string][] = [
    ['Started', `${startedAt.slice(0, 16).replace('T', ' ')} UTC`],
    ['Duration', durationOf(seconds)],
    ['Size', minutes === null ? 'Full' : `Scaled to about ${minutes} min`],
    ['Commit', commit],
    ['Seed', seed],
    ['Machine', `${machine.cpus} × ${machine.model}, ${machine.memoryGb} GB`],
    ['System', `${machine.system}, Node ${machine.node}`],
  ]
  return `<dl>${facts.map(([name, fact]) => `<div><dt>${name}</dt><dd>${escape(fact)}</dd></div>`).join('')}</dl>`
}

function promiseOf(id: PromiseId, report: Report): string {
  const stages = STAGES.filter(({ promises }) => promises.includes(id))
  const rows = stages.map((stage) => {
    const state = report.stages.find(({ name }) => name === stage.name)
    const [value, target] = mostTelling(figuresOf(stage, report), id)
    return `<tr><td><a href="#${stage.name}"><code>npm run ${stage.script}</code></a></td>
<td>${value ?? escape(stage.does)}</td><td class="number">${target ?? ''}</td>
<td>${outcomeOf(stage, state, report)}</td></tr>`
  })
  return `<section class="promise"><header><h3>${id} · ${escape(PROMISES[id])}</h3>${resultOf(id, report)}</header>
<div class="table"><table class="fixed">
<colgroup><col style="width: 15rem"><col><col style="width: 8rem"><col style="width: 9rem"></colgroup>
<tr><th>Test</th><th>Figure</th><th class="number">Target</th><th>Result</th></tr>
${rows.join('\n')}
</table></div></section>`
}

/** The promises about time. For the others a slow recovery is a missed target, but no broken promise. */
const TIMED: readonly PromiseId[] = ['P9']

const isBroken = (id: PromiseId) => (one: Figure) =>
  !one.ok && (one.unit !== 'ms' || TIMED.includes(id))

/** A figure that breaks the promise, or else the first one that must be zero, after the size of the run. */
function mostTelling(figures: Figure[], id: PromiseId): [string?, string?] {
  const shown =
    figures.find(isBroken(id)) ??
    figures.find(({ target }) => target === '0') ??
    figures.find(({ target }) => target !== '')
  if (shown === undefined) return []
  const size = figures.find(({ target }) => target === '')
  const words = [size, shown].flatMap((one) => (one ? `${valueOf(one)} ${escape(one.figure)}` : []))
  return [words.join('; '), shown.target]
}

const figuresOf = ({ name }: Stage, { lines }: Report) =>
  lines.filter((line) => line.kind === 'figure' && line.stage === name) as Figure[]

const valueOf = ({ value, unit }: Figure) => `${value.toLocaleString('en-US')} ${unit}`.trimEnd()

/** A promise is kept if each of its stages has passed; one stage that has not run leaves it open. */
function resultOf(id: PromiseId, report: Report): string {
  const own = STAGES.filter(({ promises }) => promises.includes(id))
  const marks = own.map((stage) => markOf(stage, id, report))
  if (marks.includes('bad')) return '<strong class="bad">Missed</strong>'
  if (marks.every((mark) => mark === 'good')) return '<strong class="good">Kept</strong>'
  if (marks.every((mark) => mark === 'none')) return '<strong class="none">Not run</strong>'
  return '<strong class="none">Kept in the stages that ran</strong>'
}

function markOf(stage: Stage, id: PromiseId, report: Report): 'good' | 'bad' | 'none' {
  const state = report.stages.find(({ name }) => name === stage.name)
  const isBad = figuresOf(stage, report).some(isBroken(id))
  if (isBad || state?.outcome === 'failed' || state?.outcome === 'stopped') return 'bad'
  return state?.outcome === 'passed' ? 'good' : 'none'
}

const OUTCOMES: Record<StageState['outcome'], [string, string]> = {
  passed: ['good', 'passed'],
  failed: ['bad', 'failed'],
  stopped: ['bad', 'stopped at its time limit'],
  interrupted: ['none', 'interrupted'],
  waiting: ['none', 'not run'],
}

function outcomeOf(stage: Stage, state: StageState | undefined, report: Report): string {
  const missed = figuresOf(stage, report).filter(({ ok }) => !ok)
  const [tone, words] = OUTCOMES[state?.outcome ?? 'waiting']
  if (state?.outcome !== 'passed' || missed.length === 0)
    return `<span class="${tone}">${words}</span>`
  return missed.every(({ unit }) => unit === 'ms')
    ? '<span class="none">passed, too slow</span>'
    : `<span class="bad">${missed.length} missed</span>`
}

function picturesOf({ lines }: Report): string {
  const series = lines.filter((line): line is SeriesLine => line.kind === 'series')
  if (series.length === 0) return ''
  return `<h2>What clients felt</h2>
<p class="soft">Bars: acknowledged requests per 100 ms. Dots: the longest time from a request’s first attempt to its
acknowledgement. For each kind of fault, the picture shows the occurrence with the longest silence.</p>
<div class="pictures">${series.map(picturesFor).join('\n')}</div>`
}

function picturesFor(series: SeriesLine): string {
  const labels = [...new Set(series.marks.map(({ label }) => label))]
  const whole = `<figure class="wide"><figcaption><strong>${escape(series.title)}</strong>: the whole run</figcaption>
${drawRun(series)}</figure>`
  const faults = labels.map((label) => {
    const { svg, gapMs, count } = drawFault(series, label)
    const times = count === 1 ? 'once' : `${count} times`
    return `<figure><figcaption><strong>${escape(label)}</strong> (${series.stage}, ${times}):
${(gapMs / 1000).toFixed(1)} s without an acknowledgement</figcaption>${svg}</figure>`
  })
  return [whole, ...faults].join('\n')
}

function stageOf(stage: Stage, report: Report): string {
  const state = report.stages.find(({ name }) => name === stage.name)!
  const figures = figuresOf(stage, report)
  const seeds = report.lines.filter(
    (line) => line.kind === 'seed' && line.stage === stage.name,
  ) as SeedLine[]
  const size =
    stage.size && state.count !== null
      ? `${state.count.toLocaleString('en-US')} ${stage.size.unit}`
      : ''
  const facts = [
    size,
    durationOf(state.seconds),
    ...seeds.map(({ seed }) => `seed ${escape(seed)}`),
  ]
  const table = `<div class="table"><table>
<tr><th>Figure</th><th class="number">Value</th><th class="number">Target</th><th></th></tr>
${figures.map(figureRow).join('\n')}
</table></div>`
  return `<section class="promise" id="${stage.name}"><header><h3>${stage.name} · ${escape(stage.does)}</h3>
${outcomeOf(stage, state, report)}</header>
<p class="soft">${facts.filter(Boolean).join(' · ')}</p>
<p class="soft">Control: ${escape(stage.control)}</p>
${figures.length === 0 ? '' : table}
</section>`
}

function figureRow(one: Figure): string {
  const result = one.ok ? '<span class="good">met</span>' : '<span class="bad">missed</span>'
  return `<tr><td>${escape(one.figure)}</td><td class="number">${valueOf(one)}</td>
<td class="number">${one.target}</td><td>${one.target === '' ? '' : result}</td></tr>`
}

function durationOf(seconds: number): string {
  const minutes = Math.floor(seconds / 60)
  if (minutes === 0) return `${Math.round(seconds)} s`
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

const escape = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
