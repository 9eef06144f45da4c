/** Turns text into comparable words. The words of a rule pass through the same function as the text of a task. */

// Characters that are invisible, or only decorate a letter: soft hyphen, joiners, direction marks, tatweel, accents.
const IGNORED =
  /[\u00ad\u061c\u0640\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]|\p{M}/gu
const LETTERS = /^[\p{L}\p{N}]+$/u
const ARABIC = /^[\u0600-\u06ff]/

/** Letters that people use interchangeably, and letters of other alphabets that look like Latin ones. */
const SAME: Record<string, string> = {
  أ: 'ا',
  إ: 'ا',
  آ: 'ا',
  ٱ: 'ا',
  ى: 'ي',
  ة: 'ه',
  ؤ: 'و',
  ئ: 'ي',
  ß: 'ss',
  œ: 'oe',
  æ: 'ae',
  ø: 'o',
  ı: 'i',
  а: 'a',
  е: 'e',
  о: 'o',
  р: 'p',
  с: 'c',
  у: 'y',
  х: 'x',
  і: 'i',
}
const REPLACED = new RegExp(`[${Object.keys(SAME).join('')}]`, 'gu')

/** The Arabic article with its one-letter words, which are written as part of the next word. */
const ARTICLES = ['وبال', 'ولل', 'وال', 'بال', 'فال', 'كال', 'لل', 'ال']

const PREFIXES = new Set(Array.from('وفبلكس', (letter) => letter.charCodeAt(0)))

// What a character of a text becomes, by its code: looked up once and remembered, because normalizing a whole text is
// most of the time that screening takes.
const UNKNOWN = 0
const ITSELF = 1
const SEPARATOR = 2
const OTHER = 3
const kinds = new Uint8Array(0x110000)
const others = new Map<number, string>()

/** Decides what a character becomes: letters without accents, nothing, or the end of a word. */
function learn(code: number): number {
  const character = String.fromCodePoint(code)
  // NFD separates accents from their letters, so that "código" and "codigo" are one word.
  const plain = character
    .normalize('NFKC')
    .toLowerCase()
    .normalize('NFD')
    .replaceAll(IGNORED, '')
    .replaceAll(REPLACED, (letter) => SAME[letter]!)
  const kind =
    plain === character && LETTERS.test(plain)
      ? ITSELF
      : plain === '' || LETTERS.test(plain)
        ? OTHER
        : SEPARATOR
  kinds[code] = kind
  if (kind === OTHER) others.set(code, plain)
  return kind
}

export function wordsOf(text: string): string[] {
  const plain = text.toLowerCase()
  const words: string[] = []
  // The word so far is `before`, and the characters from `from` on, which stay as they are.
  let before = ''
  let from = 0
  const end = (to: number) => {
    const word = from === to ? before : before + plain.slice(from, to)
    if (word !== '') words.push(ARABIC.test(word) ? withoutArticle(word) : word)
    before = ''
  }
  for (let i = 0; i < plain.length; i += 1) {
    let code = plain.charCodeAt(i)
    const start = i
    if (code >= 0xd800 && code < 0xdc00) {
      code = plain.codePointAt(i)!
      if (code > 0xffff) i += 1
    }
    const known = kinds[code]!
    const kind = known === UNKNOWN ? learn(code) : known
    if (kind === ITSELF) continue
    if (kind === SEPARATOR) end(start)
    else before += plain.slice(from, start) + others.get(code)!
    from = i + 1
  }
  end(plain.length)
  return words
}

function withoutArticle(word: string): string {
  const article = ARTICLES.find((one) => word.startsWith(one) && word.length - one.length >= 2)
  return article === undefined ? word : word.slice(article.length)
}

/** An Arabic word without the one-letter word before it, such as "and" or "with", if it may have one. */
export function withoutPrefix(word: string): string | undefined {
  return word.length >= 3 && PREFIXES.has(word.charCodeAt(0))
    ? withoutArticle(word.slice(1))
    : undefined
}
