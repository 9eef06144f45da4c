/**
 * Recordings that play, made by ffmpeg, with metadata in every place that programs use, and damaged copies of them. For
 * `npm run compare:media`; the corpus of the tests needs no ffmpeg.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { Kind } from '../../src/files/sniff.ts'
import { MARKER, type Sample } from './corpus.ts'

/** Written into every file that can hold it; found again in the bytes. */
const TAKEN_AT = new Date('2026-03-04T05:06:07Z')
const PLACE = '+48.8584+002.2945/'

const SECONDS_1904_TO_1970 = 2_082_844_800
const SECONDS_1970_TO_2001 = 978_307_200
/** TAKEN_AT as MP4 and as Matroska write it. */
export const TAKEN_AT_BYTES = [uint32(takenAt() + SECONDS_1904_TO_1970), dateUtc()]

const VIDEO = '-f lavfi -i testsrc=size=160x120:rate=10:duration=1'
const SOUND = '-f lavfi -i sine=frequency=440:duration=1'
const H264 = '-c:v libx264 -preset ultrafast -bf 2 -pix_fmt yuv420p'
const AAC = '-c:a aac -b:a 64k'
const VP8 = '-c:v libvpx -deadline realtime -cpu-used 8 -b:v 100k'
const VP9 = '-c:v libvpx-vp9 -deadline realtime -cpu-used 8 -b:v 100k'
const UUID = '086f3693-b7b3-4f2c-9653-21492feee5b8'

/** `chapters` and `subtitles` are files with text in them, `cover` is a picture. */
const RECIPES: [name: string, kind: Kind, extension: string, args: string][] = [
  ['mp4', 'video', 'mp4', `${VIDEO} ${SOUND} ${H264} ${AAC}`],
  ['mp4, index first', 'video', 'mp4', `${VIDEO} ${SOUND} ${H264} ${AAC} -movflags faststart`],
  [
    'mp4 with tags of Apple',
    'video',
    'mp4',
    `${VIDEO} ${SOUND} ${H264} ${AAC} -movflags use_metadata_tags -metadata com.apple.quicktime.make=${MARKER}`,
  ],
  [
    'mp4 in fragments',
    'video',
    'mp4',
    `${VIDEO} ${SOUND} ${H264} ${AAC} -movflags frag_keyframe+empty_moov+default_base_moof`,
  ],
  [
    'mp4 in fragments, old style',
    'video',
    'mp4',
    `${VIDEO} ${SOUND} ${H264} ${AAC} -g 3 -movflags frag_keyframe`,
  ],
  [
    'mp4 in fragments with the time of recording',
    'video',
    'mp4',
    `${VIDEO} ${SOUND} ${H264} ${AAC} -g 3 -movflags dash+frag_keyframe -write_prft wallclock`,
  ],
  [
    'mp4 with chapters',
    'video',
    'mp4',
    `${VIDEO} ${SOUND} -i chapters -map_chapters 2 ${H264} ${AAC}`,
  ],
  [
    'mp4 with subtitles',
    'video',
    'mp4',
    `${VIDEO} ${SOUND} -i subtitles -map 0 -map 1 -map 2 ${H264} ${AAC} -c:s mov_text`,
  ],
  [
    'mp4 with a time code',
    'video',
    'mp4',
    `${VIDEO} ${SOUND} ${H264} ${AAC} -timecode 01:02:03:04`,
  ],
  [
    'mp4 with text inside the coded picture',
    'video',
    'mp4',
    `${VIDEO} ${H264} -bsf:v h264_metadata=sei_user_data=${UUID}+${MARKER}`,
  ],
  ['m4a', 'audio', 'm4a', `${SOUND} ${AAC} -f ipod`],
  [
    'm4a with a cover',
    'audio',
    'm4a',
    `${SOUND} -i cover -map 0 -map 1 ${AAC} -c:v copy -disposition:v attached_pic -f ipod`,
  ],
  ['webm of VP8 and Vorbis', 'video', 'webm', `${VIDEO} ${SOUND} ${VP8} -c:a libvorbis`],
  ['webm of VP9 and Opus', 'video', 'webm', `${VIDEO} ${SOUND} ${VP9} -c:a libopus`],
  ['webm of Opus', 'audio', 'webm', `${SOUND} -c:a libopus`],
  ['webm, live', 'video', 'webm', `${VIDEO} ${SOUND} ${VP8} -c:a libopus -live 1`],
  ['webm with chapters', 'video', 'webm', `${VIDEO} -i chapters -map_chapters 1 ${VP8}`],
  [
    'webm with subtitles',
    'video',
    'webm',
    `${VIDEO} -i subtitles -map 0 -map 1 ${VP8} -c:s webvtt`,
  ],
  ['mp3', 'audio', 'mp3', `${SOUND} -c:a libmp3lame -write_id3v1 1`],
  ['mp3 of a variable rate', 'audio', 'mp3', `${SOUND} -c:a libmp3lame -q:a 4 -id3v2_version 3`],
  [
    'mp3 with a cover',
    'audio',
    'mp3',
    `${SOUND} -i cover -map 0 -map 1 -c:a libmp3lame -c:v copy -write_apetag 1`,
  ],
  ['wav', 'audio', 'wav', `${SOUND} -c:a pcm_s16le -write_bext 1`],
  ['wav of 24 bits', 'audio', 'wav', `${SOUND} -c:a pcm_s24le`],
  ['ogg of Opus', 'audio', 'ogg', `${SOUND} -c:a libopus`],
  ['ogg of Vorbis', 'audio', 'ogg', `${SOUND} -i chapters -map_chapters 1 -c:a libvorbis`],
]

