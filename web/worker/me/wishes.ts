/** Converts form input into the API's format. */

/** Parses dollars as typed into cents; undefined if invalid, null if empty. */
export function centsOf(written: string): number | null | undefined {
  const trimmed = written.replace(/[\s$]/g, '').replace(',', '.')
  if (trimmed === '') return null
  if (!/^\d{1,4}(?:\.\d{0,2})?$/.test(trimmed)) return undefined
  return Math.round(Number(trimmed) * 100)
}

/** Common languages; others are in the full list. */
export const LANGUAGE_TAGS = (
  'af am ar az be bg bn bs ca cs cy da de el en es et eu fa fi fil fr ga gl gu he hi hr hu hy id is it ja ka kk km ' +
  'kn ko ky lo lt lv mk ml mn mr ms my nb ne nl pa pl ps pt ro ru si sk sl so sq sr sv sw ta te th tr uk ur uz vi xh ' +
  'yo yue zh zu'
).split(' ')
