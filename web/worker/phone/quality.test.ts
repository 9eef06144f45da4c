import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import sharp from 'sharp'
import { qualityOf } from './quality.ts'

const SIDE = 256

/** A sign with letters, as a camera would see it. */
async function sign({ blur = 0, ink = '#111', paper = '#ddd' } = {}) {
  const lines = Array.from(
    { length: 8 },
    (_, at) =>
      `<text x="10" y="${30 + at * 28}" font-size="22" fill="${ink}">Mo–Fr 6:30–18:00</text>`,
  )
  const size = `width="${SIDE}" height="${SIDE}"`
  const ground = `<rect ${size} fill="${paper}"/>`
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" ${size}>${ground}${lines.join('')}</svg>`
  const image = sharp(Buffer.from(svg)).ensureAlpha()
  const data = await (blur > 0 ? image.blur(blur) : image).raw().toBuffer()
  return qualityOf(new Uint8ClampedArray(data), SIDE)
}

describe('the photo check', () => {
  test('accepts a sign in daylight as sharp and bright', async () => {
    assert.deepEqual(await sign(), { isSharp: true, light: 'good' })
  })

  test('detects camera shake', async () => {
    assert.equal((await sign({ blur: 6 })).isSharp, false)
  })

  test('detects darkness and glare', async () => {
    assert.equal((await sign({ ink: '#000', paper: '#181818' })).light, 'dark')
    assert.equal((await sign({ ink: '#f0f0f0', paper: '#fff' })).light, 'glaring')
  })

  test('reports a picture that is too small to measure as blurred', () => {
    assert.deepEqual(qualityOf(new Uint8ClampedArray([100, 100, 100, 255]), 1), {
      isSharp: false,
      light: 'good',
    })
  })
})
