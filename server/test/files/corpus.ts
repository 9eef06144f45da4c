/**
 * Files as strangers upload them: harmless, careless and hostile. All are generated here, so none needs to be in git.
 * Whatever must be removed carries MARKER, or the coordinates of the Eiffel Tower.
 */
import { randomBytes } from 'node:crypto'
import { crc32, deflateSync, gzipSync } from 'node:zlib'
import sharp from 'sharp'
import type { Kind } from '../../src/files/sniff.ts'

export const MARKER = 'LEGWORK-MARKER'
const SCRIPT = `<script>alert("${MARKER}")</script>`
const XYZ = '+48.8584+002.2945/'
/** When the MP4 recordings say that they were made, in seconds since 1904, in all places that have a time. */
const CREATED = 3_870_000_000
export const CREATED_BYTES = Buffer.from('e6ab8380', 'hex')
/** 48.8584 N, 2.2945 E */
const GPS = {
  IFD0: { Make: 'Legwork', ImageDescription: MARKER },
  IFD2: { DateTimeOriginal: '2026:11:02 10:30:00', OffsetTimeOriginal: '+01:00' },
  IFD3: {
    GPSLatitudeRef: 'N',
    GPSLatitude: '48/1 51/1 3024/100',
    GPSLongitudeRef: 'E',
    GPSLongitude: '2/1 17/1 4020/100',
  },
}
const XMP =
  `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">` +
  `<rdf:Description xmlns:exif="http://ns.adobe.com/exif/1.0/" exif:GPSLatitude="48,51.504N" ` +
  `exif:GPSLongitude="2,17.67E">${MARKER}</rdf:Description></rdf:RDF></x:xmpmeta>`

export interface Sample {
  name: string
  kind: Kind
  bytes: Buffer
  /** Expected result; `any` where either is fine as long as nothing leaks. */
  expect: 'accepted' | 'refused' | 'any'
  /** Contains data that must be removed; the control checks that it is there before cleaning. */
  isTainted?: boolean
}

export async function corpus(): Promise<Sample[]> {
  return [...(await images()), ...(await bombs()), ...(await strangers()), ...recordings()]
}

/** A picture with enough content to be distinguishable: soft shapes in colors derived from a seed. */
export async function picture(seed: number, width = 640, height = 480): Promise<Buffer> {
  let state = seed * 2_654_435_761 + 1
  const next = (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state % below
  }
  const shapes = Array.from({ length: 24 }, () => {
    const color = `rgb(${next(256)},${next(256)},${next(256)})`
    const [x, y, w, h] = [next(640), next(480), 40 + next(260), 40 + next(200)]
    return next(2) === 0
      ? `<rect x="${x - 60}" y="${y - 60}" width="${w}" height="${h}" fill="${color}"/>`
      : `<ellipse cx="${x}" cy="${y}" rx="${w / 2}" ry="${h / 2}" fill="${color}"/>`
  })
  const svg =
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 640 480" width="${width}" height="${height}">` +
    `<rect width="640" height="480" fill="rgb(${next(256)},${next(256)},${next(256)})"/>${shapes.join('')}</svg>`
  return sharp(Buffer.from(svg)).removeAlpha().png().toBuffer()
}

