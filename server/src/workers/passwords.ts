/**
 * Passwords, as Argon2id hashes in the PHC string format. A hash takes 19 MiB and tens of milliseconds by design, so
 * concurrency is limited: a flood of logins must not exhaust memory and threads.
 */
import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { z } from 'zod'
import type { Config } from '../config.ts'
import { invalidField } from '../kit/errors.ts'
import { isCommonPassword } from './common-passwords.ts'
import { takeTurns } from './turns.ts'

const LENGTH_MIN = 8
const LENGTH_MAX = 128

/** Any characters, no trimming, no composition rules. */
export const NewPassword = z
  .string()
  .refine((password) => countLetters(password) >= LENGTH_MIN, {
    error: `must have at least ${LENGTH_MIN} characters`,
    abort: true,
  })
  .refine((password) => countLetters(password) <= LENGTH_MAX, {
    error: `must have at most ${LENGTH_MAX} characters`,
  })
  .meta({ minLength: LENGTH_MIN, maxLength: LENGTH_MAX })

/** Counts code points, so that an emoji counts as one. */
const countLetters = (text: string) =>
  text.length > 2 * LENGTH_MAX ? text.length : Array.from(text).length

/** Rejects the most common passwords, and the account's own email or name as a password. */
export function refuseGuessable(
  { PASSWORD_BLOCKLIST }: Pick<Config, 'PASSWORD_BLOCKLIST'>,
  { password, email, name }: { password: string; email: string; name: string },
): void {
  if (PASSWORD_BLOCKLIST === 'off') return
  const guess = password.toLowerCase()
  const known = [email, email.split('@')[0]!, name].map((text) => text.toLowerCase())
  if (known.includes(guess)) throw invalidField('password', 'must not be your name or email')
  if (isCommonPassword(guess))
    throw invalidField('password', 'is too common and easy to guess; choose another password')
}

interface Parameters {
  memory: number
  passes: number
  parallelism: number
}

const CURRENT: Parameters = { memory: 19_456, passes: 2, parallelism: 1 }
const TAG_BYTES = 32
const PHC = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/

const inTurn = takeTurns({ atOnceMax: 4, waitingMax: 64 })
const derive = promisify(argon2)

/** Dummy hash for unknown accounts: verifying takes as long as for a known one, and always fails. */
const NOBODYS = { parameters: CURRENT, salt: randomBytes(16), tag: randomBytes(TAG_BYTES) }

export async function hashPassword(
  password: string,
  parameters: Parameters = CURRENT,
): Promise<string> {
  const salt = randomBytes(16)
  const tag = await inTurn(() =>
    derive('argon2id', { message: password, nonce: salt, tagLength: TAG_BYTES, ...parameters }),
  )
  const { memory, passes, parallelism } = parameters
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${base64(salt)}$${base64(tag)}`
}

/** Whether the password is right, and whether its hash has outdated parameters. */
export async function verifyPassword(
  password: string,
  hash: string | undefined,
): Promise<{ isRight: boolean; isOutdated: boolean }> {
  const { parameters, salt, tag } = parse(hash) ?? NOBODYS
  const derived = await inTurn(() =>
    derive('argon2id', { message: password, nonce: salt, tagLength: tag.length, ...parameters }),
  )
  const isOutdated =
    parameters.memory !== CURRENT.memory ||
    parameters.passes !== CURRENT.passes ||
    parameters.parallelism !== CURRENT.parallelism
  return { isRight: timingSafeEqual(derived, tag), isOutdated }
}

function parse(hash: string | undefined) {
  const [, memory, passes, parallelism, salt, tag] = PHC.exec(hash ?? '') ?? []
  if (salt === undefined || tag === undefined) return undefined
  return {
    parameters: {
      memory: Number(memory),
      passes: Number(passes),
      parallelism: Number(parallelism),
    },
    salt: Buffer.from(salt, 'base64'),
    tag: Buffer.from(tag, 'base64'),
  }
}

/** PHC strings have no padding. */
const base64 = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '')
