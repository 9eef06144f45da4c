/**
 * A photo as it may be shown: decoded and encoded anew, so that nothing is left of what was around the picture
 * (place, time, scripts, whatever stood behind its end); and what the photo said of itself, as evidence. Runs in the
 * media process alone.
 */
import exifr from 'exifr'
import sharp from 'sharp'
import { FileRefused } from './refused.ts'

const PIXELS_MAX = 40_000_000
const SIDE_MAX = 4096
/** Photos whose lightest and darkest parts differ by less than this look like one another. */
const CONTRAST_MIN = 12
const MEASURED_SIDE = 512

export interface Evidence {
  lat?: number
  lng?: number
  /** How far the true place may be from there. */
  accuracy_m?: number
  taken_at?: string
  /** The same where the camera did not say in which time zone its clock was. */
  taken_at_local?: string
  /** 0 is black, 255 is white. */
  brightness?: number
  sharpness?: number
  duration_s?: number
}

export interface Cleaned {
  bytes: Buffer
  kind: 'photo' | 'video' | 'audio'
  content_type: string
  width?: number
  height?: number
  /** 16 hex digits. */
  dhash?: string
  evidence: Evidence
}

// One picture at a time in a process of little memory.
sharp.cache(false)
sharp.concurrency(1)
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({
  operation: [
    'VipsForeignLoadJpegBuffer',
    'VipsForeignLoadPngBuffer',
    'VipsForeignLoadWebpBuffer',
    'VipsForeignLoadNsgifBuffer',
  ],
})

export async function cleanImage(input: Buffer): Promise<Cleaned> {
  try {
    return await clean(input)
  } catch (error) {
    if (error instanceof FileRefused) throw error
    // Whatever the decoder stumbles over: it is the file that is broken.
    throw new FileRefused('is damaged: take the photo again')
  }
}

async function clean(input: Buffer): Promise<Cleaned> {
  // Keeps the first frame of an animation: a proof's photo is one picture.
  const options = {
    limitInputPixels: PIXELS_MAX,
    failOn: 'error',
    sequentialRead: true,
    pages: 1,
  } as const
  const about = await sharp(input, options).metadata()
  if (about.width * (about.pageHeight ?? about.height) > PIXELS_MAX)
    throw new FileRefused('has more than 40 million pixels: send a smaller picture')
  const evidence = about.exif === undefined ? {} : await readExif(about.exif)

  const upright = sharp(input, options)
    .autoOrient()
    .resize({ width: SIDE_MAX, height: SIDE_MAX, fit: 'inside', withoutEnlargement: true })
    .toColourspace('srgb')
  const { data: bytes, info } = await (about.hasAlpha
    ? upright.png({ compressionLevel: 4 })
    : upright.jpeg({ quality: 85 })
  ).toBuffer({ resolveWithObject: true })

  const dhash = await differenceHash(bytes)
  return {
    bytes,
    kind: 'photo',
    content_type: about.hasAlpha ? 'image/png' : 'image/jpeg',
    width: info.width,
    height: info.height,
    ...(dhash === undefined ? {} : { dhash }),
    evidence: { ...evidence, ...(await measure(bytes)) },
  }
}

/** Whether each of 8 × 8 spots is lighter than the one to its right: what stays when a photo is edited a little. */
async function differenceHash(image: Buffer): Promise<string | undefined> {
  const spots = await sharp(image)
    .flatten({ background: 'white' })
    .greyscale()
    .resize(9, 8, { fit: 'fill' })
    .raw()
    .toBuffer()
  if (Math.max(...spots) - Math.min(...spots) < CONTRAST_MIN) return undefined
  let hash = 0n
  for (let y = 0; y < 8; y += 1)
    for (let x = 0; x < 8; x += 1)
      hash = (hash << 1n) | (spots[y * 9 + x]! > spots[y * 9 + x + 1]! ? 1n : 0n)
  return hash.toString(16).padStart(16, '0')
}

async function measure(image: Buffer): Promise<Pick<Evidence, 'brightness' | 'sharpness'>> {
  const { data, info } = await sharp(image)
    .flatten({ background: 'white' })
    .greyscale()
    .resize({
      width: MEASURED_SIDE,
      height: MEASURED_SIDE,
      fit: 'inside',
      withoutEnlargement: true,
    })
    .raw()
    .toBuffer({ resolveWithObject: true })
  const raw = { width: info.width, height: info.height, channels: info.channels }
  const { channels, sharpness } = await sharp(data, { raw }).stats()
  return { brightness: round(channels[0]!.mean, 1), sharpness: round(sharpness, 2) }
}

async function readExif(exif: Buffer): Promise<Evidence> {
  const tiff = exif.toString('latin1', 0, 6) === 'Exif\0\0' ? exif.subarray(6) : exif
  const tags = (await exifr
    .parse(tiff, { tiff: true, exif: true, gps: true, reviveValues: false, sanitize: true })
    // What can't be read is no evidence, and no reason to refuse the picture.
    .catch(() => undefined)) as Record<string, unknown> | undefined
  if (tags === undefined) return {}
  const { latitude: lat, longitude: lng, GPSHPositioningError: error } = tags
  const isPlace =
    isWithin(lat, 90) && isWithin(lng, 180) && (Math.abs(lat) > 1e-6 || Math.abs(lng) > 1e-6)
  return {
    ...(isPlace ? { lat: round(lat, 6), lng: round(lng, 6) } : {}),
    ...(isPlace && isWithin(error, 1e6) ? { accuracy_m: Math.ceil(Math.abs(error)) } : {}),
    ...readTime(tags),
  }
}

/** Satellites tell the time in UTC; else the camera's clock counts, with its zone if it names one. */
function readTime(tags: Record<string, unknown>): Evidence {
  const date = /^(\d{4}):(\d\d):(\d\d)$/.exec(String(tags.GPSDateStamp))
  const clock = tags.GPSTimeStamp
  const hms = Array.isArray(clock) ? clock.map(Number) : String(clock).split(':').map(Number)
  if (date && hms.length === 3 && hms.every(Number.isFinite)) {
    const [, year, month, day] = date.map(Number)
    const at = new Date(Date.UTC(year!, month! - 1, day, hms[0], hms[1], Math.floor(hms[2]!)))
    if (isTime(at)) return { taken_at: at.toISOString() }
  }
  const local = /^(\d{4}):(\d\d):(\d\d) (\d\d:\d\d:\d\d)$/.exec(
    String(tags.DateTimeOriginal ?? tags.CreateDate),
  )
  if (local === null) return {}
  const text = `${local[1]}-${local[2]}-${local[3]}T${local[4]}`
  const zone = String(tags.OffsetTimeOriginal ?? tags.OffsetTime)
  const isZone = /^[+-]\d\d:\d\d$/.test(zone)
  const at = new Date(text + (isZone ? zone : 'Z'))
  if (!isTime(at)) return {}
  return isZone ? { taken_at: at.toISOString() } : { taken_at_local: text }
}

const isTime = (at: Date) => at.getTime() > Date.UTC(1990, 0, 1) && at.getUTCFullYear() < 2200
const isWithin = (value: unknown, most: number): value is number =>
  typeof value === 'number' && Math.abs(value) <= most
const round = (value: number, digits: number) => Number(value.toFixed(digits))