// oxlint-disable-next-line eslint/max-lines-per-function -- a flat table, one entry per sample
async function images(): Promise<Sample[]> {
  const source = await picture(1)
  const jpeg = await sharp(source).jpeg().toBuffer()
  const png = await sharp(source).png().toBuffer()
  const webp = await sharp(source).webp().toBuffer()
  const gif = await sharp(source).gif().toBuffer()
  const frames = Buffer.concat([
    await sharp(source).resize(64, 64).raw().toBuffer(),
    await sharp(await picture(2))
      .resize(64, 64)
      .raw()
      .toBuffer(),
  ])
  const animated = sharp(frames, { raw: { width: 64, height: 128, channels: 3, pageHeight: 64 } })
  const script = Buffer.from(SCRIPT)
  const photo = (name: string, bytes: Buffer, more: Partial<Sample> = {}): Sample => ({
    name,
    kind: 'photo',
    bytes,
    expect: 'accepted',
    ...more,
  })
  const tainted = { isTainted: true }
  const refused = { expect: 'refused' } as const

  return [
    photo('jpeg', jpeg),
    photo('jpeg, progressive', await sharp(source).jpeg({ progressive: true }).toBuffer()),
    photo('jpeg, gray', await sharp(source).greyscale().jpeg().toBuffer()),
    photo('jpeg, CMYK', await sharp(source).toColourspace('cmyk').jpeg().toBuffer()),
    photo('jpeg, another color space', await sharp(source).withIccProfile('p3').jpeg().toBuffer()),
    photo(
      'jpeg, lying on its side',
      await sharp(source).withMetadata({ orientation: 6 }).jpeg().toBuffer(),
    ),
    photo('png', png),
    photo('png, 16 bits', await sharp(source).toColourspace('rgb16').png().toBuffer()),
    photo('png, palette', await sharp(source).png({ palette: true }).toBuffer()),
    photo('png, transparent', await sharp(source).ensureAlpha(0.5).png().toBuffer()),
    photo('png, interlaced', await sharp(source).png({ progressive: true }).toBuffer()),
    photo(
      'png, animated',
      insertAfterHeader(png, [
        pngChunk('acTL', uint32(2, 0)),
        pngChunk(
          'fcTL',
          Buffer.concat([uint32(0, 640, 480, 0, 0), Buffer.from([0, 1, 0, 1, 0, 0])]),
        ),
      ]),
    ),
    photo('png, one pixel', await sharp(source).resize(1, 1).png().toBuffer()),
    photo('webp', webp),
    photo('webp, lossless', await sharp(source).webp({ lossless: true }).toBuffer()),
    photo('webp, transparent', await sharp(source).ensureAlpha(0.5).webp().toBuffer()),
    photo('webp, animated', await animated.webp().toBuffer()),

    photo(
      'jpeg with a position in EXIF',
      await sharp(source).withExif(GPS).jpeg().toBuffer(),
      tainted,
    ),
    photo(
      'jpeg with a position in XMP',
      await sharp(source).withXmp(XMP).jpeg().toBuffer(),
      tainted,
    ),
    photo('jpeg with IPTC', insertAt(jpeg, 2, jpegSegment(0xed, iptc())), tainted),
    photo('jpeg with a comment', insertAt(jpeg, 2, jpegSegment(0xfe, script)), tainted),
    photo('jpeg with an unknown segment', insertAt(jpeg, 2, jpegSegment(0xeb, script)), tainted),
    photo(
      'jpeg with a broken EXIF',
      insertAt(
        jpeg,
        2,
        jpegSegment(
          0xe1,
          Buffer.concat([Buffer.from('Exif\0\0MM\0*\xff\xff\xff\xf0', 'latin1'), script]),
        ),
      ),
      tainted,
    ),
    photo(
      'png with a position in eXIf',
      await sharp(source).withExif(GPS).png().toBuffer(),
      tainted,
    ),
    photo(
      'png with text',
      insertAfterHeader(png, [
        pngChunk('tEXt', Buffer.from(`Comment\0${MARKER} ${XYZ}`, 'latin1')),
      ]),
      tainted,
    ),
    photo('png with XMP', await sharp(source).withXmp(XMP).png().toBuffer(), tainted),
    photo(
      'png with compressed text',
      insertAfterHeader(png, [
        pngChunk('zTXt', Buffer.concat([Buffer.from('Comment\0\0'), deflateSync(script)])),
        pngChunk('tEXt', Buffer.from(`Title\0${MARKER}`)),
      ]),
      tainted,
    ),
    photo('png with an unknown chunk', insertAfterHeader(png, [pngChunk('lgWk', script)]), tainted),
    photo(
      'webp with a position in EXIF',
      await sharp(source).withExif(GPS).webp().toBuffer(),
      tainted,
    ),
    photo('webp with XMP', await sharp(source).withXmp(XMP).webp().toBuffer(), tainted),

    photo('gif', gif),
    photo('gif, animated', await animated.gif().toBuffer()),
    photo('gif, transparent', await sharp(source).ensureAlpha(0).gif().toBuffer()),
    photo('gif with a comment', withComment(gif), tainted),
    photo('gif with a program appended', Buffer.concat([gif, script]), tainted),
    photo('gif, truncated', gif.subarray(0, 200), refused),
    photo('gif that promises 65535 x 65535 pixels', hugeGif(gif), refused),
    photo('gif, one pixel', await sharp(source).resize(1, 1).gif().toBuffer()),
    photo('webp, one pixel', await sharp(source).resize(1, 1).webp().toBuffer()),
    photo('jpeg, one pixel', await sharp(source).resize(1, 1).jpeg().toBuffer()),

    photo('jpeg with a page appended', Buffer.concat([jpeg, script]), tainted),
    photo('jpeg with an archive appended', Buffer.concat([jpeg, zip()]), tainted),
    photo('jpeg with a PDF appended', Buffer.concat([jpeg, pdf()]), tainted),
    photo('png with a program appended', Buffer.concat([png, script]), tainted),
    photo('webp with a program appended', Buffer.concat([webp, script]), tainted),
    photo('page with a jpeg appended', Buffer.concat([Buffer.from('<html>'), jpeg]), refused),
    photo('PDF with a jpeg appended', Buffer.concat([pdf(), jpeg]), refused),
    photo('archive with a jpeg appended', Buffer.concat([zip(), jpeg]), refused),
    photo('jpeg after a line break', Buffer.concat([Buffer.from('\n'), jpeg]), refused),
    photo(
      'GIF that is a program',
      Buffer.from(`GIF89a/*${'\0'.repeat(20)}*/=1;alert("${MARKER}")`),
      refused,
    ),
    photo(
      'BMP that is a program',
      Buffer.from(`BM/*${'\0'.repeat(60)}*/=1;alert("${MARKER}")`),
      refused,
    ),

    ...[0.05, 0.4, 0.9].flatMap((part) => [
      photo(`jpeg, cut off at ${part * 100} %`, cut(jpeg, part), refused),
      photo(`png, cut off at ${part * 100} %`, cut(png, part), refused),
      photo(`webp, cut off at ${part * 100} %`, cut(webp, part), refused),
    ]),
    photo('png with a wrong checksum', corrupt(png, 60), { expect: 'any' }),
    photo('jpeg with damage in the middle', corrupt(jpeg, jpeg.length >> 1), { expect: 'any' }),
    photo('three bytes of a jpeg', Buffer.from([0xff, 0xd8, 0xff]), refused),
    photo('jpeg with only its header', jpeg.subarray(0, 20), refused),
    photo('jpeg instead of a video', jpeg, { kind: 'video', ...refused }),
    photo('jpeg instead of audio', jpeg, { kind: 'audio', ...refused }),
  ]
}