const TAGS = ['title', 'artist', 'comment', 'author', 'description', 'originator', 'make'].flatMap(
  (name) => ['-metadata', `${name}=${MARKER}`],
)
const STREAM_TAGS = ['title', 'handler_name', 'comment'].flatMap((name) => [
  '-metadata:s',
  `${name}=${MARKER}`,
])
const OTHER_TAGS = ['-metadata', `location=${PLACE}`, '-metadata', `location-eng=${PLACE}`]
const TIME_TAGS = ['', ':s:v', ':s:a'].flatMap((where) => [
  `-metadata${where}`,
  `creation_time=${TAKEN_AT.toISOString()}`,
])

/** Every recording once without metadata and once with it, and again with data planted where ffmpeg writes none. */
export function recordings(): Sample[] {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'legwork-recordings-'))
  const file = (name: string) => path.join(folder, name)
  try {
    writeFileSync(
      file('chapters'),
      `;FFMETADATA1\n[CHAPTER]\nTIMEBASE=1/1000\nSTART=0\nEND=1000\ntitle=${MARKER}\n`,
    )
    writeFileSync(file('subtitles'), `1\n00:00:00,000 --> 00:00:01,000\n${MARKER}\n`)
    make([
      '-f',
      'lavfi',
      '-i',
      'color=red:size=16x16',
      '-frames:v',
      '1',
      '-f',
      'image2',
      file('c.png'),
    ])
    const samples = RECIPES.map(([name, kind, extension, recipe]): Sample => {
      const args = recipe
        .split(' ')
        .map((word) =>
          word === 'cover'
            ? file('c.png')
            : word === 'chapters' || word === 'subtitles'
              ? file(word)
              : word,
        )
      const output = file(`made.${extension}`)
      make([...args, ...TAGS, ...STREAM_TAGS, ...OTHER_TAGS, ...TIME_TAGS, output])
      const bytes = readFileSync(output)
      return { name: `playing: ${name}`, kind, bytes, expect: 'accepted', isTainted: true }
    })
    return [...samples, ...planted(samples)]
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function make(args: string[]): void {
  const { status, stderr } = spawnSync(
    'ffmpeg',
    ['-nostdin', '-hide_banner', '-loglevel', 'error', '-y', ...args],
    { encoding: 'utf8' },
  )
  if (status !== 0) throw new Error(`ffmpeg ${args.join(' ')}: ${stderr}`)
}

/** Data in places that no ordinary program reads, and that a program may write all the same. */
function planted(samples: Sample[]): Sample[] {
  const of = (name: string) => samples.find((sample) => sample.name === `playing: ${name}`)!
  const text = Buffer.from(`${MARKER} ${PLACE}`)
  const mp4 = (where: string, planting: (bytes: Buffer) => Buffer): Sample => ({
    ...of('mp4'),
    name: `playing: mp4 with text ${where}`,
    bytes: planting(of('mp4').bytes),
  })
  const webm = (where: string, planting: (bytes: Buffer) => Buffer): Sample => ({
    ...of('webm of VP9 and Opus'),
    name: `playing: webm with text ${where}`,
    bytes: planting(of('webm of VP9 and Opus').bytes),
  })
  const insideBox =
    (...names: string[]) =>
    (bytes: Buffer) =>
      insertBox(bytes, names, box('lgwk', text))
  const insideElement =
    (id: string, ...ids: string[]) =>
    (bytes: Buffer) =>
      insertElement(bytes, ids, element(id, text))
  return [
    mp4('in an unknown box of the index', insideBox('moov')),
    mp4('in an unknown box of a track', insideBox('moov', 'trak')),
    mp4('in an unknown box of the sample table', insideBox('moov', 'trak', 'mdia', 'minf', 'stbl')),
    mp4('in an address of the data', insideBox('moov', 'trak', 'mdia', 'minf', 'dinf')),
    mp4('between the frames', (bytes) => {
      // The data come before the index, so only the length of `mdat` changes.
      const moov = bytes.indexOf('moov') - 4
      const copy = Buffer.concat([bytes.subarray(0, moov), text, bytes.subarray(moov)])
      const mdat = copy.indexOf('mdat') - 4
      copy.writeUInt32BE(copy.readUInt32BE(mdat) + text.length, mdat)
      return copy
    }),
    mp4('in free space', (bytes) => Buffer.concat([bytes, box('skip', text)])),
    webm('in the header', insideElement('ec', '1a45dfa3')),
    webm('in an attachment', insideElement('1941a469', '18538067')),
    webm('in the list of tracks', insideElement('ec', '18538067', '1654ae6b')),
    webm('in an unknown element of a track', insideElement('4ff1', '18538067', '1654ae6b', 'ae')),
    webm('in the name of a codec', insideElement('258688', '18538067', '1654ae6b', 'ae')),
    webm('in the name of the program', insideElement('5741', '18538067', '1549a966')),
    webm('between the frames', insideElement('ec', '18538067', '1f43b675')),
    webm('in the index', insideElement('ec', '18538067', '1c53bb6b')),
  ]
}

export interface Damaged extends Sample {
  /** The recording that was damaged. */
  of: string
}

/** Copies that break off, have flipped bits, or promise huge lengths. The seed makes each run the same. */
export function damage(
  samples: Sample[],
  { each, seed }: { each: number; seed: number },
): Damaged[] {
  let state = seed
  const below = (limit: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * limit)
  }
  return samples.flatMap((sample) =>
    Array.from({ length: each }, (_, i): Damaged => {
      const { bytes, name } = sample
      const way = ['cut', 'bits', 'length', 'repeated'][i % 4]!
      const copy = Buffer.from(way === 'cut' ? bytes.subarray(0, below(bytes.length)) : bytes)
      // Half of the changes hit the first or the last kilobyte, which contain the file's structure.
      const at = () => {
        const near = below(Math.min(1024, copy.length - 8))
        return [near, copy.length - 8 - near, below(copy.length - 8)][below(3)]!
      }
      if (way === 'bits') for (let k = 0; k < 8; k += 1) copy[at()]! ^= 1 << below(8)
      if (way === 'length') copy.writeUInt32BE([0xffffffff, 0x7fffffff, 0, 1][below(4)]!, at())
      if (way === 'repeated') copy.copy(copy, at(), at(), at())
      return { ...sample, name: `${name}, ${way} ${i}`, of: name, bytes: copy, expect: 'any' }
    }),
  )
}

