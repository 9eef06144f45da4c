/**
 * `npm run compare:media`: our cleaners of recordings against ffmpeg, on the upload corpus, on recordings that play and
 * on damaged copies of them. See docs/decisions/0034-recordings-are-cleaned-by-our-own-code.md.
 *
 *   ours        the media process, as the server runs it
 *   remux       ffmpeg copies picture and sound into a new container; nothing is decoded
 *   re-encode   ffmpeg decodes and encodes anew
 *
 * ffmpeg runs in the cage of the media process, with limits on CPU time and memory. `-- damaged` compares only these
 * files, `-- --small` a few of each, `-- --verbose` lists every file that went wrong.
 */
import { type ChildProcess, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'
import { openCage } from '../../src/files/cage.ts'
import type { Report } from '../../src/files/media-child.ts'
import { type Form, sniff } from '../../src/files/sniff.ts'
import { corpus, MARKER, type Sample } from './corpus.ts'
import { damage, recordings, TAKEN_AT_BYTES } from './recordings.ts'

const CHILD = path.join(import.meta.dirname, '../../src/files/media-child.ts')
const CLEANERS = ['ours', 'remux', 're-encode'] as const
type Cleaner = (typeof CLEANERS)[number]

const SEED = 20_260_304
const TIMEOUT_MS = 20_000
const CPU_MAX_S = { remux: 3, 're-encode': 15, play: 15 }
const MEMORY_MAX_BYTES = 1_073_741_824

/** Only the demuxer and the muxer of the detected format may run. */
const FORMATS: Partial<Record<Form, { demuxer: string; muxer: string[]; encode: string }>> = {
  mp4: {
    demuxer: 'mov',
    muxer: ['-f', 'mp4', '-movflags', '+faststart'],
    encode: '-c:v libx264 -preset veryfast -crf 26 -c:a aac',
  },
  webm: {
    demuxer: 'matroska',
    muxer: ['-f', 'webm'],
    encode: '-c:v libvpx -deadline realtime -cpu-used 8 -b:v 1M -c:a libopus',
  },
  mp3: {
    demuxer: 'mp3',
    muxer: ['-f', 'mp3', '-id3v2_version', '0', '-write_id3v1', '0'],
    encode: '-c:a libmp3lame -q:a 4',
  },
  wav: { demuxer: 'wav', muxer: ['-f', 'wav'], encode: '-c:a pcm_s16le' },
  ogg: { demuxer: 'ogg', muxer: ['-f', 'ogg'], encode: '-c:a libopus' },
}
const WORDS = [MARKER, '48.8584', '\xa9xyz', '<script', 'ID3\x03', 'ID3\x04'].flatMap((word) => [
  Buffer.from(word, 'latin1'),
  Buffer.from(word, 'utf16le'),
])

interface Result {
  fate: 'cleaned' | 'refused' | 'crashed' | 'killed'
  why: string
  bytes: Buffer
  cpuMs: number
  peakMb: number
}

interface Row extends Result {
  sample: Sample
  leaks: string[]
  /** Undefined where the original doesn't play either. */
  plays: boolean | undefined
  isSame: boolean | undefined
}

const NOTHING = { why: '', bytes: Buffer.alloc(0), cpuMs: 0, peakMb: 0 }

const isSmall = process.argv.includes('--small')
const only = process.argv.slice(2).filter((word) => !word.startsWith('--'))
const isVerbose = process.argv.includes('--verbose')
if (!(await run(['ffmpeg', '-version'])).isOk) {
  console.error('ffmpeg is not installed: apt-get install --no-install-recommends ffmpeg')
  process.exit(1)
}
const { command: cage, hasNamespaces } = await openCage()
const folder = await mkdtemp(path.join(os.tmpdir(), 'legwork-compare-'))
const [input, output] = [path.join(folder, 'in'), path.join(folder, 'out')]
let child: ChildProcess | undefined

try {
  const uploads = (await corpus()).filter(({ kind }) => kind !== 'photo')
  const playing = recordings()
  const originals = isSmall ? playing.filter((_, i) => i % 8 === 0) : playing
  const damaged = damage(originals, { each: isSmall ? 4 : 8, seed: SEED })
  console.log(
    `${uploads.length} files of the corpus, ${originals.length} that play, ${damaged.length} damaged copies; ` +
      `${hasNamespaces ? 'no network' : 'NO NAMESPACES HERE'}, seed ${SEED}`,
  )
  for (const [name, samples, cleaners] of [
    ['corpus', uploads, ['ours', 'remux']],
    ['playing', originals, CLEANERS],
    ['damaged', damaged, ['ours', 'remux']],
  ] as const)
    if (only.length === 0 || only.includes(name))
      report(name, await compare(samples, cleaners, name === 'playing'))
} finally {
  child?.kill('SIGKILL')
  await rm(folder, { recursive: true })
}

async function compare(
  samples: readonly Sample[],
  cleaners: readonly Cleaner[],
  /** Whether the files can be decoded, and must be the same afterwards. */
  isDecoded: boolean,
) {
  const rows = new Map<Cleaner, Row[]>(cleaners.map((cleaner) => [cleaner, []]))
  for (const sample of samples) {
    await writeFile(input, sample.bytes)
    const form = await sniff(sample.bytes, sample.kind).catch(() => undefined)
    const format = form === undefined ? undefined : FORMATS[form]
    const hashes = isDecoded && format ? await play(input, format.demuxer) : undefined
    for (const cleaner of cleaners) {
      await rm(output, { force: true })
      const result =
        cleaner === 'ours'
          ? await ours(sample)
          : format === undefined
            ? { ...NOTHING, fate: 'refused' as const, why: 'format' }
            : await ffmpeg(cleaner, format)
      const isCleaned = result.fate === 'cleaned'
      const after = isCleaned && hashes && format ? await play(output, format.demuxer) : undefined
      rows.get(cleaner)!.push({
        ...result,
        sample,
        leaks: isCleaned ? leaks(result.bytes) : [],
        plays: isCleaned && hashes ? after !== undefined : undefined,
        isSame: isCleaned && hashes && cleaner !== 're-encode' ? after === hashes : undefined,
      })
    }
  }
  return rows
}

/** The media process, without its parent, because we want the CPU time and memory of each file. */
async function ours({ kind }: Sample): Promise<Result> {
  child ??= await startChild()
  // Resets the peak that VmHWM counts.
  await writeFile(`/proc/${child.pid}/clear_refs`, '5')
  const over = new AbortController()
  const { signal } = over
  const ended = Promise.race([
    once(child, 'message', { signal }).then(([message]) => message as Report),
    once(child, 'exit', { signal }).then(() => 'crashed' as const),
    setTimeout(TIMEOUT_MS, 'killed' as const, { signal }),
  ])
  child.send({ file: input, output, kind })
  const report = await ended
  over.abort()
  if (typeof report === 'string') {
    child.kill('SIGKILL')
    child = undefined
    return { ...NOTHING, fate: report }
  }
  const status = await readFile(`/proc/${child.pid}/status`, 'utf8')
  const peakMb = Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) / 1024
  const cpuMs = 'cpuMs' in report ? report.cpuMs : 0
  if ('refused' in report)
    return { ...NOTHING, fate: 'refused', why: report.refused, cpuMs, peakMb }
  if (!('outcome' in report)) return { ...NOTHING, fate: 'crashed', why: JSON.stringify(report) }
  return { ...NOTHING, fate: 'cleaned', bytes: await readFile(output), cpuMs, peakMb }
}

