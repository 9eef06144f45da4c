import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { after, describe, test } from 'node:test'
import exifr from 'exifr'
import sharp from 'sharp'
import { CREATED_BYTES, corpus, MARKER, picture, type Sample } from '../../test/files/corpus.ts'
import { openMedia } from './media.ts'
import type { Outcome } from './media-child.ts'
import { FileRefused } from './refused.ts'

const CPU_MAX_MS = 3000
const RSS_MAX_MB = 300

const folder = await mkdtemp(path.join(os.tmpdir(), 'legwork-corpus-'))
const media = openMedia({ processes: 2, timeoutMs: CPU_MAX_MS, rssMaxMb: RSS_MAX_MB })
after(async () => {
  await media.close()
  await rm(folder, { recursive: true })
})
const samples = await corpus()
const bytes = await picture(11)
let files = 0

async function clean({ bytes, kind }: Pick<Sample, 'bytes' | 'kind'>, process = media) {
  files += 1
  const [file, output] = [path.join(folder, `${files}`), path.join(folder, `${files}.out`)]
  await writeFile(file, bytes)
  try {
    const outcome = await process.clean({ file, output, kind })
    return { outcome, cleaned: await readFile(output), refusal: undefined }
  } catch (error) {
    if (!(error instanceof FileRefused)) throw error
    return { outcome: undefined, cleaned: undefined, refusal: error.message }
  }
}

/** Lists private data that a file still contains. Also run on the original, to prove that it detects leaks. */
async function leaks(bytes: Buffer): Promise<string[]> {
  const text = bytes.toString('latin1')
  const position = await exifr.gps(bytes).catch(() => undefined)
  const about = await sharp(bytes)
    .metadata()
    .catch(() => undefined)
  return [
    ...[MARKER, 'GPSLatitude', '48.8584', '\xa9xyz', '<script', 'ID3\x03', 'Photoshop'].filter(
      (word) => text.includes(word),
    ),
    ...(bytes.includes(CREATED_BYTES) ? ['a time'] : []),
    ...(position === undefined ? [] : ['a position']),
    ...(['exif', 'xmp', 'iptc', 'icc'] as const).filter((name) => about?.[name] !== undefined),
  ]
}

async function assertDecodes({ kind, content_type, width, height }: Outcome, cleaned: Buffer) {
  if (kind === 'photo') {
    assert.ok(['image/jpeg', 'image/png'].includes(content_type), content_type)
    const { info } = await sharp(cleaned, { failOn: 'warning' })
      .raw()
      .toBuffer({ resolveWithObject: true })
    assert.deepEqual([info.width, info.height], [width, height])
    assert.ok(info.width <= 4096 && info.height <= 4096)
  } else {
    const again = await clean({ kind, bytes: cleaned })
    assert.ok(again.cleaned?.equals(cleaned), 'cleaning again changes nothing')
    assert.equal(again.outcome?.content_type, content_type)
  }
}

describe('an uploaded file', () => {
  test('is tested with more than 60 samples of every kind', () => {
    const by = Object.groupBy(samples, ({ expect }) => expect)

    assert.ok(samples.length >= 140, String(samples.length))
    assert.ok(by.accepted!.length >= 50 && by.refused!.length >= 70)
    assert.equal(new Set(samples.map(({ name }) => name)).size, samples.length)
  })

  for (const sample of samples) {
    const fate = { accepted: 'is accepted and clean', refused: 'is refused', any: 'does no harm' }
    test(`${sample.name}: ${fate[sample.expect]}`, async () => {
      const { outcome, cleaned, refusal } = await clean(sample)

      if (sample.expect === 'accepted') assert.equal(refusal, undefined)
      if (sample.expect === 'refused') assert.match(refusal ?? 'taken', /^(is|has|takes|needs) .+/)
      if (cleaned) {
        assert.deepEqual(await leaks(cleaned), [])
        await assertDecodes(outcome, cleaned)
      }
    })
  }

  test('control: the same inspection finds something in every tainted original', async () => {
    const tainted = samples.filter(({ isTainted }) => isTainted)

    const found = await Promise.all(
      tainted.map(async ({ name, bytes }) => ({ name, leaks: await leaks(bytes) })),
    )

    assert.ok(tainted.length >= 40, String(tainted.length))
    assert.deepEqual(
      found.filter((one) => one.leaks.length === 0),
      [],
    )
    assert.ok(found.filter((one) => one.leaks.includes('a position')).length >= 2)
  })

  test('takes at most 3 s of CPU time and 300 MB', (t) => {
    const { peakRssMb, slowestCpuMs, killed } = media.use()

    t.diagnostic(
      `slowest ${Math.round(slowestCpuMs)} ms, most memory ${Math.round(peakRssMb)} MB, killed ${killed}`,
    )
    assert.ok(slowestCpuMs > 0 && slowestCpuMs <= CPU_MAX_MS, `${slowestCpuMs} ms`)
    assert.ok(peakRssMb > 0 && peakRssMb <= RSS_MAX_MB, `${peakRssMb} MB`)
  })
})

