/** Turns text into comparable words. The words of a rule pass through the same function as the text of a task. */

// Characters that are invisible, or only decorate a letter: soft hyphen, joiners, direction marks, tatweel, accents.
const IGNORED =
  /[\u00ad\u061c\u0640\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]|\p{M}/gu
const WORD = /[\p{L}\p{N}]+/gu
const ASCII_WORD = /[a-z0-9]+/g
const ASCII = /^[\0-\x7f]*$/
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

export function wordsOf(text: string): string[] {
  // NFD separates accents from their letters, so that "código" and "codigo" are one word.
  if (ASCII.test(text)) return text.toLowerCase().match(ASCII_WORD) ?? []
  const plain = text
    .normalize('NFKC')
    .toLowerCase()
    .normalize('NFD')
    .replaceAll(IGNORED, '')
    .replaceAll(REPLACED, (letter) => SAME[letter]!)
  const words = plain.match(WORD) ?? []
  return words.map((word) => (ARABIC.test(word) ? withoutArticle(word) : word))
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
