/** Redraws a photo as a JPEG of limited size, which also removes the camera's metadata. */
const JPEG_QUALITY = 0.85

export type PhotoSource = HTMLVideoElement | ImageBitmap

/** For a file from a camera or gallery; throws if it isn't an image. */
export async function withBitmap<Result>(
  file: Blob,
  use: (bitmap: ImageBitmap) => Promise<Result>,
): Promise<Result> {
  const bitmap = await createImageBitmap(file, { imageOrientation: 'from-image' })
  try {
    return await use(bitmap)
  } finally {
    bitmap.close()
  }
}

export async function jpegOf(source: PhotoSource, sideMax: number): Promise<Blob> {
  const { canvas } = drawScaled(source, sideMax)
  const blob = await new Promise<Blob | null>((resolve) =>
    canvas.toBlob(resolve, 'image/jpeg', JPEG_QUALITY),
  )
  if (blob === null) throw new Error('the picture could not be drawn')
  return blob
}

/** `isRead`: the pixels are read from the canvas. */
export function drawScaled(source: PhotoSource, sideMax: number, { isRead = false } = {}) {
  const { width, height } = sizeOf(source)
  const scale = Math.min(1, sideMax / Math.max(width, height))
  const canvas = document.createElement('canvas')
  canvas.width = Math.max(1, Math.round(width * scale))
  canvas.height = Math.max(1, Math.round(height * scale))
  const context = canvas.getContext('2d', { willReadFrequently: isRead })!
  context.drawImage(source, 0, 0, canvas.width, canvas.height)
  return { canvas, context }
}

const sizeOf = (source: PhotoSource) =>
  source instanceof HTMLVideoElement
    ? { width: source.videoWidth, height: source.videoHeight }
    : { width: source.width, height: source.height }
