/** Passkeys (WebAuthn): bound to the desk's host and kept by the operator's device, which checks a finger or a PIN. */
import {
  type AuthenticationResponseJSON,
  generateAuthenticationOptions,
  generateRegistrationOptions,
  type RegistrationResponseJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server'
import { z } from 'zod'
import type { Config } from '../config.ts'
import { type Db, type Reader, type Tx, violates } from '../kit/db.ts'
import { deskUrl } from '../kit/desk-url.ts'
import { CHALLENGE_MINUTES, mintChallenge, takeChallenge } from './challenges.ts'
import { passkeyRefused } from './errors.ts'

const MINUTE_MS = 60_000
const TIMEOUT_MS = CHALLENGE_MINUTES * MINUTE_MS
const TRANSPORTS_MAX = 10
/** EdDSA, ES256 and RS256, which all devices and systems can do. */
const ALGORITHMS = [-8, -7, -257]

type Place = Pick<Config, 'DESK_URL' | 'DESK_PORT'>

const Bytes = (max: number) =>
  z
    .string()
    .regex(/^[\w-]*$/, 'must be base64url')
    .max(max)
const CredentialId = Bytes(1400).min(1)

/** The browser's response with a new passkey. */
export const NewPasskey = z.object({
  id: CredentialId,
  rawId: CredentialId,
  type: z.literal('public-key'),
  clientExtensionResults: z.record(z.string(), z.unknown()).default({}),
  response: z.object({
    clientDataJSON: Bytes(4000),
    attestationObject: Bytes(20_000),
    transports: z.array(z.string().max(40)).max(TRANSPORTS_MAX).optional(),
  }),
})

/** The browser's response with a signed challenge. */
export const SignedChallenge = z.object({
  id: CredentialId,
  rawId: CredentialId,
  type: z.literal('public-key'),
  clientExtensionResults: z.record(z.string(), z.unknown()).default({}),
  response: z.object({
    clientDataJSON: Bytes(4000),
    authenticatorData: Bytes(8000),
    signature: Bytes(8000),
    userHandle: Bytes(200).optional(),
  }),
})

export const ChallengeId = z.string().min(1).max(100)

/** A challenge, and the options that the browser passes on to the device. */
export const Asked = z.object({
  challenge_id: z.string(),
  options: z.record(z.string(), z.unknown()),
})

const rpOf = (config: Place) => new URL(deskUrl(config)).hostname
const originOf = (config: Place) => new URL(deskUrl(config)).origin

/** Asks for a new passkey of an operator. */
export async function askForNewPasskey(
  db: Db,
  {
    operator,
    config,
    now,
  }: { operator: { id: string; email: string; name: string }; config: Place; now: Date },
) {
  const known = await db.reader
    .selectFrom('operator_passkeys')
    .select(['credential_id', 'transports'])
    .where('operator_id', '=', operator.id)
    .execute()
  const options = await generateRegistrationOptions({
    rpName: 'Legwork desk',
    rpID: rpOf(config),
    userID: new TextEncoder().encode(operator.id),
    userName: operator.email,
    userDisplayName: operator.name,
    timeout: TIMEOUT_MS,
    attestationType: 'none',
    supportedAlgorithmIDs: ALGORITHMS,
    excludeCredentials: known.map(({ credential_id: id, transports }) => ({ id, transports })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  })
  const challenge_id = await mintChallenge(db, {
    purpose: 'register',
    operatorId: operator.id,
    challenge: options.challenge,
    now,
  })
  return { challenge_id, options: { ...options } }
}

export interface CheckedPasskey {
  credential_id: string
  public_key: Buffer
  counter: number
  transports: string[]
}

/** Uses the challenge up and checks what the browser made of it. */
export async function checkNewPasskey(
  db: Db,
  {
    operatorId,
    challengeId,
    response,
    config,
    now,
  }: {
    operatorId: string
    challengeId: string
    response: z.output<typeof NewPasskey>
    config: Place
    now: Date
  },
): Promise<CheckedPasskey> {
  const asked = await takeChallenge(db, { id: challengeId, purpose: 'register', now })
  if (asked?.operator_id !== operatorId) throw passkeyRefused()
  const checked = await verifyRegistrationResponse({
    response: response as RegistrationResponseJSON,
    expectedChallenge: asked.challenge,
    expectedOrigin: originOf(config),
    expectedRPID: rpOf(config),
    requireUserVerification: true,
    supportedAlgorithmIDs: ALGORITHMS,
  }).catch(() => undefined)
  if (!checked?.verified) throw passkeyRefused()
  const { id, publicKey, counter, transports = [] } = checked.registrationInfo.credential
  return {
    credential_id: id,
    public_key: Buffer.from(publicKey),
    counter,
    transports: [...transports],
  }
}

export async function storePasskey(
  tx: Tx,
  {
    operatorId,
    name,
    passkey,
    now,
  }: { operatorId: string; name: string; passkey: CheckedPasskey; now: Date },
): Promise<void> {
  await tx
    .insertInto('operator_passkeys')
    .values({ ...passkey, operator_id: operatorId, name, created_at: now })
    .execute()
    .catch((error: unknown) => {
      // A passkey belongs to one operator.
      throw violates(error, 'operator_passkeys_pkey') ? passkeyRefused() : error
    })
}

/** Asks whoever wants to sign in for any passkey of the desk: the device knows whose it is. */
export async function askForPasskey(db: Db, { config, now }: { config: Place; now: Date }) {
  const options = await generateAuthenticationOptions({
    rpID: rpOf(config),
    timeout: TIMEOUT_MS,
    userVerification: 'required',
  })
  const challenge_id = await mintChallenge(db, {
    purpose: 'sign_in',
    challenge: options.challenge,
    now,
  })
  return { challenge_id, options: { ...options } }
}

export interface SignedIn {
  operatorId: string
  credentialId: string
  counter: number
  /** The device's counter didn't rise, so there may be a copy of the key. */
  isCloned: boolean
}

/** Uses the challenge up and checks the signature. */
export async function checkPasskey(
  db: Db,
  {
    challengeId,
    response,
    config,
    now,
  }: {
    challengeId: string
    response: z.output<typeof SignedChallenge>
    config: Place
    now: Date
  },
): Promise<SignedIn> {
  const asked = await takeChallenge(db, { id: challengeId, purpose: 'sign_in', now })
  const passkey = asked && (await findPasskey(db.reader, response.id))
  if (passkey === undefined) throw passkeyRefused()
  const { credential_id, operator_id, public_key, counter } = passkey
  const checked = await verifyAuthenticationResponse({
    response: response as AuthenticationResponseJSON,
    expectedChallenge: asked!.challenge,
    expectedOrigin: originOf(config),
    expectedRPID: rpOf(config),
    // The counter is compared below, once the signature is known to be genuine.
    credential: { id: credential_id, publicKey: new Uint8Array(public_key), counter: 0 },
    requireUserVerification: true,
  }).catch(() => undefined)
  if (!checked?.verified || !isOwnHandle(response.response.userHandle, operator_id))
    throw passkeyRefused()
  const { newCounter } = checked.authenticationInfo
  return {
    operatorId: operator_id,
    credentialId: credential_id,
    counter: newCounter,
    isCloned: (newCounter > 0 || counter > 0) && newCounter <= counter,
  }
}

/** The device names the operator for whom it made the passkey. */
const isOwnHandle = (handle: string | undefined, operatorId: string) =>
  handle !== undefined && Buffer.from(handle, 'base64url').toString() === operatorId

const findPasskey = (db: Reader, credentialId: string) =>
  db
    .selectFrom('operator_passkeys')
    .select(['credential_id', 'operator_id', 'public_key', 'counter'])
    .where('credential_id', '=', credentialId)
    .executeTakeFirst()