async function bombs(): Promise<Sample[]> {
  const source = await picture(3)
  const jpeg = await sharp(source).jpeg().toBuffer()
  const webp = await sharp(source).webp().toBuffer()
  const small = await sharp(source).resize(16, 16).png().toBuffer()
  const zeros = (megabytes: number) =>
    deflateSync(Buffer.alloc(megabytes * 1_048_576), { level: 9 })
  const photo = (name: string, bytes: Buffer, expect: Sample['expect'] = 'refused'): Sample => ({
    name,
    kind: 'photo',
    bytes,
    expect,
  })
  return [
    photo('png of 256 million pixels in 31 kB', pngOf(16_000, 16_000)),
    photo('png of slightly more than 40 million pixels', pngOf(40_001, 1001)),
    photo('png of 40 million pixels', pngOf(8000, 5000), 'accepted'),
    photo('png of 50 million pixels in one row', pngOf(50_000_001, 1)),
    photo(
      'png that claims 10 billion pixels',
      pngOf(100_000, 100_000, deflateSync(Buffer.alloc(100))),
    ),
    photo('png that claims 30 million pixels', pngOf(6000, 5000, deflateSync(Buffer.alloc(100)))),
    photo('png of no pixels', pngOf(0, 0, deflateSync(Buffer.alloc(1)))),
    photo('png of 256 million pixels, 16 bits', pngOf(16_000, 16_000, zeros(8), 16, 6)),
    photo('png with more data than pixels', pngOf(16, 16, zeros(64)), 'any'),
    photo(
      'png with a text that expands to 64 MB',
      insertAfterHeader(small, [
        pngChunk('zTXt', Buffer.concat([Buffer.from('Comment\0\0'), zeros(64)])),
      ]),
      'any',
    ),
    photo(
      'png with a profile that expands to 64 MB',
      insertAfterHeader(small, [
        pngChunk('iCCP', Buffer.concat([Buffer.from('p\0\0'), zeros(64)])),
      ]),
      'any',
    ),
    photo(
      'png with a million texts',
      insertAfterHeader(small, [
        Buffer.concat(Array.from({ length: 100_000 }, () => pngChunk('tEXt', Buffer.from('a\0b')))),
      ]),
      'any',
    ),
    photo('jpeg that claims 4 billion pixels', withJpegSize(jpeg, 65_500, 65_500)),
    photo('jpeg that claims 39 million pixels', withJpegSize(jpeg, 7800, 5000), 'any'),
    photo('webp that claims 268 million pixels', withWebpSize(webp, 16_383, 16_383)),
    photo('webp that claims 39 million pixels', withWebpSize(webp, 7800, 5000)),
    photo(
      'jpeg with 3,000 comments',
      insertAt(
        jpeg,
        2,
        Buffer.concat(Array.from({ length: 3000 }, () => jpegSegment(0xfe, Buffer.alloc(1000)))),
      ),
      'any',
    ),
    photo('archive that expands to 64 MB', gzipSync(Buffer.alloc(67_108_864))),
  ]
}

/** Inserted before the trailer, the last byte of a GIF. */
const withComment = (gif: Buffer) =>
  Buffer.concat([
    gif.subarray(0, -1),
    Buffer.from([0x21, 0xfe, MARKER.length]),
    Buffer.from(MARKER),
    Buffer.from([0, 0x3b]),
  ])

/** Sets the screen and first frame to the largest size that a GIF can declare. */
function hugeGif(gif: Buffer): Buffer {
  const huge = Buffer.from(gif)
  const frame = huge.indexOf(Buffer.concat([Buffer.from([0x2c, 0, 0, 0, 0]), gif.subarray(6, 10)]))
  for (const at of [6, frame + 5]) huge.fill(0xff, at, at + 4)
  return huge
}

async function strangers(): Promise<Sample[]> {
  const source = await picture(4, 64, 48)
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" onload="alert('${MARKER}')"/>`
  const header = (text: string) => Buffer.concat([Buffer.from(text, 'latin1'), Buffer.alloc(200)])
  const files: [string, Buffer][] = [
    ['SVG', Buffer.from(svg)],
    ['SVG with a heading', Buffer.from(`<?xml version="1.0"?>\n${svg}`)],
    ['SVG after spaces', Buffer.from(`\n\n  ${svg}`)],
    ['HTML', Buffer.from(`<!doctype html>${SCRIPT}`)],
    ['HTML without a heading', Buffer.from(SCRIPT)],
    ['PDF', pdf()],
    ['TIFF', await sharp(source).tiff().toBuffer()],
    ['AVIF', await sharp(source).avif({ effort: 0 }).toBuffer()],
    ['HEIC', header('\0\0\0\x18ftypheic\0\0\0\0mif1heic')],
    ['BMP', header('BM\xc8\0\0\0\0\0\0\0\x36\0\0\0\x28\0\0\0')],
    ['ICO', header('\0\0\x01\0\x01\0\x10\x10\0\0\x01\0\x20\0')],
    ['PSD', header('8BPS\0\x01\0\0\0\0\0\0')],
    ['JPEG XL', header('\xff\x0a')],
    ['JPEG 2000', header('\0\0\0\x0cjP  \r\n\x87\n')],
    ['Windows program', header('MZ\x90\0\x03\0\0\0')],
    ['Linux program', header('\x7fELF\x02\x01\x01')],
    ['shell script', Buffer.from(`#!/bin/sh\necho ${MARKER}\n`)],
    ['archive', zip()],
    ['text', Buffer.from('Just some words, and no picture at all.')],
    ['JSON', Buffer.from(JSON.stringify({ photo: MARKER }))],
    ['empty file', Buffer.alloc(0)],
    ['one byte', Buffer.from([0xff])],
    ['zeros', Buffer.alloc(10_000)],
    ['random bytes', randomBytes(10_000)],
    [
      'random bytes after a beginning',
      Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), randomBytes(5000)]),
    ],
    ['RIFF of another kind', header('RIFF\xd0\0\0\0AVI LIST')],
    ['MPEG transport stream', Buffer.concat(Array.from({ length: 4 }, () => tsPacket()))],
    ['Flash', header('FWS\x08\x90\0\0\0')],
  ]
  return files.map(([name, bytes]) => ({ name, kind: 'photo', bytes, expect: 'refused' }))
}

