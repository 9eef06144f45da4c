/**
 * Checks a photo on the phone: pure rules over its gray values. Edges give the Laplacian a high variance; a low
 * variance means the photo is blurred. It only warns, and never rejects.
 */
export interface Quality {
  isSharp: boolean
  light: 'dark' | 'good' | 'glaring'
}

/** Photos are scaled to this longer side first, so that sharpness doesn't depend on their size. */
export const MEASURED_SIDE = 512
const SHARP_MIN = 40
const DARK_MAX = 45
const GLARING_MIN = 235

/** `pixels` in canvas order: red, green, blue, alpha. */
export function qualityOf(pixels: Uint8ClampedArray, width: number): Quality {
  const grey = greyOf(pixels)
  const luma = grey.reduce((sum, value) => sum + value, 0) / grey.length
  return {
    isSharp: sharpness(grey, width) >= SHARP_MIN,
    light: luma <= DARK_MAX ? 'dark' : luma >= GLARING_MIN ? 'glaring' : 'good',
  }
}

function greyOf(pixels: Uint8ClampedArray): Float32Array {
  const grey = new Float32Array(pixels.length / 4)
  for (let at = 0; at < grey.length; at += 1)
    grey[at] = 0.299 * pixels[at * 4]! + 0.587 * pixels[at * 4 + 1]! + 0.114 * pixels[at * 4 + 2]!
  return grey
}

/** The variance of the Laplacian. */
export function sharpness(grey: Float32Array, width: number): number {
  const height = grey.length / width
  let sum = 0
  let squares = 0
  let count = 0
  for (let y = 1; y < height - 1; y += 1)
    for (let x = 1; x < width - 1; x += 1) {
      const at = y * width + x
      const jump =
        4 * grey[at]! - grey[at - 1]! - grey[at + 1]! - grey[at - width]! - grey[at + width]!
      sum += jump
      squares += jump * jump
      count += 1
    }
  if (count === 0) return 0
  const mean = sum / count
  return squares / count - mean * mean
}
