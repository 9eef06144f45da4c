/** Pictures of the front page, in the style of web/shared/DESIGN.md: a pin, a trail and a phone on a piece of land.
 */
const pin = (x: number, y: number, size = 1) => `<g transform="translate(${x} ${y}) scale(${size})">
<path class="brand" d="M0 0C-3-7-12-13-12-22a12 12 0 0 1 24 0C12-13 3-7 0 0Z"/>
<circle class="paper" cy="-22" r="4.5"/>
</g>`

const coin = (x: number, y: number) =>
  `<g transform="translate(${x} ${y})"><circle class="spot" r="11"/>
<path d="M-5 0a5 5 0 0 1 5-5"/>
</g>`

const svg = (name: string, viewBox: string, content: string) =>
  `<svg class="art ${name}" viewBox="${viewBox}" aria-hidden="true">${content}</svg>`

const LAND = 'M6 96C6 60 34 16 84 14c42-2 70 28 70 64 0 26-24 32-72 32S6 114 6 96Z'
const small = (content: string) =>
  svg('small', '0 0 160 120', `<path class="land bare" d="${LAND}"/>${content}`)

/** A folded paper map. A trail leads from a program's window to a shop, whose door is being photographed. */
export const MAP = svg(
  'map',
  '0 0 560 440',
  `<path class="land bare" d="M30 330C0 210 90 40 270 26c170-12 276 84 270 214-6 128-130 176-276 176C140 416 54 420
30 330Z"/>
<path class="paper" d="m86 108 128-36v262L86 370Zm256 0 128-36v262l-128 36Z"/>
<path class="shade-soft" d="m214 72 128 36v262l-128-36Z"/>
<g class="streets"><path d="m86 196 128-34 128 40 128-38M86 290l128-34 128 40 128-38M150 92v258M278 92v258M410
92v258"/>
</g>
<path class="park bare" d="m98 304 44-12v44l-44 13Z"/>
<path class="park bare" d="m296 126 38 11v44l-38-12Z"/>
<path class="water bare" d="M342 330c40-24 84-6 128-30v34l-128 36Z"/>
<path class="trail" d="M192 180c22 8 16 34 22 52s34 42 64 22 44-46 82-34"/>
<g transform="translate(112 112)">
<rect class="paper" width="92" height="66" rx="10"/>
<path d="M0 18h92"/>
<path d="M9 9h.1m9 0h.1m9 0h.1"/>
<path d="m14 32 8 7-8 7m16 4h22"/>
</g>
<g transform="translate(356 150)">
<rect class="paper" width="60" height="106" rx="12"/>
<path d="M25 9h10"/>
<path class="shade" d="M14 46v30h32V46M24 76V60h12v16"/>
<path class="spot" d="M14 28h32l7 17a6 6 0 0 1-11.5 0 6 6 0 0 1-11.5 0 6 6 0 0 1-11.5 0 6 6 0 0 1-11.5 0Z"/>
<circle cx="30" cy="91" r="6"/>
</g>
${pin(250, 338, 1.5)}${pin(446, 140, 1.1)}`,
)

/** An open door, with a trail that leads to a pin. */
export const EARN_DOOR = small(`<path class="shade" d="M52 104V40a26 26 0 0 1 52 0v64Z"/>
<path class="paper" d="M52 104V40a26 26 0 0 1 22-25.5v75Z"/>
<path d="M66 62v6"/>
<path class="trail" d="M80 104c10-16 24-2 34-12"/>${pin(122, 94, 0.8)}${coin(88, 72)}`)

/** An open door, with a program's window behind it. */
export const BUILD_DOOR = small(`<path class="shade" d="M52 104V40a26 26 0 0 1 52 0v64Z"/>
<path class="paper" d="M104 104V40a26 26 0 0 0-22-25.5v75Z"/>
<circle class="spot" cx="91" cy="65" r="5"/>
<g transform="translate(14 56)">
<rect class="paper" width="54" height="40" rx="8"/>
<path d="M0 12h54m-44 9 5 5-5 5m11 1h14"/>
</g>
<path class="trail" d="M72 98c12 8 30 8 44 0"/>${pin(124, 96, 0.8)}`)

/** Coins behind a lock. */
export const ESCROW = small(`<path d="M42 58V44a18 18 0 0 1 36 0v14"/>
<rect class="paper" x="30" y="54" width="60" height="48" rx="10"/>${coin(60, 78)}
<path class="trail" d="M95 97c12 5 22 2 29-8"/>${pin(126, 82)}`)

export const MARK = `<svg class="mark" viewBox="0 0 32 32" aria-hidden="true">
<rect width="32" height="32" rx="9"/>
<path d="m9 16.5 5 5L23.5 11"/>
</svg>`
