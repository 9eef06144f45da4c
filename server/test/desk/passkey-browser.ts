/** A browser whose device keeps passkeys: Chromium's virtual authenticator, behind which somebody always agrees. */
import type { CDPSession } from 'playwright-core'
import { openPhone, type Phone } from '../browser/phone.ts'
import { DESKTOP } from './desk-screens.ts'

export type PasskeyBrowser = Awaited<ReturnType<typeof openPasskeyBrowser>>

export async function openPasskeyBrowser() {
  const phone: Phone = await openPhone(DESKTOP)
  const devtools: CDPSession = await phone.context.newCDPSession(phone.page)
  await devtools.send('WebAuthn.enable')

  async function addKeeper(transport: 'internal' | 'usb'): Promise<{ pause(): Promise<void> }> {
    const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport,
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    })
    return {
      /** Takes it away from the device, with its passkeys. */
      pause: async () => {
        await devtools.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId })
      },
    }
  }

  return { ...phone, device: await addKeeper('internal'), addKeeper }
}
