import assert from 'node:assert/strict'
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type NightOptions, runNight } from './nightly/night.ts'
import { readReport, readState } from './nightly/state.ts'
import { insert } from './nightly/publish.ts'
import { plan, PROMISES, STAGES, type Stage } from './nightly/stages.ts'

const ROOT = path.join(import.meta.dirname, '..')
const { scripts } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>
}
/** The text of all files that a script's tests are in. */
function sourcesOf(command: string): string {
  const places = command.split(' ').filter((word) => /^(?:server|scripts)\/(?!test\.ts)/.test(word))
  return places
    .map((place) => path.join(ROOT, place))
    .flatMap((place) =>
      place.endsWith('.ts')
        ? [place]
        : globSync('**/*.ts', { cwd: place }).map((name) => path.join(place, name)),
    )
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n')
}

const nights = mkdtempSync(path.join(os.tmpdir(), 'legwork-nightly-'))
after(() => rmSync(nights, { recursive: true }))

describe('the stages of a night', () => {
  test('prove every promise', () => {
    const proved = new Set(STAGES.flatMap(({ promises }) => promises))

    assert.deepEqual(
      Object.keys(PROMISES).filter((id) => !proved.has(id as 'P1')),
      [],
    )
  })

  for (const { name, script, control, promises, does, size, seedEnv } of STAGES)
    test(`${name} runs a script that exists, with a control and settings that it reads`, () => {
      const command = scripts[script]
      assert(command, `package.json has ${script}`)
      assert(promises.length > 0 && does !== '' && control !== '')
      // The script has a smaller size of its own, and lets a night replace it.
      if (size && command.includes(`${size.env}=`))
        assert(command.includes(`${size.env}=\${${size.env}:-`), `${script} passes ${size.env} on`)
      const settings = [size?.env, size?.secondsEnv, seedEnv].flatMap((env) => env ?? [])
      const sources = sourcesOf(command)
      const unread = settings.filter((env) => !sources.includes(`process.env.${env}`))
      assert.deepEqual(unread, [], `${script} reads its settings`)
    })

  test('have unique names', () => {
    assert.equal(new Set(STAGES.map(({ name }) => name)).size, STAGES.length)
  })

  test('fit into the minutes, and keep their least size', () => {
    const full = plan(STAGES, { seed: '1' })
    const short = plan(STAGES, { minutes: 200, seed: '1' })
    const tiny = plan(STAGES, { minutes: 1, seed: '1' })

    const minutesOf = (planned: typeof full) => planned.reduce((sum, one) => sum + one.minutes, 0)
    assert(minutesOf(full) > 300)
    assert(Math.abs(minutesOf(short) - 200) < 10, `${minutesOf(short)} min`)
    for (const { stage, count } of tiny) if (stage.size) assert.equal(count, stage.size.least)
    assert.equal(full.find(({ stage }) => stage.name === 'crash')!.env.CRASH_KILLS, '1500')
    assert.equal(full.find(({ stage }) => stage.name === 'powercut')!.env.POWER_CUTS, '60')
  })
})

/** Real stages by name, whose command is a line of shell. */
function nightOf(folder: string, lines: Record<string, string>, more: Partial<NightOptions> = {}) {
  const told: string[] = []
  const options: NightOptions = {
    folder: path.join(nights, folder),
    stages: Object.keys(lines).map((name) => STAGES.find((stage) => stage.name === name)!),
    seed: '7',
    commit: 'abc',
    signal: new AbortController().signal,
    tell: (line) => told.push(line),
    command: ({ name }: Stage) => ['/bin/sh', '-c', lines[name]!],
    ...more,
  }
  return { told, folder: options.folder, run: () => runNight(options) }
}

const figure = (stage: string, value: number, ok: boolean) =>
  `echo '${JSON.stringify({ kind: 'figure', stage, figure: 'tasks lost', value, unit: '', target: '0', ok })}'` +
  ' >> "$NIGHTLY_FIGURES"'