async function startChild(): Promise<ChildProcess> {
  const [program, ...args] = [...cage, process.execPath]
  const started = fork(CHILD, [], { execPath: program!, execArgv: args, env: { TZ: 'UTC' } })
  await once(started, 'message')
  return started
}

async function ffmpeg(
  cleaner: 'remux' | 're-encode',
  { demuxer, muxer, encode }: NonNullable<(typeof FORMATS)[Form]>,
): Promise<Result> {
  const codecs = cleaner === 'remux' ? ['-c', 'copy'] : encode.split(' ')
  const { isOk, signal, stderr } = await run(
    caged(CPU_MAX_S[cleaner], [
      ...`-loglevel info -nostats -benchmark -protocol_whitelist file,pipe -f ${demuxer}`.split(
        ' ',
      ),
      '-i',
      input,
      ...'-map 0:V? -map 0:a? -sn -dn -map_metadata -1 -map_chapters -1'.split(' '),
      ...'-fflags +bitexact -flags +bitexact'.split(' '),
      ...codecs,
      ...muxer,
      output,
    ]),
  )
  const [, user, system] = /utime=([\d.]+)s stime=([\d.]+)s/.exec(stderr) ?? []
  const cpuMs = (Number(user ?? 0) + Number(system ?? 0)) * 1000
  const peakMb = Number(/maxrss=(\d+)/.exec(stderr)?.[1] ?? 0) / 1024
  if (isOk) return { fate: 'cleaned', why: '', bytes: await readFile(output), cpuMs, peakMb }
  const fate =
    signal === null ? 'refused' : ['SIGKILL', 'SIGXCPU'].includes(signal) ? 'killed' : 'crashed'
  return { ...NOTHING, fate, why: signal ?? stderr.match(/^(?!bench).+$/gm)?.at(-1) ?? '' }
}