// oxlint-disable-next-line eslint/max-lines-per-function -- a flat table, one entry per sample
function recordings(): Sample[] {
  const udta = box('udta', box('\xa9xyz', uint16(XYZ.length, 0x15c7), XYZ), box('name', MARKER))
  const meta = box('meta', uint32(0), box('ilst', SCRIPT))
  const uuid = box('uuid', Buffer.alloc(16, 7), SCRIPT, XYZ)
  const video = (...more: Buffer[]) => mp4({ tracks: ['vide', 'soun'], more })
  const sound = (...more: Buffer[]) => mp4({ tracks: ['soun'], more, brand: 'M4A ' })
  const tags = element(0x1254c367, element(0x7373, element(0x67c8, SCRIPT, XYZ)))
  const sample =
    (kind: Kind) =>
    (name: string, bytes: Buffer, more: Partial<Sample> = {}): Sample => ({
      name,
      kind,
      bytes,
      expect: 'accepted',
      ...more,
    })
  const [asVideo, asAudio, asPhoto] = [sample('video'), sample('audio'), sample('photo')]
  const tainted = { isTainted: true }
  const refused = { expect: 'refused' } as const

  return [
    asVideo('mp4', video()),
    asVideo('mp4 with ©xyz', video(udta), tainted),
    asVideo('mp4 with tags', video(meta), tainted),
    asVideo('mp4 with ©xyz in a track', mp4({ tracks: ['vide'], inTrack: [udta, meta] }), tainted),
    asVideo('mp4 with XMP at the top', Buffer.concat([video(), uuid]), tainted),
    asVideo('mp4 with text in free space', Buffer.concat([video(), box('free', SCRIPT)]), tainted),
    asVideo(
      'mp4 whose data come first',
      mp4({ tracks: ['vide'], dataFirst: true, more: [udta] }),
      tainted,
    ),
    asVideo(
      'mp4 whose last box is open',
      mp4({ tracks: ['vide'], openEnd: true, more: [udta] }),
      tainted,
    ),
    asVideo(
      'mp4 with long lengths',
      mp4({ tracks: ['vide'], longData: true, more: [udta] }),
      tainted,
    ),
    asVideo('mp4 in fragments', withFragment(video(udta), 1, 'x', [udta]), tainted),
    asVideo(
      'mp4 in fragments, one of them of positions',
      withFragment(mp4({ tracks: ['vide', 'meta'] }), 2, SCRIPT + XYZ),
      tainted,
    ),
    asVideo('mp4 with a track of positions', mp4({ tracks: ['vide', 'meta'] }), tainted),
    asVideo('mp4 with subtitles', mp4({ tracks: ['vide', 'soun', 'text'] }), tainted),
    asVideo('mp4 of nothing but positions', mp4({ tracks: ['meta'] }), refused),
    asVideo('mp4 with text between the frames', mp4({ tracks: ['vide'], gap: SCRIPT }), tainted),
    asVideo('mp4 with an unknown box in its index', video(box('lgwk', SCRIPT)), tainted),
    asVideo(
      'mp4 with an unknown box in a track',
      mp4({ tracks: ['vide'], inTrack: [box('lgwk', SCRIPT)] }),
      tainted,
    ),
    asVideo(
      'mp4 with an unknown box in its tables',
      mp4({ tracks: ['vide'], inTables: [box('lgwk', SCRIPT)] }),
      tainted,
    ),
    asVideo('mp4 with a named track', mp4({ tracks: ['vide'], trackName: SCRIPT }), tainted),
    asVideo('mp4 with a named encoder', mp4({ tracks: ['vide'], encoder: MARKER }), tainted),
    asVideo(
      'mp4 with an unknown box in its description',
      mp4({ tracks: ['vide'], inDescription: [box('avcC', 'x'), box('lgwk', SCRIPT)] }),
      tainted,
    ),
    asVideo(
      'mp4 with zeros behind its description',
      mp4({ tracks: ['vide'], inDescription: [box('lgwk', SCRIPT), uint32(0)] }),
      tainted,
    ),
    asVideo('mp4 with text between its pictures', withUserData('avc1'), tainted),
    asVideo('mp4 of H.265 with text between its pictures', withUserData('hvc1'), tainted),
    asVideo('mp4 with a needless address', mp4({ tracks: ['vide'], address: SCRIPT }), tainted),
    asVideo(
      'mp4 with its data at an address',
      mp4({ tracks: ['vide'], address: 'http://127.0.0.1/', isElsewhere: true }),
      refused,
    ),
    asVideo(
      'mp4 with the time of each fragment',
      Buffer.concat([video(), box('prft', uint32(0, 1), MARKER)]),
      tainted,
    ),
    asVideo('mp4 whose frames are its tags', pointingAt(video(udta), 'name'), {
      ...tainted,
      expect: 'any',
    }),
    asVideo('mp4 whose frames are beyond its end', mp4({ tracks: ['vide'], shift: 1e6 }), refused),
    asVideo('mp4 of a billion frames', withSamples(video(), 1e9), refused),
    asVideo('mp4 of an unknown coding', mp4({ tracks: ['vide'], codec: 'lgwk' }), refused),
    asVideo('mp4 with long brands', withLongBrands(video()), refused),
    asVideo('mp4 with a page behind it', Buffer.concat([video(), Buffer.from(SCRIPT)]), refused),
    asVideo('mp4 with an unknown box', Buffer.concat([video(), box('html', SCRIPT)]), refused),
    asVideo(
      'mp4 without an index',
      Buffer.concat([box('ftyp', 'isom\0\0\0\0isom'), box('mdat', 'x')]),
      refused,
    ),
    asVideo('mp4 without data', mp4({ tracks: ['vide'], noData: true }), refused),
    asVideo('mp4 with a box of 4 GB', withLength(video(), 'moov', 0xfffffff0), refused),
    asVideo('mp4 with a box of 3 bytes', withLength(video(), 'moov', 3), refused),
    asVideo('mp4 with a box beyond its parent', withLength(video(), 'mvhd', 100_000), refused),
    asVideo(
      'mp4 with a box of 16 exabytes',
      Buffer.concat([video(), uint32(1), Buffer.from('mdat'), Buffer.alloc(8, 0xff)]),
      refused,
    ),
    asVideo('mp4 nested 500 deep', video(nested(500)), refused),
    asVideo(
      'mp4 of 30,000 boxes',
      video(Buffer.concat(Array.from({ length: 30_000 }, () => box('free')))),
      refused,
    ),
    asVideo('mp4 cut off', cut(video(udta), 0.6), refused),
    asVideo('QuickTime', mp4({ tracks: ['vide'], brand: 'qt  ' }), refused),
    asVideo('m4a instead of a video', sound(), refused),
    asAudio('m4a', sound()),
    asAudio('m4a with a cover', sound(udta, meta), tainted),
    asAudio('mp4 instead of audio', video(), refused),
    asPhoto('mp4 where a photo is asked for', video(), refused),

    asVideo('webm', webm({ types: [1, 2] })),
    asVideo('webm with tags', webm({ types: [1, 2], more: [tags] }), tainted),
    asVideo(
      'webm with an attachment',
      webm({ types: [1], more: [element(0x1941a469, SCRIPT)] }),
      tainted,
    ),
    asVideo('webm with a title', webm({ types: [1], title: MARKER }), tainted),
    asVideo('webm, live, with tags', webm({ types: [1], isLive: true, more: [tags] }), tainted),
    asVideo(
      'webm with a page appended',
      Buffer.concat([webm({ types: [1] }), Buffer.from(SCRIPT)]),
      tainted,
    ),
    asVideo('webm with subtitles', webm({ types: [1, 17] }), tainted),
    asVideo('webm of nothing but subtitles', webm({ types: [17] }), refused),
    ...(
      [
        ['header', 'inHeader'],
        ['information', 'inInfo'],
        ['list of tracks', 'inTracks'],
        ['track', 'inTrack'],
        ['cluster', 'inCluster'],
      ] as const
    ).map(([where, option]) =>
      asVideo(
        `webm with text in an empty element of its ${where}`,
        webm({ types: [1], [option]: [element(0xec, SCRIPT)] }),
        tainted,
      ),
    ),
    asVideo(
      'webm with text in an empty element of its index',
      webm({ types: [1], more: [element(0x1c53bb6b, element(0xec, SCRIPT))] }),
      tainted,
    ),
    asVideo(
      'webm with an unknown element in a track',
      webm({ types: [1], inTrack: [element(0x4ff1, SCRIPT)] }),
      tainted,
    ),
    asVideo(
      'webm with an unknown element in its video',
      webm({
        types: [1],
        inTrack: [element(0xe0, element(0xb0, '\x10'), element(0x4ff1, SCRIPT))],
      }),
      tainted,
    ),
    asVideo(
      'webm with a named codec',
      webm({ types: [1], inTrack: [element(0x258688, SCRIPT)] }),
      tainted,
    ),
    asVideo(
      'webm with a named program',
      webm({ types: [1], inInfo: [element(0x5741, SCRIPT)] }),
      tainted,
    ),
    asVideo(
      'webm with a block of no track',
      webm({ types: [1], inCluster: [element(0xa3, '\x85\0\0\x80', SCRIPT)] }),
      tainted,
    ),
    asVideo(
      'webm with a group of no track',
      webm({ types: [1], inCluster: [element(0xa0, element(0xa1, '\x85\0\0\0', SCRIPT))] }),
      tainted,
    ),
    asAudio('webm of Vorbis with comments', webm({ types: [2], inTrack: vorbis(SCRIPT) }), tainted),
    asAudio(
      'webm of Vorbis with a length that lies',
      webm({ types: [2], inTrack: vorbis(SCRIPT, 3) }),
      refused,
    ),
    asVideo(
      'webm whose tracks come last',
      webm({ types: [], more: [element(0x1654ae6b, element(0xae, element(0x83, '\x01')))] }),
      refused,
    ),
    asVideo('webm of nothing', webm({ types: [] }), refused),
    asVideo('Matroska', webm({ types: [1], docType: 'matroska' }), refused),
    asVideo('webm with a length that lies', withVint(webm({ types: [1], more: [tags] })), refused),
    asVideo('webm cut off', cut(webm({ types: [1], more: [tags] }), 0.7), refused),
    asAudio('webm of sound', webm({ types: [2], more: [tags] }), tainted),
    asVideo('webm of sound instead of a video', webm({ types: [2] }), refused),

    asAudio('mp3', mp3()),
    asAudio('mp3 with ID3', Buffer.concat([id3(`${MARKER} ${XYZ}`), mp3()]), tainted),
    asAudio('mp3 with tags appended', Buffer.concat([mp3(), ape(), id3v1()]), tainted),
    asAudio('mp3 with a page appended', Buffer.concat([mp3(), Buffer.from(SCRIPT)]), tainted),
    asAudio('mp3 of nothing but tags', id3(MARKER), refused),
    asAudio(
      'mp3 with a tag of 256 MB',
      Buffer.concat([Buffer.from('ID3\x04\0\0\x7f\x7f\x7f\x7f', 'latin1'), mp3()]),
      refused,
    ),
    asAudio('mp3 of one frame', mp3(1), refused),

    asAudio('wav', wav()),
    asAudio('wav with a LIST', wav([riffChunk('LIST', `INFOICMT${MARKER}`)]), tainted),
    asAudio(
      'wav with ID3 and XMP',
      wav([riffChunk('id3 ', SCRIPT), riffChunk('_PMX', XMP)]),
      tainted,
    ),
    asAudio('wav that was cut off while recording', withOpenData(wav())),
    asAudio(
      'wav with text where sound should be',
      withOpenData(wav([riffChunk('LIST', `INFOICMT${MARKER}`)], 0), 0),
      refused,
    ),
    asAudio('wav with text behind its format', withLongFormat(wav()), tainted),
    asAudio(
      'wav with a chunk of 4 GB',
      wav([Buffer.concat([Buffer.from('LIST'), Buffer.alloc(4, 0xfe)])]),
      refused,
    ),
    asAudio('wav without sound', wav([], 0), refused),
    asAudio('wav of an unknown coding', withFormat(wav(), 0x4242), refused),

    asAudio('ogg of Opus', ogg('opus')),
    asAudio('ogg of Opus with comments', ogg('opus', `LOCATION=${XYZ}${MARKER}`), tainted),
    asAudio('ogg of Opus with long comments', ogg('opus', MARKER.repeat(60)), tainted),
    asAudio('ogg of Vorbis with comments', ogg('vorbis', SCRIPT), tainted),
    asAudio(
      'ogg of two recordings',
      Buffer.concat([ogg('opus'), ogg('opus', `${MARKER}${XYZ}`)]),
      refused,
    ),
    asAudio('ogg of Theora', ogg('theora', MARKER), refused),
    asAudio('ogg cut off', cut(ogg('opus', MARKER), 0.9), refused),
    asAudio('ogg with a page appended', Buffer.concat([ogg('opus'), Buffer.from(SCRIPT)]), refused),
  ]
}

