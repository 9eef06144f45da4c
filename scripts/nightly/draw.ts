/** Draws what clients felt as SVG, in the colors of the page around it. */
import type { Bucket, Series } from '../../server/test/lives/timeline.ts'

const WIDTH = 640
const HEIGHT = 200
const WIDE = 1300
const EDGE = { left: 44, right: 52, top: 22, bottom: 24 }
const BEFORE_MS = 2000
const AFTER_MIN_MS = 6000
const AFTER_GAP_MS = 3000
const COLUMNS = 240
/** A fault counts as felt only in the time that follows it. */
const FELT_MS = 40_000

interface Frame {
  width: number
  fromMs: number
  toMs: number
  /** The largest value of the left axis: acknowledged requests. */
  countMax: number
  /** The largest value of the right axis: milliseconds. */
  latencyMax: number
}

/** The occurrence of a fault with the longest silence. */
export function drawFault(
  series: Series,
  label: string,
): { svg: string; gapMs: number; count: number } {
  const marks = series.marks.filter((mark) => mark.label === label)
  const silences = marks.map(({ ms }) => ({ ms, ...silenceAfter(series, ms) }))
  const { ms, gapMs, endMs } = silences.toSorted((a, b) => b.gapMs - a.gapMs)[0]!
  const fromMs = Math.max(0, ms - BEFORE_MS)
  const toMs = Math.max(ms + AFTER_MIN_MS, endMs + AFTER_GAP_MS)
  const shown = series.buckets.filter((bucket) => bucket.ms >= fromMs && bucket.ms < toMs)
  const frame = frameOf(shown, { width: WIDTH, fromMs, toMs })
  const near = series.marks.filter((mark) => mark.ms >= fromMs && mark.ms < toMs)
  const parts = [
    axes(frame, ms),
    ...shown.map((bucket) => bar(frame, bucket, series.bucketMs)),
    ...shown.map((bucket) => dot(frame, bucket, series.bucketMs)),
    ...near.map((mark) => line(frame, mark.ms, mark.label)),
  ]
  return { svg: svg(WIDTH, parts), gapMs, count: marks.length }
}

/** The whole run in a fixed number of columns, with every fault as a tick at the bottom. */
export function drawRun({ buckets, marks, bucketMs }: Series): string {
  const toMs = buckets.length * bucketMs
  const each = Math.max(1, Math.ceil(buckets.length / COLUMNS))
  const columns: Bucket[] = []
  for (let i = 0; i < buckets.length; i += each) {
    const part = buckets.slice(i, i + each)
    columns.push({
      ms: i * bucketMs,
      acknowledged: part.reduce((sum, one) => sum + one.acknowledged, 0) / part.length,
      slowestMs: Math.max(...part.map(({ slowestMs }) => slowestMs)),
    })
  }
  const frame = frameOf(columns, { width: WIDE, fromMs: 0, toMs })
  const bottom = HEIGHT - EDGE.bottom
  const ticks = marks.map(({ ms }) => {
    const x = at(frame, ms)
    return `<line class="mark" x1="${x}" x2="${x}" y1="${bottom}" y2="${bottom - 6}"/>`
  })
  const parts = [
    axes(frame, 0),
    ...columns.map((column) => bar(frame, column, each * bucketMs)),
    ...columns.map((column) => dot(frame, column, each * bucketMs)),
    ...ticks,
  ]
  return svg(WIDE, parts)
}

/** The longest time without an acknowledgement that begins at the fault or soon after it. */
function silenceAfter(
  { buckets, bucketMs, marks }: Series,
  ms: number,
): { gapMs: number; endMs: number } {
  const next = marks.find((mark) => mark.ms > ms + bucketMs)?.ms ?? Infinity
  const from = Math.floor(ms / bucketMs)
  let [gapMs, endMs, current] = [0, ms, 0]
  for (let i = from; i < buckets.length && i * bucketMs < ms + FELT_MS; i += 1) {
    // A silence that begins after the next fault belongs to that one.
    if (i * bucketMs >= next && current === 0) break
    current = buckets[i]!.acknowledged === 0 ? current + bucketMs : 0
    if (current > gapMs) [gapMs, endMs] = [current, (i + 1) * bucketMs]
  }
  return { gapMs, endMs }
}