describe('a night', () => {
  test('passes if every stage passes; its report has the figures', async () => {
    const night = nightOf('good', {
      crash: `${figure('crash', 0, true)}; test $CRASH_KILLS = 1500`,
      races: 'true',
    })

    const isGood = await night.run()

    assert(isGood, night.told.join('\n'))
    const page = readFileSync(path.join(night.folder, 'report.html'), 'utf8')
    assert.match(page, /All 2 stages passed/)
    assert.match(page, /tasks lost/)
    assert.match(page, /P10 [^]*Not run/)
  })

  test('fails if a stage fails, or if a figure misses its target', async () => {
    const failed = nightOf('failed', { crash: 'exit 1', races: 'true' })
    const missed = nightOf('missed', { crash: figure('crash', 3, false) })

    const outcomes = [await failed.run(), await missed.run()]

    assert.deepEqual(outcomes, [false, false])
    assert.deepEqual(
      readState(failed.folder)!.stages.map(({ outcome }) => outcome),
      ['failed', 'passed'],
    )
    assert.match(
      readFileSync(path.join(missed.folder, 'report.html'), 'utf8'),
      /1 figure missed the target/,
    )
  })

  test('stops a stage with all its processes at its time limit, and continues', async () => {
    const file = path.join(nights, 'late')
    const crash = `(sleep 3; touch ${file}) & sleep 60`
    const night = nightOf('stopped', { crash, races: 'true' }, { limitMs: 1000 })

    const isGood = await night.run()
    await sleep(3000)

    assert(!isGood)
    assert.deepEqual(
      readState(night.folder)!.stages.map(({ outcome }) => outcome),
      ['stopped', 'passed'],
    )
    assert(!existsSync(file), 'its background process was stopped, too')
  })

  test('that is interrupted resumes with the stage that it was in', async () => {
    const marks = path.join(nights, 'marks')
    const ending = new AbortController()
    const lines = {
      crash: `echo crash >> ${marks}; ${figure('crash', 0, true)}`,
      powercut: `echo powercut >> ${marks}; test -e ${marks}.again || sleep 60`,
      races: `echo races >> ${marks}`,
    }
    const first = nightOf('resumed', lines, { signal: ending.signal })
    const running = first.run()
    while (!existsSync(marks) || !readFileSync(marks, 'utf8').includes('powercut')) await sleep(50)
    ending.abort()
    await running
    const interrupted = readState(first.folder)!.stages.map(({ outcome }) => outcome)
    const halfway = readFileSync(path.join(first.folder, 'report.html'), 'utf8')

    const again = nightOf('resumed', { ...lines, powercut: `echo powercut >> ${marks}` })
    const isGood = await again.run()

    assert.deepEqual(interrupted, ['passed', 'interrupted', 'waiting'])
    assert.match(halfway, /1 of 3 stages passed; 2 have not run/)
    assert(isGood, again.told.join('\n'))
    assert.deepEqual(readFileSync(marks, 'utf8').trim().split('\n'), [
      'crash',
      'powercut',
      'powercut',
      'races',
    ])
    assert.equal(readReport(first.folder).lines.length, 1, 'the first stage kept its figures')
  })
})

describe('publishing a night', () => {
  test('replaces the marked block, and nothing else', async () => {
    const night = nightOf('published', { crash: figure('crash', 0, true) })
    await night.run()
    const before = 'Above\n<!-- nightly: begin -->\nold\n<!-- nightly: end -->\nbelow\n'

    const once = insert(before, readReport(night.folder))
    const twice = insert(once, readReport(night.folder))

    assert.match(
      once,
      /^Above\n<!-- nightly: begin -->[^]*\| tasks lost \| 0 \| 0 \| met \|[^]*end -->\nbelow\n$/,
    )
    assert(!once.includes('old'))
    assert.equal(twice, once)
  })

  test('refuses a document without the marks', async () => {
    const night = nightOf('unmarked', { crash: 'true' })
    await night.run()

    assert.throws(() => insert('nothing', readReport(night.folder)), /has lost its line/)
  })
})