// Building blocks of these files.

const uint32 = (...values: number[]) => {
  const bytes = Buffer.alloc(values.length * 4)
  for (const [i, value] of values.entries()) bytes.writeUInt32BE(value >>> 0, i * 4)
  return bytes
}
const uint16 = (...values: number[]) =>
  Buffer.concat(values.map((v) => Buffer.from([v >> 8, v & 255])))
const join = (parts: (Buffer | string)[]) =>
  Buffer.concat(
    parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : part)),
  )
const cut = (bytes: Buffer, part: number) => bytes.subarray(0, Math.floor(bytes.length * part))
const insertAt = (bytes: Buffer, at: number, piece: Buffer) =>
  Buffer.concat([bytes.subarray(0, at), piece, bytes.subarray(at)])

function corrupt(bytes: Buffer, at: number): Buffer {
  const copy = Buffer.from(bytes)
  for (let i = 0; i < 8; i += 1) copy[at + i]! ^= 0xff
  return copy
}

const jpegSegment = (marker: number, body: Buffer) =>
  Buffer.concat([Buffer.from([0xff, marker]), uint16(body.length + 2), body])
const iptc = () =>
  join([
    'Photoshop 3.0\0',
    '8BIM\x04\x04\0\0',
    uint32(MARKER.length + 5),
    '\x1c\x02\x78',
    uint16(MARKER.length),
    MARKER,
  ])