describe('a photo', () => {
  const of = (name: string) => samples.find((sample) => sample.name === name)!

  for (const name of [
    'jpeg with a position in EXIF',
    'png with a position in eXIf',
    'webp with a position in EXIF',
  ])
    test(`${name}: place and time are kept as evidence`, async () => {
      const { outcome } = await clean(of(name))

      assert.equal(outcome?.evidence.lat, 48.8584)
      assert.equal(outcome?.evidence.lng, 2.2945)
      assert.equal(outcome?.evidence.taken_at, '2026-11-02T09:30:00.000Z')
    })

  test('that is rotated is turned upright', async () => {
    const { outcome } = await clean(of('jpeg, lying on its side'))

    assert.deepEqual([outcome?.width, outcome?.height], [480, 640])
  })

  test('with transparency stays PNG; all others become JPEG', async () => {
    const clear = await clean(of('webp, transparent'))
    const other = await clean(of('png'))

    assert.equal(clear.outcome?.content_type, 'image/png')
    assert.equal((await sharp(clear.cleaned).metadata()).hasAlpha, true)
    assert.equal(other.outcome?.content_type, 'image/jpeg')
  })

  test('is scaled to at most 4096 pixels a side', async () => {
    const { outcome } = await clean({ kind: 'photo', bytes: await picture(9, 6000, 4500) })

    assert.deepEqual([outcome?.width, outcome?.height], [4096, 3072])
  })

  test('of 27 million pixels can be processed ten times in a row without running out of memory', async () => {
    const bytes = await picture(11, 6000, 4500)

    for (let i = 0; i < 10; i += 1) {
      const { outcome } = await clean({ kind: 'photo', bytes })
      assert.equal(outcome?.width, 4096, `photo ${i + 1}`)
    }
  })

  test('is measured: dark, blurred and sharp ones differ', async () => {
    const source = await picture(10)
    const [sharpOne, dark, blurred] = await Promise.all(
      [
        sharp(source).jpeg(),
        sharp(source).linear(0.08, 0).jpeg(),
        sharp(source).blur(12).jpeg(),
      ].map(async (image) => clean({ kind: 'photo', bytes: await image.toBuffer() })),
    )

    assert.ok(dark!.outcome!.evidence.brightness! < 25)
    assert.ok(sharpOne!.outcome!.evidence.brightness! > 50)
    assert.ok(blurred!.outcome!.evidence.sharpness! < 0.3)
    assert.ok(sharpOne!.outcome!.evidence.sharpness! > 1)
  })

  test('of one color has no fingerprint, because it would match every other one', async () => {
    const black = sharp({ create: { width: 64, height: 64, channels: 3, background: 'black' } })

    const { outcome } = await clean({ kind: 'photo', bytes: await black.png().toBuffer() })

    assert.equal(outcome?.dhash, undefined)
  })
})

describe('a recording', () => {
  const of = (name: string) => samples.find((sample) => sample.name === name)!

  test('keeps its file layout where possible, for players that seek', async () => {
    for (const name of ['mp4 with ©xyz', 'webm with tags', 'ogg of Opus with comments']) {
      const { cleaned } = await clean(of(name))

      assert.equal(cleaned?.length, of(name).bytes.length, name)
    }
  })

  for (const [name, seconds] of [
    ['mp4', 12.3],
    ['webm', 4.2],
    ['mp3', 1],
    ['wav', 1],
    ['ogg of Opus', 3],
  ] as const)
    test(`${name}: its duration is known`, async () => {
      const { outcome } = await clean(of(name))

      assert.equal(outcome?.evidence.duration_s, seconds)
    })

  test('keeps its place and time as evidence', async () => {
    const { outcome } = await clean(of('mp4 with ©xyz'))

    assert.deepEqual([outcome?.evidence.lat, outcome?.evidence.lng], [48.8584, 2.2945])
    assert.equal(outcome?.evidence.taken_at, '2026-08-19T16:00:00.000Z')
  })
})