function frameOf(
  shown: readonly Bucket[],
  { width, fromMs, toMs }: { width: number; fromMs: number; toMs: number },
): Frame {
  const countMax = roundUp(Math.max(1, ...shown.map(({ acknowledged }) => acknowledged)))
  const latencyMax = roundUp(Math.max(100, ...shown.map(({ slowestMs }) => slowestMs)))
  return { width, fromMs, toMs, countMax, latencyMax }
}

const at = ({ width, fromMs, toMs }: Frame, ms: number) =>
  round(EDGE.left + ((ms - fromMs) / (toMs - fromMs)) * (width - EDGE.left - EDGE.right))

const height = (share: number) =>
  round(HEIGHT - EDGE.bottom - share * (HEIGHT - EDGE.top - EDGE.bottom))

function bar(frame: Frame, { ms, acknowledged }: Bucket, widthMs: number): string {
  if (acknowledged === 0) return ''
  const [x, y] = [at(frame, ms), height(acknowledged / frame.countMax)]
  const width = Math.max(0.5, round(at(frame, ms + widthMs) - x - 0.5))
  return `<rect class="bar" x="${x}" y="${y}" width="${width}" height="${round(HEIGHT - EDGE.bottom - y)}"/>`
}

function dot(frame: Frame, { ms, slowestMs }: Bucket, widthMs: number): string {
  if (slowestMs === 0) return ''
  const y = height(Math.min(1, slowestMs / frame.latencyMax))
  return `<circle class="dot" cx="${at(frame, ms + widthMs / 2)}" cy="${y}" r="2"/>`
}

function line(frame: Frame, ms: number, label: string): string {
  const x = at(frame, ms)
  return (
    `<line class="mark" x1="${x}" x2="${x}" y1="${EDGE.top - 6}" y2="${HEIGHT - EDGE.bottom}" ` +
    `stroke-dasharray="4 3"/>` +
    `<text class="marked" x="${x + 4}" y="${EDGE.top}">${label}</text>`
  )
}

/** Requests on the left, milliseconds on the right, seconds below, counted from `zeroMs`. */
function axes(frame: Frame, zeroMs: number): string {
  const { width, fromMs, toMs, countMax, latencyMax } = frame
  const [bottom, right] = [HEIGHT - EDGE.bottom, width - EDGE.right]
  const rows = [0, 0.5, 1].map((share) => {
    const y = height(share)
    return (
      `<line class="grid" x1="${EDGE.left}" x2="${right}" y1="${y}" y2="${y}"/>` +
      `<text x="${EDGE.left - 6}" y="${y + 4}" text-anchor="end">${show(countMax * share)}</text>` +
      `<text x="${right + 6}" y="${y + 4}">${showMs(latencyMax * share)}</text>`
    )
  })
  const stepMs = stepOf(toMs - fromMs)
  const seconds: string[] = []
  const first = Math.ceil((fromMs - zeroMs) / stepMs) * stepMs
  for (let ms = first; ms <= toMs - zeroMs; ms += stepMs) {
    const x = at(frame, ms + zeroMs)
    seconds.push(`<text x="${x}" y="${bottom + 16}" text-anchor="middle">${showTime(ms)}</text>`)
  }
  return [...rows, ...seconds].join('')
}

function stepOf(spanMs: number): number {
  const steps = [1000, 2000, 5000, 10_000, 30_000, 60_000, 300_000, 600_000, 1_800_000, 3_600_000]
  return steps.find((step) => spanMs / step <= 12) ?? 7_200_000
}

/** To one, two or five times a power of ten. */
function roundUp(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value))
  return [1, 2, 5, 10].map((times) => times * power).find((limit) => value <= limit)!
}

const svg = (width: number, parts: string[]) =>
  `<svg viewBox="0 0 ${width} ${HEIGHT}" role="img">${parts.join('')}</svg>`
const round = (value: number) => Math.round(value * 10) / 10
const show = (value: number) => String(round(value))
const showMs = (ms: number) => (ms >= 1000 ? `${show(ms / 1000)} s` : `${show(ms)} ms`)
const showTime = (ms: number) =>
  Math.abs(ms) >= 120_000 ? `${show(ms / 60_000)} min` : `${show(ms / 1000)} s`