function withJpegSize(jpeg: Buffer, width: number, height: number): Buffer {
  const copy = Buffer.from(jpeg)
  for (let at = 2; at < copy.length; at += 2 + copy.readUInt16BE(at + 2))
    if (copy[at + 1] === 0xc0 || copy[at + 1] === 0xc2) {
      copy.writeUInt16BE(height, at + 5)
      copy.writeUInt16BE(width, at + 7)
      return copy
    }
  throw new Error('there is no frame in it')
}

function withWebpSize(webp: Buffer, width: number, height: number): Buffer {
  const copy = Buffer.from(webp)
  const at = copy.indexOf(Buffer.from([0x9d, 0x01, 0x2a]))
  copy.writeUInt16LE(width, at + 3)
  copy.writeUInt16LE(height, at + 5)
  return copy
}

function pngChunk(name: string, body: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(name, 'latin1'), body])
  return Buffer.concat([uint32(body.length), named, uint32(crc32(named))])
}

function pngOf(width: number, height: number, data?: Buffer, depth = 1, color = 0): Buffer {
  const rows = () => deflateSync(Buffer.alloc((Math.ceil(width / 8) + 1) * height), { level: 9 })
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    pngChunk('IHDR', Buffer.concat([uint32(width, height), Buffer.from([depth, color, 0, 0, 0])])),
    pngChunk('IDAT', data ?? rows()),
    pngChunk('IEND', Buffer.alloc(0)),
  ])
}

const insertAfterHeader = (png: Buffer, chunks: Buffer[]) =>
  insertAt(png, 33, Buffer.concat(chunks))

const zip = () =>
  join([
    'PK\x03\x04\x0a\0\0\0\0\0',
    Buffer.alloc(16),
    '\x06\0\0\0a.html',
    SCRIPT,
    'PK\x05\x06',
    Buffer.alloc(18),
  ])
const pdf = () =>
  Buffer.from(
    `%PDF-1.4\n1 0 obj<</Type/Catalog/OpenAction<</S/JavaScript/JS(${MARKER})>>>>endobj\n%%EOF\n`,
  )
const tsPacket = () => Buffer.concat([Buffer.from([0x47, 0x40, 0, 0x10]), Buffer.alloc(184, 0xff)])

function box(name: string, ...parts: (Buffer | string)[]): Buffer {
  const body = join(parts)
  return Buffer.concat([uint32(body.length + 8), Buffer.from(name, 'latin1'), body])
}

function nested(depth: number): Buffer {
  let inner = box('free')
  for (let i = 0; i < depth; i += 1) inner = box('trak', inner)
  return inner
}

interface Mp4 {
  tracks: string[]
  more?: Buffer[]
  inTrack?: Buffer[]
  inTables?: Buffer[]
  inDescription?: Buffer[]
  trackName?: string
  encoder?: string
  codec?: string
  address?: string
  /** The address is where the data are, instead of this file. */
  isElsewhere?: boolean
  brand?: string
  dataFirst?: boolean
  openEnd?: boolean
  longData?: boolean
  noData?: boolean
  /** Stands behind the frames, and belongs to no track. */
  gap?: string
  /** How far the tables point beyond the frames. */
  shift?: number
}

/** One sample for each track, all of them in one `mdat`. Tracks of other things than picture and sound are tainted. */
function mp4({ tracks, brand = 'isom', gap = '', shift = 0, ...options }: Mp4): Buffer {
  const samples = tracks.map((handler) =>
    handler === 'vide' || handler === 'soun'
      ? Buffer.alloc(2500, 0x5a)
      : Buffer.from(`${SCRIPT} ${XYZ}`),
  )
  const frames = join([...samples, gap])
  const long = join([uint32(1), 'mdat', uint32(0, frames.length + 16), frames])
  const open = join([uint32(0), 'mdat', frames])
  const mdat = options.openEnd ? open : options.longData ? long : box('mdat', frames)
  const data = options.noData ? Buffer.alloc(0) : mdat
  const ftyp = box('ftyp', brand, uint32(512), brand === 'isom' ? 'isomiso2avc1mp41' : brand)
  const moov = (framesAt: number) => {
    let at = framesAt + shift
    const boxes = tracks.map((handler, i) => {
      const sample = { id: i + 1, handler, at, length: samples[i]!.length }
      at += sample.length
      return mp4Track(sample, options)
    })
    return box('moov', movieHeader(), ...boxes, ...(options.more ?? []))
  }
  const before = ftyp.length + (options.dataFirst ? 0 : moov(0).length)
  const index = moov(before + data.length - frames.length)
  return Buffer.concat(options.dataFirst ? [ftyp, data, index] : [ftyp, index, data])
}