function box(name: string, body: Buffer): Buffer {
  return Buffer.concat([uint32(body.length + 8), Buffer.from(name, 'latin1'), body])
}

/** Appends a box to the first container of these names, and lengthens all of them. */
function insertBox(bytes: Buffer, names: string[], piece: Buffer): Buffer {
  let at = 0
  let end = bytes.length
  const starts = names.map((name) => {
    while (bytes.toString('latin1', at + 4, at + 8) !== name) at += bytes.readUInt32BE(at)
    const start = at
    end = start + bytes.readUInt32BE(start)
    at += 8
    return start
  })
  const copy = Buffer.concat([bytes.subarray(0, end), piece, bytes.subarray(end)])
  for (const start of starts) copy.writeUInt32BE(copy.readUInt32BE(start) + piece.length, start)
  return copy
}

function element(id: string, body: Buffer): Buffer {
  return Buffer.concat([
    Buffer.from(id, 'hex'),
    Buffer.from([1, 0, 0, 0]),
    uint32(body.length),
    body,
  ])
}

/** Appends an element to the first container of these ids; their lengths are written anew. */
function insertElement(bytes: Buffer, ids: string[], piece: Buffer): Buffer {
  const [id, ...rest] = ids
  if (id === undefined) return Buffer.concat([bytes, piece])
  let at = 0
  for (;;) {
    const idLength = Math.clz32(bytes[at]!) - 23
    const sizeLength = Math.clz32(bytes[at + idLength]!) - 23
    const body = at + idLength + sizeLength
    let size = bytes[at + idLength]! & (0xff >> sizeLength)
    for (let i = at + idLength + 1; i < body; i += 1) size = size * 256 + bytes[i]!
    if (bytes.toString('hex', at, at + idLength) === id) {
      const inner = insertElement(bytes.subarray(body, body + size), rest, piece)
      return Buffer.concat([bytes.subarray(0, at), element(id, inner), bytes.subarray(body + size)])
    }
    at = body + size
  }
}

function takenAt(): number {
  return TAKEN_AT.getTime() / 1000
}

function dateUtc(): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeBigInt64BE(BigInt(takenAt() - SECONDS_1970_TO_2001) * 1_000_000_000n)
  return bytes
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}
