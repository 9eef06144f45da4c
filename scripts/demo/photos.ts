/** Draws the photos and makes the recordings that workers send. They are drawn, so that they show nobody's house. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import sharp from 'sharp'
import type { Random } from './random.ts'

const WIDTH = 640
const HEIGHT = 480
const SKIES = ['#9cc3e6', '#c9d6df', '#f3c98b', '#7f9bb3', '#dfe7ec']
const WALLS = ['#b5533c', '#d9b382', '#8c9a86', '#c7c2b8', '#7a4b3a', '#e3d3b5']
const DOORS = ['#24523f', '#3b3a55', '#6b2d2d', '#1f2d3a']
const VOICE = path.join(import.meta.dirname, '../../server/src/test-mode/media/voice.mp3')

let voice: string | undefined

/** A street with a few houses, as a data URL. Every call draws another one. */
export async function photoOf(random: Random): Promise<string> {
  const jpeg = await sharp(Buffer.from(scene(random)))
    .jpeg({ quality: 72 })
    .toBuffer()
  return `data:image/jpeg;base64,${jpeg.toString('base64')}`
}

export function recording(): string {
  voice ??= `data:audio/mpeg;base64,${readFileSync(VOICE).toString('base64')}`
  return voice
}

function scene(random: Random): string {
  const ground = random.integer(350, 400)
  const houses: string[] = []
  for (let x = random.integer(-80, 0); x < WIDTH; ) {
    const width = random.integer(110, 230)
    houses.push(house(random, { x, width, ground }))
    x += width + (random.percent(30) ? random.integer(8, 60) : 0)
  }
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}">
    <rect width="${WIDTH}" height="${HEIGHT}" fill="${random.pick(SKIES)}"/>
    <circle cx="${random.integer(40, 600)}" cy="${random.integer(30, 130)}" r="${random.integer(15, 60)}"
      fill="#fff" opacity="0.6"/>
    ${houses.join('')}
    <rect y="${ground}" width="${WIDTH}" height="${HEIGHT - ground}" fill="#6f7275"/>
    <path d="M0 ${ground + 40} L${WIDTH} ${ground + random.integer(20, 70)}" stroke="#d8d8d2" stroke-width="6"
      stroke-dasharray="40 26"/>
  </svg>`
}

function house(
  random: Random,
  { x, width, ground }: { x: number; width: number; ground: number },
): string {
  const height = random.integer(150, 310)
  const top = ground - height
  const [columns, rows] = [random.integer(2, 4), random.integer(2, 5)]
  const windows: string[] = []
  for (let column = 0; column < columns; column += 1)
    for (let row = 0; row < rows; row += 1)
      windows.push(
        `<rect x="${x + 14 + (column * (width - 20)) / columns}" y="${top + 16 + (row * (height - 90)) / rows}"
          width="${(width - 60) / columns}" height="${(height - 120) / rows}"
          fill="${random.percent(35) ? '#f6e7a1' : '#34495e'}" stroke="#f4f1ea" stroke-width="3"/>`,
      )
  return `<rect x="${x}" y="${top}" width="${width}" height="${height}" fill="${random.pick(WALLS)}"/>
    ${windows.join('')}
    <rect x="${x + random.integer(12, width - 50)}" y="${ground - 62}" width="36" height="62"
      fill="${random.pick(DOORS)}"/>`
}