function movieHeader(): Buffer {
  const mvhd = Buffer.alloc(100)
  mvhd.writeUInt32BE(CREATED, 4)
  mvhd.writeUInt32BE(CREATED, 8)
  mvhd.writeUInt32BE(1000, 12)
  mvhd.writeUInt32BE(12_300, 16)
  return box('mvhd', mvhd)
}

function mp4Track(
  { id, handler, at, length }: { id: number; handler: string; at: number; length: number },
  { inTrack = [], inTables = [], trackName = 'Name', address = '', ...options }: Partial<Mp4>,
): Buffer {
  const tkhd = Buffer.concat([uint32(0, CREATED, CREATED, id), Buffer.alloc(68)])
  const reference = box('url ', uint32(options.isElsewhere ? 0 : 1), address)
  return box(
    'trak',
    box('tkhd', tkhd),
    box(
      'mdia',
      box('mdhd', uint32(0, CREATED, CREATED, 1000, 12_300, 0)),
      box('hdlr', uint32(0, 0), handler, Buffer.alloc(12), `${trackName}\0`),
      box(
        'minf',
        box('dinf', box('dref', uint32(0, 1), reference)),
        box(
          'stbl',
          box('stsd', uint32(0, 1), description(handler, options)),
          box('stts', uint32(0, 1, 1, 12_300)),
          box('stsc', uint32(0, 1, 1, 1, 1)),
          box('stsz', uint32(0, 0, 1, length)),
          box('stco', uint32(0, 1, at)),
          ...inTables,
        ),
      ),
    ),
    ...inTrack,
  )
}

function description(
  handler: string,
  { inDescription = [], encoder = '', codec }: Partial<Mp4>,
): Buffer {
  const name = join([Buffer.from([encoder.length]), encoder, Buffer.alloc(31 - encoder.length)])
  const picture = join([Buffer.alloc(42), name, Buffer.alloc(4)])
  if (handler === 'vide') return box(codec ?? 'avc1', picture, ...inDescription)
  return handler === 'soun' ? box('mp4a', Buffer.alloc(28)) : box(handler, Buffer.alloc(8))
}

/** Its picture begins with a message of user data, which has a zero and an escaped zero in it. */
function withUserData(codec: 'avc1' | 'hvc1'): Buffer {
  const configuration =
    codec === 'avc1'
      ? box('avcC', Buffer.from('0142001effe0', 'hex'))
      : box('hvcC', Buffer.alloc(21, 1), Buffer.from([3, 0]))
  const text = join([Buffer.alloc(16, 7), MARKER, '\0\0\x03\x01', SCRIPT])
  // The 3 behind two zeros doesn't count.
  const message = join([Buffer.from([5, text.length - 1]), text, '\x80'])
  const unit = join([codec === 'avc1' ? '\x06' : '\x4e\x01', message])
  const bytes = mp4({ tracks: ['vide'], codec, inDescription: [configuration] })
  join([uint32(unit.length), unit]).copy(bytes, bytes.indexOf('mdat') + 4)
  return bytes
}

/** Appends a fragment with one sample of a track. */
function withFragment(
  bytes: Buffer,
  track: number,
  sample: string,
  inTrack: Buffer[] = [],
): Buffer {
  const moof = (offset: number) =>
    box(
      'moof',
      box('mfhd', uint32(0, 1)),
      box(
        'traf',
        box('tfhd', uint32(0x020000, track)),
        box('trun', uint32(0x000201, 1, offset, sample.length)),
        ...inTrack,
      ),
    )
  return Buffer.concat([bytes, moof(moof(0).length + 8), box('mdat', sample)])
}

/** Its first sample begins where a box of this name does. */
function pointingAt(bytes: Buffer, name: string): Buffer {
  const copy = Buffer.from(bytes)
  copy.writeUInt32BE(copy.lastIndexOf(name, copy.length, 'latin1'), copy.indexOf('stco') + 12)
  return copy
}

/** Each frame has the same length, so the table need not list them. */
function withSamples(bytes: Buffer, count: number): Buffer {
  const copy = Buffer.from(bytes)
  const at = copy.indexOf('stsz')
  copy.writeUInt32BE(1000, at + 8)
  copy.writeUInt32BE(count, at + 12)
  copy.writeUInt32BE(count, copy.indexOf('stsc') + 16)
  return copy
}

const withLongBrands = (bytes: Buffer) =>
  Buffer.concat([
    box('ftyp', 'isom', uint32(512), 'isom', SCRIPT.repeat(10)),
    bytes.subarray(bytes.readUInt32BE(0)),
  ])

function withLength(bytes: Buffer, name: string, length: number): Buffer {
  const copy = Buffer.from(bytes)
  copy.writeUInt32BE(length, copy.indexOf(name, 0, 'latin1') - 4)
  return copy
}

function element(id: number, ...parts: (Buffer | string)[]): Buffer {
  const body = join(parts)
  return Buffer.concat([elementId(id), Buffer.from([0x01, 0, 0, 0]), uint32(body.length), body])
}

function elementId(id: number): Buffer {
  const hex = id.toString(16)
  return Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex')
}

