/** Photos of a question to a person, which are sent inside of the request. */
import { jpegOf, withBitmap } from './shrink-photo.ts'

/** Photos in a message. */
export const PHOTOS_MAX = 3
/** Smaller than a proof's photos, because three of them go out in one request. */
const SIDE_MAX = 1600

/** Throws if the file isn't an image. */
export const shrinkForQuestion = (file: Blob): Promise<Blob> =>
  withBitmap(file, (bitmap) => jpegOf(bitmap, SIDE_MAX))

export const dataUrlOf = (photo: Blob): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.addEventListener('load', () => resolve(reader.result as string))
    reader.addEventListener('error', () => reject(reader.error ?? new Error('unreadable photo')))
    reader.readAsDataURL(photo)
  })
