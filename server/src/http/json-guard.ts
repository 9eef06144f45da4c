import { type ApiError, invalidField, invalidJson } from '../kit/errors.ts'

const NESTING_MAX = 64
/**
 * More than any valid body has, and more than 64 kB can hold. It stops large bodies that are not mostly text: parsing
 * 12 MB of empty arrays takes seconds and hundreds of megabytes, 12 MB of photos a few milliseconds.
 */
const VALUES_MAX = 50_000
/** Base64 of 12 MB with escaped slashes and line breaks has 530,000 escapes. They slow the parser down. */
const ESCAPES_MAX = 600_000
/** Bytes outside strings without a comma, colon or bracket: a 12 MB number takes half a second to parse. */
const BARE_MAX = 4_096

const QUOTE = 0x22
const COMMA = 0x2c
const COLON = 0x3a
const OPEN_BRACKET = 0x5b
const BACKSLASH = 0x5c
const CLOSE_BRACKET = 0x5d
const LETTER_U = 0x75
const OPEN_BRACE = 0x7b
const CLOSE_BRACE = 0x7d

/** Position within an escape: none, after the backslash, or after this many characters of `\uXXXX`. */
const NO_ESCAPE = 0
const AFTER_BACKSLASH = 1
const AFTER_U = 2
const ESCAPE_LENGTH = 6

/**
 * Checks the bytes of a JSON body as they arrive, before parsing, and refuses a hostile body early: too many values or
 * escapes, too deep nesting, or text that PostgreSQL can't store (NUL and lone surrogates, both of which only occur as
 * escapes). All other errors are left to the parser.
 */
export function openJsonGuard() {
  let isString = false
  let depth = 0
  let values = 1
  let escapes = 0
  let bare = 0
  let escape = NO_ESCAPE
  let unit = 0
  /** A high surrogate was read, so a low surrogate must follow immediately. */
  let isHalf = false

  /** Reads one byte of an escape. Returns false if the text can't be stored or is not JSON. */
  function readEscape(byte: number): boolean {
    if (escape === AFTER_BACKSLASH) {
      escape = byte === LETTER_U ? AFTER_U : NO_ESCAPE
      unit = 0
      return byte === LETTER_U || !isHalf
    }
    const digit = hexDigit(byte)
    if (digit === undefined) return false
    unit = unit * 16 + digit
    escape += 1
    if (escape < ESCAPE_LENGTH) return true
    escape = NO_ESCAPE
    const isLow = unit >= 0xdc00 && unit <= 0xdfff
    const isPair = isHalf && isLow
    const isAllowed = isPair || (!isHalf && !isLow && unit !== 0)
    isHalf = unit >= 0xd800 && unit <= 0xdbff
    return isAllowed
  }

  /** Reads a string up to its end or the end of the chunk. Returns undefined if it must be refused. */
  function readString(chunk: Uint8Array, start: number): number | undefined {
    let i = start
    for (; i < chunk.length; i += 1) {
      // Most of a large body is plain text. Skipping it in a loop over local variables only is five times as fast.
      if (escape === NO_ESCAPE && !isHalf) i = skipText(chunk, i)
      const byte = chunk[i]
      if (byte === undefined) break
      if (escape !== NO_ESCAPE) {
        if (!readEscape(byte)) return undefined
      } else if (byte === BACKSLASH) {
        escape = AFTER_BACKSLASH
        escapes += 1
      } else if (isHalf) return undefined
      else {
        isString = false
        break
      }
    }
    return i
  }

  return {
    /** Returns the error if this chunk must be refused. */
    push(chunk: Uint8Array): ApiError | undefined {
      for (let i = 0; i < chunk.length; i += 1) {
        if (isString) {
          const end = readString(chunk, i)
          if (end === undefined) return invalidJson()
          i = end
          continue
        }
        const end = skipScalar(chunk, i)
        bare += end - i
        if (bare > BARE_MAX)
          return invalidField(
            'body',
            `must not contain numbers or whitespace of more than ${BARE_MAX} characters`,
          )
        i = end
        if (i < chunk.length) bare = 0
        const byte = chunk[i]
        if (byte === QUOTE) isString = true
        else if (byte === COMMA || byte === COLON) values += 1
        else if (byte === OPEN_BRACKET || byte === OPEN_BRACE) {
          values += 1
          depth += 1
          if (depth > NESTING_MAX)
            return invalidField('body', `must be nested at most ${NESTING_MAX} deep`)
        } else if (byte === CLOSE_BRACKET || byte === CLOSE_BRACE) depth -= 1
      }
      if (values > VALUES_MAX)
        return invalidField('body', `must have at most ${VALUES_MAX} values in total`)
      if (escapes > ESCAPES_MAX)
        return invalidField(
          'body',
          `must have at most ${ESCAPES_MAX} escape sequences in its strings`,
        )
      return undefined
    },
  }
}

/** Index of the next quote or backslash. */
function skipText(chunk: Uint8Array, start: number): number {
  let i = start
  while (i < chunk.length && chunk[i] !== QUOTE && chunk[i] !== BACKSLASH) i += 1
  return i
}

/** Index of the next byte outside strings that is not part of a number, a word or whitespace. */
function skipScalar(chunk: Uint8Array, start: number): number {
  let i = start
  for (; i < chunk.length; i += 1) {
    const byte = chunk[i]!
    if (byte === QUOTE || byte === COMMA || byte === COLON) break
    if (byte > 0x5a && byte !== BACKSLASH && (byte < 0x61 || byte > 0x7a)) break
  }
  return i
}

function hexDigit(byte: number): number | undefined {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30
  const lower = byte | 0x20
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : undefined
}