function webm({
  types,
  more = [],
  title,
  isLive = false,
  docType = 'webm',
  inHeader = [],
  inInfo = [],
  inTracks = [],
  inTrack = [],
  inCluster = [],
}: {
  types: number[]
  more?: Buffer[]
  title?: string
  isLive?: boolean
  docType?: string
  inHeader?: Buffer[]
  inInfo?: Buffer[]
  inTracks?: Buffer[]
  inTrack?: Buffer[]
  inCluster?: Buffer[]
}): Buffer {
  const duration = Buffer.alloc(8)
  duration.writeDoubleBE(4200)
  const info = element(
    0x1549a966,
    element(0x2ad7b1, Buffer.from('0f4240', 'hex')),
    element(0x4489, duration),
    ...(title === undefined ? [] : [element(0x7ba9, title)]),
    ...inInfo,
  )
  const track = (type: number, i: number) =>
    element(
      0xae,
      element(0xd7, Buffer.from([i + 1])),
      element(0x83, Buffer.from([type])),
      element(0x536e, 'Name'),
      ...inTrack,
    )
  const block = (type: number, i: number) =>
    element(
      0xa3,
      Buffer.from([0x81 + i, 0, 0, 0x80]),
      type === 1 || type === 2 ? Buffer.alloc(2000, 0x5a) : `${SCRIPT} ${XYZ}`,
    )
  const blocks = join([element(0xe7, Buffer.from([0])), ...types.map(block), ...inCluster])
  const unknown = (id: number) =>
    Buffer.concat([elementId(id), Buffer.from('01ffffffffffffff', 'hex')])
  const cluster = isLive
    ? Buffer.concat([unknown(0x1f43b675), blocks])
    : element(0x1f43b675, blocks)
  const body = [info, element(0x1654ae6b, ...types.map(track), ...inTracks), cluster, ...more]
  return Buffer.concat([
    element(0x1a45dfa3, element(0x4282, docType), ...inHeader),
    isLive ? Buffer.concat([unknown(0x18538067), ...body]) : element(0x18538067, ...body),
  ])
}

/** The codec of a track and its configuration: the lengths of two packets, and three packets. */
function vorbis(comment: string, more = 0): Buffer[] {
  const comments = join(['\x03vorbis\0\0\0\0\x01\0\0\0', comment])
  const lengths = Buffer.from([2, 30, comments.length + more * 64])
  return [
    element(0x86, 'A_VORBIS'),
    element(0x63a2, lengths, Buffer.alloc(30, 1), comments, Buffer.alloc(40, 5)),
  ]
}

/** The tags claim to be longer than the file. */
function withVint(bytes: Buffer): Buffer {
  const copy = Buffer.from(bytes)
  copy.writeUInt32BE(0x00ffffff, copy.indexOf(elementId(0x1254c367)) + 8)
  return copy
}

/** Frames of silence: MPEG 1, layer III, 128 kbit/s, 44.1 kHz. */
const mp3 = (frames = 40) =>
  Buffer.concat(
    Array.from({ length: frames }, () =>
      Buffer.concat([Buffer.from('fffb9064', 'hex'), Buffer.alloc(413)]),
    ),
  )
function id3(text: string): Buffer {
  const frame = join(['TXXX', uint32(text.length + 1), '\0\0', '\0', text])
  return join(['ID3\x03\0\0', Buffer.from([0, 0, frame.length >> 7, frame.length & 0x7f]), frame])
}
const id3v1 = () => join(['TAG', MARKER, Buffer.alloc(125 - MARKER.length)])
const ape = () => join(['APETAGEX', Buffer.alloc(24), MARKER])

function riffChunk(name: string, body: Buffer | string): Buffer {
  const bytes = join([body])
  const length = Buffer.alloc(4)
  length.writeUInt32LE(bytes.length)
  return join([name, length, bytes, Buffer.alloc(bytes.length % 2)])
}
function wav(more: Buffer[] = [], seconds = 1): Buffer {
  const format = Buffer.from('01000100401f0000803e000002001000', 'hex')
  const data = riffChunk('data', Buffer.alloc(16_000 * seconds, 1))
  const body = join(['WAVE', riffChunk('fmt ', format), data, ...more])
  return riffChunk('RIFF', body)
}
function withOpenData(bytes: Buffer, length = 0xffffffff): Buffer {
  const copy = Buffer.from(bytes)
  copy.writeUInt32LE(length, copy.indexOf('data') + 4)
  return copy
}
function withLongFormat(bytes: Buffer): Buffer {
  const at = bytes.indexOf('fmt ')
  const format = bytes.subarray(at + 8, at + 24)
  const long = riffChunk('fmt ', join([format, '\0\0', MARKER]))
  return Buffer.concat([bytes.subarray(0, at), long, bytes.subarray(at + 24)])
}
function withFormat(bytes: Buffer, format: number): Buffer {
  const copy = Buffer.from(bytes)
  copy.writeUInt16LE(format, copy.indexOf('fmt ') + 8)
  return copy
}

function ogg(codec: 'opus' | 'vorbis' | 'theora', comment = ''): Buffer {
  const length = (value: number) => Buffer.from(new Uint32Array([value]).buffer)
  const heads = {
    opus: join(['OpusHead\x01\x01\x38\x01', length(48_000), '\0\0\0']),
    vorbis: join(['\x01vorbis', length(0), '\x01', length(44_100), Buffer.alloc(14)]),
    theora: join(['\x80theora', Buffer.alloc(35)]),
  }
  const begin = { opus: 'OpusTags', vorbis: '\x03vorbis', theora: '\x81theora' }[codec]
  const comments = join([
    begin,
    length(4),
    'test',
    length(1),
    length(comment.length),
    comment,
    '\x01',
  ])
  const sound = join([Buffer.alloc(200, 0x5a)])
  const packets = [heads[codec], comments, sound, sound]
  return Buffer.concat(packets.map((packet, i) => oggPage(packet, i, i < 2 ? 0 : 48_000 * i)))
}
function oggPage(packet: Buffer, number: number, granule: number): Buffer {
  const laces = [
    ...Array.from({ length: Math.floor(packet.length / 255) }, () => 255),
    packet.length % 255,
  ]
  const header = Buffer.alloc(27)
  header.write('OggS', 'latin1')
  header[5] = number === 0 ? 2 : 0
  header.writeBigInt64LE(BigInt(granule), 6)
  header.writeUInt32LE(77, 14)
  header.writeUInt32LE(number, 18)
  header[26] = laces.length
  return Buffer.concat([header, Buffer.from(laces), packet])
}
