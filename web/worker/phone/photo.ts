/** Prepares a photo for upload: shrinks it, and measures its quality. */
import { drawScaled, jpegOf, type PhotoSource, withBitmap } from '../../shared/shrink-photo.ts'
import { MEASURED_SIDE, type Quality, qualityOf } from './quality.ts'

const SIDE_MAX = 2560

export interface Photo {
  bytes: ArrayBuffer
  content_type: 'image/jpeg'
  quality: Quality
}

/** For a file from the phone's camera or gallery; throws if it isn't an image. */
export const photoOfFile = (file: File): Promise<Photo> => withBitmap(file, photoOf)

export async function photoOf(source: PhotoSource): Promise<Photo> {
  const blob = await jpegOf(source, SIDE_MAX)
  const small = drawScaled(source, MEASURED_SIDE, { isRead: true })
  const { data } = small.context.getImageData(0, 0, small.canvas.width, small.canvas.height)
  return {
    bytes: await blob.arrayBuffer(),
    content_type: 'image/jpeg',
    quality: qualityOf(data, small.canvas.width),
  }
}
