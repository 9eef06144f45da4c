/** Prepares a photo for upload: redraws it, which removes the camera's metadata, and limits its size. */
import { MEASURED_SIDE, type Quality, qualityOf } from './quality.ts'

const SIDE_MAX = 2560
const JPEG_QUALITY = 0.85

export interface Photo {
  bytes: ArrayBuffer
  content_type: 'image/jpeg'
  quality: Quality
}

type Source = HTMLVideoElement | ImageBitmap

const sizeOf = (source: Source) =>
  source instanceof HTMLVideoElement
    ? { width: source.videoWidth, height: source.videoHeight }
    : { width: source.width, height: source.height }

/** For a file from the phone's camera or gallery; throws if it isn't an image. */
export async function photoOfFile(file: File): Promise<Photo> {
  const bitmap = await createImageBitmap(file, { imageOrientation: 'from-image' })
  try {
    return await photoOf(bitmap)
  } finally {
    bitmap.close()
  }
}

export async function photoOf(source: Source): Promise<Photo> {
  const { canvas } = draw(source, SIDE_MAX)
  const blob = await new Promise<Blob | null>((resolve) =>
    canvas.toBlob(resolve, 'image/jpeg', JPEG_QUALITY),
  )
  if (blob === null) throw new Error('the picture could not be drawn')
  const small = draw(source, MEASURED_SIDE)
  const { data } = small.context.getImageData(0, 0, small.canvas.width, small.canvas.height)
  return {
    bytes: await blob.arrayBuffer(),
    content_type: 'image/jpeg',
    quality: qualityOf(data, small.canvas.width),
  }
}

function draw(source: Source, sideMax: number) {
  const { width, height } = sizeOf(source)
  const scale = Math.min(1, sideMax / Math.max(width, height))
  const canvas = document.createElement('canvas')
  canvas.width = Math.max(1, Math.round(width * scale))
  canvas.height = Math.max(1, Math.round(height * scale))
  const context = canvas.getContext('2d', { willReadFrequently: sideMax === MEASURED_SIDE })!
  context.drawImage(source, 0, 0, canvas.width, canvas.height)
  return { canvas, context }
}
