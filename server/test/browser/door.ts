/** The fake camera's picture: a door with a sign next to it, sharp and bright enough to pass as a good photo. */
import sharp from 'sharp'

const BRICKS = Array.from({ length: 24 }, (_, row) =>
  Array.from({ length: 15 }, (__, at) => {
    const x = at * 90 - (row % 2) * 45
    return `<rect x="${x}" y="${row * 36}" width="86" height="32" fill="hsl(${14 + ((row * 7 + at * 5) % 9)} 38% ${46 + ((row * 5 + at * 3) % 11)}%)"/>`
  }).join(''),
).join('')

const DOOR = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1280 960">
  <rect width="1280" height="960" fill="#b9a893"/>${BRICKS}
  <rect y="860" width="1280" height="100" fill="#77756f"/><path d="M0 900h1280" stroke="#5c5a55" stroke-width="6"/>
  <rect x="400" y="170" width="420" height="700" fill="#24382f"/>
  <rect x="424" y="194" width="372" height="676" fill="#3f6b57"/>
  <rect x="460" y="240" width="300" height="250" fill="#bfd6e2"/><path d="M460 490L760 240" stroke="#e9f3f8" stroke-width="14"/>
  <rect x="460" y="540" width="300" height="270" fill="#355c4a"/>
  <circle cx="768" cy="530" r="16" fill="#e6c65a"/>
  <rect x="890" y="300" width="270" height="330" fill="#fdfdf8" stroke="#333" stroke-width="8"/>
  <path d="M920 350h210M920 400h150M920 440h190M920 480h150M920 520h190M920 560h120" stroke="#222" stroke-width="14"/>
  <rect x="400" y="90" width="420" height="60" fill="#a3301f"/>
  <path d="M440 120h60m20 0h60m20 0h60m20 0h100" stroke="#fff" stroke-width="18"/>
</svg>`

export const drawDoor = ({ width }: { width: number }): Promise<Buffer> =>
  sharp(Buffer.from(DOOR))
    .resize(width, width * 0.75)
    .jpeg({ quality: 85 })
    .toBuffer()
