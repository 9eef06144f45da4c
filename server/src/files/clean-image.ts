/**
 * Makes a photo safe to show by decoding and re-encoding it, which drops everything but the pixels (location, time,
 * scripts, data after the end of the image). The photo's metadata is returned as evidence. Runs only in the media
 * process.
 */
import exifr from 'exifr'
import sharp from 'sharp'
import { FileRefused } from './refused.ts'

const PIXELS_MAX = 40_000_000
const SIDE_MAX = 4096
/** Photos with less contrast than this all hash alike, so they get no hash. */
const CONTRAST_MIN = 12
const MEASURED_SIDE = 512

export interface Evidence {
  lat?: number
  lng?: number
  /** How far the true location may be from lat/lng. */
  accuracy_m?: number
  taken_at?: string
  /** Local time, if the camera didn't record a time zone. */
  taken_at_local?: string
  /** From 0 (black) to 255 (white). */
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

// The process handles one picture at a time and has little memory.
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
    // Any other decoder error means that the file is damaged.
    throw new FileRefused('is damaged: take the photo again')
  }
}

async function clean(input: Buffer): Promise<Cleaned> {
  // Keep only the first frame of an animation: a proof photo is a single picture.
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

/** Perceptual hash (dHash): whether each of 8 × 8 spots is lighter than its right neighbor. Survives small edits. */
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
    // Unreadable metadata gives no evidence, but is no reason to refuse the picture.
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

/** Prefers GPS time, which is UTC, over the camera's clock, with its time zone if it has one. */
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
