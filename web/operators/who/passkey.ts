/** Passkeys in the browser: the device checks a finger, a face or a PIN, then signs what the server sent. */
import {
  browserSupportsWebAuthn,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  startRegistration,
} from '@simplewebauthn/browser'
import { Refusal } from '../../shared/api/client.ts'
import { problemOf } from '../../shared/desk/query-states.tsx'
import { type Answer, api, type Body } from '../api.ts'

type Asked = Answer<'/passkeys/begin', 'post'>
type NewPasskey = Body<'/passkeys/finish'>['passkey']

export const hasPasskeys = browserSupportsWebAuthn

export async function signInWithPasskey(): Promise<void> {
  const { challenge_id, options } = await api.post('/sign-in/begin')
  const signed = await startAuthentication({
    optionsJSON: options as unknown as PublicKeyCredentialRequestOptionsJSON,
  })
  const passkey = signed as unknown as Body<'/sign-in/finish'>['passkey']
  await api.post('/sign-in/finish', { body: { challenge_id, passkey } })
}

/** Lets the device make a passkey; the server stores it afterwards. */
export async function createPasskey({ options }: Asked): Promise<NewPasskey> {
  const made = await startRegistration({
    optionsJSON: options as unknown as PublicKeyCredentialCreationOptionsJSON,
  })
  return made as unknown as NewPasskey
}

/** The session's cookie didn't come back, so the browser refuses it. */
export class NoCookie extends Error {}

/** Browsers don't say whether somebody canceled or the device has no passkey: no page may learn which it has. */
export function problemWithPasskey(error: unknown, doing: 'sign in' | 'create'): string {
  if (error instanceof NoCookie)
    return 'Your browser didn’t keep the session. Allow cookies for this address, and try again.'
  if (error instanceof Refusal && error.code === 'passkey_refused')
    return 'This passkey wasn’t accepted. It was removed, or your account is disabled. Ask an administrator.'
  const name = error instanceof Error ? error.name : ''
  if (name === 'NotAllowedError' || name === 'AbortError')
    return doing === 'create'
      ? 'No passkey was created. You canceled, or it took too long. Try again.'
      : 'You canceled, or this device has no passkey for the desk. Try again, or use the device that has it.'
  if (name === 'InvalidStateError')
    return 'This device already has a passkey for your account. Sign in with it, or use another device.'
  if (name === 'NotSupportedError' || name === 'ConstraintError')
    return 'This device can’t keep a passkey. Turn on its screen lock, or use a security key or another device.'
  if (name === 'SecurityError')
    return 'Passkeys don’t work at this address. Open the desk at the address that your administrator gave you.'
  return problemOf(error)
}