describe('the media process', () => {
  test('is killed when a file takes too long, and the next file gets a new one', async () => {
    const hasty = openMedia({ processes: 1, timeoutMs: 1, rssMaxMb: RSS_MAX_MB })

    const first = await clean({ kind: 'photo', bytes: await picture(12, 5000, 4000) }, hasty)
    const second = await clean({ kind: 'photo', bytes: await picture(13, 5000, 4000) }, hasty)

    assert.match(first.refusal ?? '', /^takes too long/)
    assert.match(second.refusal ?? '', /^takes too long/)
    assert.equal(hasty.use().killed, 2)
    await hasty.close()
  })

  test('is killed when a file needs too much memory', async () => {
    const tight = openMedia({ processes: 1, timeoutMs: CPU_MAX_MS, rssMaxMb: 40 })

    const { refusal } = await clean({ kind: 'photo', bytes: await picture(14, 5000, 4000) }, tight)

    assert.match(refusal ?? '', /^needs too much memory/)
    await tight.close()
  })

  test('stays near 300 MB, whatever a picture needs', async (t) => {
    const usual = openMedia({ processes: 1, timeoutMs: CPU_MAX_MS, rssMaxMb: RSS_MAX_MB })
    const plain = sharp({ create: { width: 8000, height: 5000, channels: 3, background: '#37a' } })
    const interlaced = await plain.png({ progressive: true }).toBuffer()

    const { refusal } = await clean({ kind: 'photo', bytes: interlaced }, usual)
    const { peakRssMb } = usual.use()
    await usual.close()

    t.diagnostic(`${Math.round(peakRssMb)} MB, ${refusal ?? 'taken'}`)
    assert.ok(refusal === undefined || refusal.startsWith('needs too much memory'), refusal)
    assert.ok(peakRssMb < RSS_MAX_MB * 1.3, `${peakRssMb} MB`)
  })

  test('processes files one after the other, and ends with the server', async () => {
    const single = openMedia({ processes: 1, timeoutMs: CPU_MAX_MS, rssMaxMb: RSS_MAX_MB })

    const all = await Promise.all(
      Array.from({ length: 6 }, () => clean({ kind: 'photo', bytes }, single)),
    )
    await single.close()

    assert.ok(all.every(({ outcome }) => outcome?.width === 640))
    await assert.rejects(clean({ kind: 'photo', bytes }, single), { code: 'unavailable' })
  })

  test('503 if too many files are waiting', async () => {
    const single = openMedia({ processes: 1, timeoutMs: CPU_MAX_MS, rssMaxMb: RSS_MAX_MB })

    const all = await Promise.allSettled(
      Array.from({ length: 105 }, () => clean({ kind: 'photo', bytes: Buffer.from('x') }, single)),
    )
    await single.close()

    const busy = all.filter(({ status }) => status === 'rejected')
    assert.ok(busy.length >= 1 && busy.length <= 4, String(busy.length))
  })

  test('does not inherit our environment', async () => {
    const { spawnSync } = await import('node:child_process')
    const probe = openMedia({ processes: 1, timeoutMs: CPU_MAX_MS, rssMaxMb: RSS_MAX_MB })
    await clean({ kind: 'photo', bytes }, probe)

    const children = spawnSync('cat', [`/proc/${process.pid}/task/${process.pid}/children`])
    const environments = await Promise.all(
      children.stdout
        .toString()
        .trim()
        .split(' ')
        .map((pid) => readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '')),
    )
    await probe.close()

    const ours = environments.filter((text) => text.includes('MALLOC_ARENA_MAX'))
    assert.ok(ours.length > 0)
    assert.ok(ours.every((text) => !text.includes('TEST_DATABASE_URL')))
  })
})
