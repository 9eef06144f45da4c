/**
 * `npm run simulate:shards`: sixteen clusters at 10,000 creations a second, with the service times that
 * `npm run bench:operations` measured. It prints what waits in each scenario, and which limits a growing load reaches.
 * docs/capacity.md explains the results. Every run prints the same.
 */
import { costOfTask } from './simulate-shards/costs.ts'
import { limitsOfOneAgent, simulate } from './simulate-shards/model.ts'
import { DEFAULTS, type Setup } from './simulate-shards/setup.ts'

const { clusters, cores, walMegabytes, connections, relays, feedClusters, feedCores, creations } =
  DEFAULTS

const SCENARIOS: Record<string, Partial<Setup>> = {
  'half the load': { creations: creations / 2, pages: DEFAULTS.pages / 2 },
  'Zipf 0.8': {},
  'Zipf 1.0': { exponent: 1 },
  'Zipf 1.0, schemas moved': { exponent: 1, isBalanced: true },
  'Zipf 1.2': { exponent: 1.2 },
  'Zipf 1.2, schemas moved': { exponent: 1.2, isBalanced: true },
  'cluster lost for 60 s': { seconds: 140, lost: { cluster: 3, from: 5, until: 65 } },
  'move of a schema': { seconds: 12, move: { from: 3, until: 5, source: 3, target: 5 } },
}

/** So much of everything that nothing waits. */
const ENOUGH = 1e6
const WITHOUT_LIMITS = {
  cores: ENOUGH,
  walMegabytes: ENOUGH,
  connections: ENOUGH,
  relays: ENOUGH,
  feedCores: ENOUGH,
}

for (const crossing of [0, 0.5, (clusters - 1) / clusters]) {
  const { cpu, wal } = costOfTask(crossing)
  const cost = `${number(cpu, 1)} ms of CPU and ${number(wal / 1000, 1)} kB of WAL`
  console.log(`A task costs ${cost} if ${percent(crossing)} of the workers are in another cluster.`)
}
console.log(`
${clusters} clusters: each ${cores} cores, ${walMegabytes} MB/s of WAL, ${connections} connections, ${relays} relay
${feedClusters} clusters of the feed: each ${feedCores} cores
${number(creations)} tasks and ${number(DEFAULTS.pages)} feed pages per second
`)
printTable(
  [
    '',
    'wait p50, p99',
    'one cluster p99',
    'others p99',
    'crossing p99',
    'page p99',
    'CPU mean, max',
    'WAL max',
    'connections max',
    'relay max',
    'feed max',
    'longest queue',
    'drained after',
  ],
  Object.entries(SCENARIOS).map(([name, setup]) => {
    const { waits, ofCluster, ofOthers, crossing, pages, use, longest, drained } = simulate(setup)
    return [
      name,
      `${ms(waits.quantile(0.5))}, ${ms(waits.quantile(0.99))}`,
      ...[ofCluster, ofOthers, crossing, pages].map((some) => ms(some.quantile(0.99))),
      `${percent(use.cpu.mean)}, ${percent(use.cpu.max)}`,
      ...[use.wal, use.connections, use.relay, use.feed].map(({ max }) => percent(max)),
      number(longest.requests),
      drained === undefined ? '' : `${number(drained, 1)} s`,
    ]
  }),
)

console.log('\nCreations per second at which each limit is reached, if all loads grow alike:\n')
const growing = [false, true].flatMap((isBalanced) =>
  [0.8, 1, 1.2].map((exponent) => ({
    heading: `Zipf ${exponent.toFixed(1)}${isBalanced ? ', moved' : ''}`,
    limits: limitsAt(exponent, isBalanced),
  })),
)
printTable(
  ['', ...growing.map(({ heading }) => heading)],
  [...growing[0]!.limits.keys()].map((what) => [
    what,
    ...growing.map(({ limits }) => number(Math.round(limits.get(what)! / 100) * 100)),
  ]),
)

function limitsAt(exponent: number, isBalanced: boolean): Map<string, number> {
  const { use } = simulate({ ...WITHOUT_LIMITS, exponent, isBalanced, seconds: 4 })
  const limit = (capacity: number, { max }: { max: number }) =>
    (creations * capacity) / (max * ENOUGH)
  return new Map([
    ['CPU of the busiest cluster', limit(cores, use.cpu)],
    ['WAL of the busiest cluster', limit(walMegabytes, use.wal)],
    ['relay of the busiest cluster', limit(relays, use.relay)],
    ['connections of the busiest cluster', limit(connections, use.connections)],
    ['CPU of the busiest region of the feed', limit(feedCores, use.feed)],
    ...limitsOfOneAgent(exponent),
  ])
}

function number(value: number, digits = 0): string {
  return value.toLocaleString('en', {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  })
}

function percent(share: number): string {
  return `${number(100 * share)} %`
}

function ms(waited: number): string {
  return waited < 1000 ? `${waited} ms` : `${number(waited / 1000, 1)} s`
}

function printTable(headings: string[], rows: string[][]): void {
  const widths = headings.map((heading, i) =>
    Math.max(heading.length, ...rows.map((cells) => cells[i]!.length)),
  )
  for (const cells of [headings, ...rows]) {
    const line = cells.map((cell, i) =>
      i === 0 ? cell.padEnd(widths[i]!) : cell.padStart(widths[i]!),
    )
    console.log(line.join('  '))
  }
}