/** Decodes everything; returns a hash of picture and sound, or undefined if a decoder complains. */
async function play(file: string, demuxer: string): Promise<string | undefined> {
  const { isOk, stdout, stderr } = await run(
    caged(CPU_MAX_S.play, [
      ...`-xerror -f ${demuxer} -i`.split(' '),
      file,
      ...'-map 0:V? -map 0:a? -f streamhash -hash md5 -'.split(' '),
    ]),
  )
  return isOk && stderr.trim() === '' ? stdout : undefined
}

function caged(cpuMaxS: number, args: string[]): string[] {
  return [
    ...cage,
    ...`prlimit --cpu=${cpuMaxS} --as=${MEMORY_MAX_BYTES} --`.split(' '),
    ...'ffmpeg -nostdin -hide_banner -loglevel error -threads 1'.split(' '),
    ...args,
  ]
}

async function run([program, ...args]: string[]) {
  const started = spawn(program!, args, { timeout: TIMEOUT_MS, killSignal: 'SIGKILL' })
  const ended = once(started, 'close').catch(() => [1, null])
  const [stdout, stderr] = await Promise.all([text(started.stdout), text(started.stderr)])
  const [code, signal] = (await ended) as [number | null, NodeJS.Signals | null]
  return { isOk: code === 0, signal, stdout, stderr }
}

function leaks(bytes: Buffer): string[] {
  return [
    ...WORDS.filter((word) => bytes.includes(word)).map((word) => word.toString('latin1')),
    ...TAKEN_AT_BYTES.filter((time) => bytes.includes(time)).map(() => 'time of recording'),
  ]
}

function report(name: string, rows: Map<Cleaner, Row[]>): void {
  const count = (of: Row[], is: (row: Row) => boolean | undefined) => of.filter(is).length
  const isWrong = ({ fate, sample }: Row) =>
    (fate !== 'cleaned' && sample.expect === 'accepted') || fate === 'crashed' || fate === 'killed'
  const isBad = (row: Row) =>
    isWrong(row) || row.leaks.length > 0 || row.plays === false || row.isSame === false
  console.log(`\n| ${name} | ${[...rows.keys()].join(' | ')} |`)
  console.log(`|---|${[...rows].map(() => '---|').join('')}`)
  const line = (what: string, value: (of: Row[]) => string | number) =>
    console.log(`| ${what} | ${[...rows.values()].map(value).join(' | ')} |`)
  line('files', (of) => of.length)
  line('cleaned', (of) => count(of, ({ fate }) => fate === 'cleaned'))
  line('refused', (of) => count(of, ({ fate }) => fate === 'refused'))
  line('refused, though expected to be accepted', (of) =>
    count(of, ({ fate, sample }) => fate === 'refused' && sample.expect === 'accepted'),
  )
  line('accepted, though expected to be refused', (of) =>
    count(of, ({ fate, sample }) => fate === 'cleaned' && sample.expect === 'refused'),
  )
  line('cleaned with something left behind', (of) => count(of, (row) => row.leaks.length > 0))
  line('crashed', (of) => count(of, ({ fate }) => fate === 'crashed'))
  line('killed for time or memory', (of) => count(of, ({ fate }) => fate === 'killed'))
  line('played before, no longer after', (of) => count(of, ({ plays }) => plays === false))
  line('plays, but picture or sound changed', (of) =>
    count(of, ({ plays, isSame }) => plays === true && isSame === false),
  )
  const cleaned = (of: Row[]) => of.filter(({ fate }) => fate === 'cleaned')
  line('size of the result, median', (of) =>
    percent(median(cleaned(of).map(({ bytes, sample }) => bytes.length / sample.bytes.length))),
  )
  line('CPU time, median and most', (of) => {
    const times = cleaned(of).map(({ cpuMs }) => cpuMs)
    return `${Math.round(median(times))}, ${Math.round(Math.max(0, ...times))} ms`
  })
  line('memory, most', (of) => `${Math.round(Math.max(0, ...of.map(({ peakMb }) => peakMb)))} MB`)
  for (const [cleaner, of] of rows)
    for (const row of of.filter((one) => isBad(one)).slice(0, isVerbose ? Infinity : 40))
      console.log(
        `  ${cleaner}: ${row.sample.name}: ${row.fate} ${row.why.replaceAll(/\s+/g, ' ')}` +
          `${row.leaks.length > 0 ? ` leaks ${row.leaks.join(', ')}` : ''}` +
          `${row.plays === false ? ' does not play' : row.isSame === false ? ' changed' : ''}`,
      )
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0
}

function percent(part: number): string {
  return `${Math.round(part * 100)} %`
}
